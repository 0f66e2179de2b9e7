"""How does a receipt look on a terminal?"""

import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..domain.receipt import Receipt
from .as_json import json_text, print_json
from .clean import clean, one_line, short_digests
from .family_view import agent_lines, family_lines
from .glyphs import Glyphs, glyphs_for
from .say import say
from .story import Story

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

STYLES = {
    "Done": "green",
    "Failed": "red",
    "Refused": "yellow",
    "Stopped": "yellow",
    "Running": "cyan",
    "Ready": "cyan",
    "Waiting": "magenta",
    "cut": "red",
}
BEST = "This is the best result so far. It was NOT accepted"
MOST_ASKED = 6
MOST_WAITING = 3


def print_end(story: Story, *, as_json: bool) -> None:
    """Print what a task came to and its account, or both as JSON."""
    if as_json:
        print_json(story.as_json())
        return
    print_result(story.receipt)
    print_receipt(story.receipt, story)


def print_result(receipt: Receipt) -> None:
    """Print what the task came to, alone on standard output."""
    result = receipt.result
    if result is None:
        return
    text = clean(result) if isinstance(result, str) else json_text(result)
    if not receipt.done:
        say(f"{BEST}: {receipt.state} ({receipt.reason}).", error=True)
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def print_receipt(receipt: Receipt, story: Story | None = None) -> None:
    """Print a receipt on standard output, with how the task stands if that is known."""
    from rich.console import Console

    console = Console(file=sys.stdout, highlight=False, emoji=False, markup=False)
    draw_receipt(receipt, console, glyphs_for(sys.stdout), story)


def draw_receipt(receipt: Receipt, console: "Console", glyphs: Glyphs, story: Story | None = None) -> None:
    """Draw a receipt on a console."""
    console.print(_panel(receipt, glyphs, story))


def _panel(receipt: Receipt, glyphs: Glyphs, story: Story | None) -> "RenderableType":
    from rich import box
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    style = STYLES.get(receipt.state if story is None else story.standing.word, "")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text, emphasis in _rows(receipt, story):
        grid.add_row(Text(name), Text(_in(glyphs, text), style=style if emphasis == "state" else emphasis))
    title = Text(f" Receipt {receipt.id} ")
    return Panel(
        grid, title=title, title_align="left", border_style=style, box=box.ASCII if glyphs.ascii else box.ROUNDED
    )


