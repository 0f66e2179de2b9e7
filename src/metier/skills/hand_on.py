"""How is a job handed what it takes, by a form or by another agent?"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ById:
    """By the id of a stored row, under a label for people."""

    label: str


class HandOn:
    """The ways in which a job can be handed what it takes (O76, O105)."""

    @staticmethod
    def by_id(label: str) -> ById:
        """By the id of the stored row that it takes.

        Args:
            label: what stands beside the field of a form, such as "The crate to grade."
        """
        return ById(label)
