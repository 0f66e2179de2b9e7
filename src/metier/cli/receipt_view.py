"""How does a receipt look on a terminal?"""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..domain.receipt import Receipt
from .as_json import json_text
from .clean import clean, one_line, short_digests
from .glyphs import Glyphs, glyphs_for

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

STYLES = {"Done": "green", "Failed": "red", "Refused": "yellow", "Stopped": "yellow", "Running": "cyan"}
MOST_ASKED = 6


def print_result(receipt: Receipt) -> None:
    """Print what the task came to, alone on standard output."""
    result = receipt.result
    if result is None:
        return
    text = clean(result) if isinstance(result, str) else json_text(result)
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def print_receipt(receipt: Receipt) -> None:
    """Print a receipt on standard output."""
    from rich.console import Console

    console = Console(file=sys.stdout, highlight=False, emoji=False, markup=False)
    draw_receipt(receipt, console, glyphs_for(sys.stdout))


def draw_receipt(receipt: Receipt, console: "Console", glyphs: Glyphs) -> None:
    """Draw a receipt on a console."""
    console.print(_panel(receipt, glyphs))


def _panel(receipt: Receipt, glyphs: Glyphs) -> "RenderableType":
    from rich import box
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    style = STYLES.get(receipt.state, "")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text, emphasis in _rows(receipt):
        grid.add_row(Text(name), Text(_in(glyphs, text), style=style if emphasis == "state" else emphasis))
    title = Text(f" Receipt {receipt.id} ")
    return Panel(
        grid, title=title, title_align="left", border_style=style, box=box.ASCII if glyphs.ascii else box.ROUNDED
    )


def _in(glyphs: Glyphs, text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode() if glyphs.ascii else text


def _rows(receipt: Receipt) -> Iterator[tuple[str, str, str]]:
    """The lines of a receipt: a name, a text, and how it is set off."""
    yield _state(receipt)
    yield "skill", _skill(receipt), ""
    yield "given", _given(receipt), ""
    yield from (("file", f"{one.name}  {one.length:,} bytes  sha256:{one.digest[:16]}", "") for one in receipt.files)
    yield _model(receipt)
    yield "cost", _cost(receipt), "" if receipt.priced else "yellow"
    yield "calls", _calls(receipt), "yellow" if receipt.calls.unknown else ""
    yield from (("asked", text, "") for text in _asked(receipt))
    yield from (("scripts", clean(text), "yellow") for text in receipt.confinement)
    if receipt.result_digest:
        yield "result", f"sha256:{receipt.result_digest[:16]}", ""
    yield (
        "record",
        f"{receipt.entries} entries, head sha256:{receipt.digest[:16]}; check it: metier verify {receipt.id}",
        "",
    )


def _state(receipt: Receipt) -> tuple[str, str, str]:
    said = clean(receipt.text) or receipt.reason
    if receipt.reason == "answered":
        said = "the model answered in words; nothing checks words"
    elif receipt.reason == "handed_back":
        judge = (
            f"accepted by the check {clean(receipt.check)}" if receipt.check else "held to its schema; it has no check"
        )
        said = f"the result was handed back and {judge}"
    return "", f"{receipt.state}: {said}", "state"


def _skill(receipt: Receipt) -> str:
    skill = receipt.skill
    if not skill.digest:
        return clean(skill.name)
    where = f" from {clean(skill.source)}" if skill.source else ""
    return f"{clean(skill.name)} {clean(skill.version)}{where}  sha256:{skill.digest[:16]}"


def _given(receipt: Receipt) -> str:
    started = datetime.fromtimestamp(receipt.started / 1e9, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    took = f", took {(receipt.ended - receipt.started) / 1e9:.2f} s" if receipt.ended else ", not ended"
    return f"by {clean(receipt.giver)}, {started}{took}"


def _model(receipt: Receipt) -> tuple[str, str, str]:
    if receipt.scripted:
        return "model", f"{clean(receipt.model)} - SCRIPTED: a script answered in a model's place", "yellow"
    return "model", clean(receipt.model), ""


def _cost(receipt: Receipt) -> str:
    usage = receipt.usage
    cost = f"${receipt.cost:.4f}" if receipt.priced else "not known, for the model has no price:"
    budget = "" if receipt.budget is None or not receipt.priced else f" of ${receipt.budget}"
    cached = f" ({usage.cache_read:,} cached)" if usage.cache_read else ""
    return (
        f"{cost}{budget} for {receipt.model_calls} model calls, {usage.sent:,} tokens in{cached}, {usage.output:,} out"
    )


def _calls(receipt: Receipt) -> str:
    calls = receipt.calls
    parts = [f"{calls.done} done"]
    others = {
        "failed": calls.failed,
        "refused": calls.refused,
        "sent back": calls.sent_back,
        "stopped in the middle": calls.stopped,
        "never ran": calls.never_ran,
        "UNKNOWN (begun, never ended)": calls.unknown,
    }
    parts += [f"{count} {name}" for name, count in others.items() if count]
    return ", ".join(parts)


def _asked(receipt: Receipt) -> Iterator[str]:
    for one in receipt.approvals[:MOST_ASKED]:
        by = f" by {one_line(str(one.get('by')), 40)}" if one.get("by") else ""
        about = one_line(short_digests(str(one.get("subject") or one.get("action"))), 100)
        yield f"{one.get('answer')}{by} to {about}"
    if len(receipt.approvals) > MOST_ASKED:
        yield f"and {len(receipt.approvals) - MOST_ASKED} more"