def _in(glyphs: Glyphs, text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode() if glyphs.ascii else text


def _rows(receipt: Receipt, story: Story | None) -> Iterator[tuple[str, str, str]]:
    """The lines of a receipt: a name, a text, and how it is set off."""
    yield _state(receipt, story)
    if story is not None:
        yield from _going_on(story)
    yield "skill", _skill(receipt), ""
    yield from agent_lines(receipt)
    yield "given", _given(receipt), ""
    if receipt.parent:
        yield "parent", f"{clean(receipt.parent)} handed this work on", ""
    yield from (("file", f"{one.name}  {one.length:,} bytes  sha256:{one.digest[:16]}", "") for one in receipt.files)
    yield _model(receipt)
    yield (
        "cost",
        _cost(receipt, alone=not (story and story.children)),
        "" if receipt.priced or not receipt.model_calls else "yellow",
    )
    yield from family_lines(receipt, story)
    yield from _work(receipt, story)
    yield from (("asked", text, "") for text in _asked(receipt, story))
    yield from (("scripts", clean(text), "yellow") for text in receipt.confinement)
    yield from _result(receipt)
    yield (
        "record",
        f"{receipt.entries} entries, head sha256:{receipt.digest[:16]}; check it: metier verify {receipt.id}",
        "",
    )


def _work(receipt: Receipt, story: Story | None) -> Iterator[tuple[str, str, str]]:
    middle = story.in_the_middle if story is not None else 0
    yield "calls", _calls(receipt, middle), "yellow" if receipt.calls.unknown > middle else ""
    if receipt.tries > 1:
        why = f": tried again after {', '.join(map(clean, story.history.retried))}" if story is not None else ""
        yield "tries", f"{receipt.tries}{why}", ""
    if story is not None:
        yield from _runs(story)


def _result(receipt: Receipt) -> Iterator[tuple[str, str, str]]:
    digest = f"sha256:{receipt.result_digest[:16]}"
    if receipt.result_digest and receipt.done:
        yield "result", digest, ""
    elif receipt.result_digest:
        yield "result", f"{digest}  NOT accepted: the best so far", "yellow"


def _state(receipt: Receipt, story: Story | None) -> tuple[str, str, str]:
    if story is not None and receipt.ended is None:
        return "", f"{story.standing.word}: {clean(story.standing.told)}", "state"
    said = clean(receipt.text) or receipt.reason
    if receipt.reason == "answered":
        said = "the model answered in words; nothing checks words"
    elif receipt.reason == "handed_back":
        judge = (
            f"accepted by the check {clean(receipt.check)}" if receipt.check else "held to its schema; it has no check"
        )
        said = f"the result was handed back and {judge}"
    return "", f"{receipt.state}: {said}", "state"


def _going_on(story: Story) -> Iterator[tuple[str, str, str]]:
    """What is waited for, and what makes the task go on."""
    for one in story.waiting[:MOST_WAITING]:
        yield "asks", f"{clean(one.proposal.id)}  {one_line(short_digests(one.proposal.words), 200)}", ""
    if len(story.waiting) > MOST_WAITING:
        yield "asks", f"and {len(story.waiting) - MOST_WAITING} more: metier proposals {story.receipt.id}", ""
    if story.history.missing and story.receipt.ended is None:
        yield "why", clean(story.history.missing), "yellow"
    first = "to stop" if story.standing.word == "Running" else "next"
    for place, command in enumerate(story.standing.goes_on):
        yield "or" if place else first, clean(command), "bold"


def _runs(story: Story) -> Iterator[tuple[str, str, str]]:
    """What the task went through, if that was more than one run."""
    history = story.history
    if history.runs > 1 or history.cuts:
        cut = f", {history.cuts} of them cut by the end of {'its' if history.cuts == 1 else 'their'} process"
        yield "runs", f"{history.runs}{cut if history.cuts else ''}", "yellow" if history.cuts else ""
    words = {"late": "an end that came late", "hook": "the action itself"}
    for by, count in history.settled.items():
        yield "settled", f"{count} cut {'call' if count == 1 else 'calls'} by {clean(words.get(by, by))}", ""
    if story.late:
        yield "late", f"{story.late} entries of a process that had lost this task; they move nothing", "yellow"


def _skill(receipt: Receipt) -> str:
    skill = receipt.skill
    if not skill.digest:
        return clean(skill.name)
    where = f" from {clean(skill.source)}" if skill.source else ""
    return f"{clean(skill.name)} {clean(skill.version)}{where}  sha256:{skill.digest[:16]}"


def _given(receipt: Receipt) -> str:
    started = datetime.fromtimestamp(receipt.started / 1e9, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    took = f", took {(receipt.ended - receipt.started) / 1e9:.2f} s" if receipt.ended else ", not ended"
    whom = f" on behalf of {clean(receipt.on_behalf_of)}" if receipt.on_behalf_of else ""
    return f"by {clean(receipt.giver)}{whom}, {started}{took}"


def _model(receipt: Receipt) -> tuple[str, str, str]:
    if receipt.scripted:
        return "model", f"{clean(receipt.model)} - SCRIPTED: a script answered in a model's place", "yellow"
    return "model", clean(receipt.model), ""


def _cost(receipt: Receipt, *, alone: bool) -> str:
    """What its own models cost; the budget is told here unless it is for children too."""
    usage = receipt.usage
    if not receipt.model_calls:
        return "nothing: no model was called"
    cost = f"${receipt.cost:.4f}" if receipt.priced else "not known, for the model has no price:"
    budget = "" if receipt.budget is None or not (receipt.priced and alone) else f" of ${receipt.budget}"
    cached = f" ({usage.cache_read:,} cached)" if usage.cache_read else ""
    return (
        f"{cost}{budget} for {receipt.model_calls} model calls, {usage.sent:,} tokens in{cached}, {usage.output:,} out"
    )


def _calls(receipt: Receipt, middle: int) -> str:
    calls = receipt.calls
    parts = [f"{calls.done} done"]
    others = {
        "failed": calls.failed,
        "refused": calls.refused,
        "sent back": calls.sent_back,
        "stopped in the middle": calls.stopped,
        "never ran": calls.never_ran,
        "under way": middle,
        "UNKNOWN (begun, never ended)": calls.unknown - middle,
    }
    parts += [f"{count} {name}" for name, count in others.items() if count]
    return ", ".join(parts)


def _asked(receipt: Receipt, story: Story | None) -> Iterator[str]:
    """Who answered what. What still waits is told above."""
    waiting = {one.proposal.id for one in story.waiting} if story is not None else set[str]()
    asked = [one for one in receipt.approvals if one.get("proposal") not in waiting]
    for one in asked[:MOST_ASKED]:
        yield _answered(one)
    if len(asked) > MOST_ASKED:
        yield f"and {len(asked) - MOST_ASKED} more"


def _answered(one: Mapping[str, Any]) -> str:
    about = one_line(short_digests(str(one.get("subject") or one.get("action"))), 100)
    if not one.get("answer"):
        return f"withdrawn: {about}"
    by = f" by {one_line(str(one.get('by')), 40)}" if one.get("by") else ""
    late = "; it came too late and was not carried out" if one.get("stale") else ""
    return f"{one['answer']}{by} to {about}{late}"
