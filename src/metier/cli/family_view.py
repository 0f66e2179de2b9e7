"""How does a receipt tell of an agent, and of the tasks that work was handed to?"""

from collections.abc import Iterator

from ..domain.receipt import Receipt
from .clean import clean, one_line
from .story import Child, Story

MOST_CHILDREN = 8

Line = tuple[str, str, str]
"""A name, a text, and how it is set off."""


def agent_lines(receipt: Receipt) -> Iterator[Line]:
    """Which agent did it, and who answered for it."""
    if not receipt.agent:
        return
    account = f", with the account {clean(receipt.principal)}" if receipt.principal else ""
    yield "agent", f"{clean(receipt.agent)}{account}", ""
    if receipt.sponsor:
        yield "sponsor", f"{clean(receipt.sponsor)} answered for the agent", ""


def family_lines(receipt: Receipt, story: Story | None) -> Iterator[Line]:
    """Which tasks it handed work to, and what all of them cost together."""
    if story is None:
        yield from (("child", clean(child), "") for child in receipt.children[:MOST_CHILDREN])
    elif story.children:
        yield from _children(story)
        yield "in all", _in_all(receipt, story), ""


def _children(story: Story) -> Iterator[Line]:
    cells = [_child(child) for child in story.children[:MOST_CHILDREN]]
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "child", "  ".join(f"{cell:{width}}" for cell, width in zip(row, wide, strict=True)).rstrip(), ""
    if len(story.children) > MOST_CHILDREN:
        yield "child", f"and {len(story.children) - MOST_CHILDREN} more: metier tasks", ""


def _in_all(receipt: Receipt, story: Story) -> str:
    priced = receipt.priced and all(child.priced for child in story.children)
    budget = f" of ${receipt.budget}" if receipt.budget is not None else ""
    return f"${story.spent:.4f}{budget}{'' if priced else ', as far as prices are known'}"


def _child(child: Child) -> tuple[str, ...]:
    state = f"{child.word} ({child.reason})" if child.reason and child.word not in ("Done", "cut") else child.word
    cost = f"${child.cost:.4f}" if child.priced else "cost not known"
    by = f", by {one_line(child.agent, 40)}" if child.agent else ""
    return clean(child.label), clean(state), cost, f"{one_line(child.skill, 40)}{by}"
