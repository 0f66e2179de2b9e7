"""How is an effect that a call does not declare told?"""

from ..errors import EffectUndeclared

HINT = "Declare it with @action(changes=True), or leave it out of the function."


def undeclared(what: str, *, hint: str = HINT) -> EffectUndeclared:
    """The error for an effect that a call does not declare; `what` is the sentence, without its full stop."""
    return EffectUndeclared(f"{what}.", hint=hint)
