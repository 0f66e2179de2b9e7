"""What does a person read before they answer a proposal?"""

import shutil
import textwrap
from collections.abc import Mapping

from ..domain.proposal import Proposal
from .clean import in_one_line, short_digests

EFFECT_WORDS: Mapping[str, str] = {
    "reads": "reads",
    "loads": "shows a text of others to the model",
    "changes": "changes something",
    "sends": "sends something out",
    "runs": "runs code",
    "acts": "acts on a screen or a machine",
}

SHOWN = 500
"""So many characters of an argument are shown to the person who is asked."""

UNKNOWN = "It had begun when its process died. It may have taken effect, or not: nobody knows."
UNKNOWN_YES = "A yes lets it be done again, from its beginning, even if that makes it twice."
UNKNOWN_NO = "A no leaves it as it is, and the model is told that nobody knows."
HELP = "What you write is told to the model, and the job goes on. It asks once; without help it ends."


def told(proposal: Proposal) -> list[str]:
    """What is asked: what, with what, under what, and how far an answer goes. A line may be long."""
    if proposal.help:
        return [f"A job asks for help. {cut(in_one_line(proposal.words.capitalize()))}.", f"  {HELP}"]
    touched = [f"  It touches: {cut(in_one_line(proposal.names))}"] if proposal.names else []
    if proposal.unknown:
        asked = f"May this be done again? {in_one_line(proposal.action)}."
        about = [*touched, *_arguments(proposal.arguments)]
        return [asked, *about, f"  {UNKNOWN}", f"  {UNKNOWN_YES}", f"  {UNKNOWN_NO}"]
    lines = [f"May this be done? {cut(in_one_line(proposal.words))}.", *touched, *_arguments(proposal.arguments)]
    lines.append(f"  It {' and '.join(EFFECT_WORDS.get(effect, effect) for effect in proposal.effects)}.")
    if proposal.confinement:
        lines.append(f"  {proposal.confinement[0].upper()}{proposal.confinement[1:].rstrip('.')}.")
    if proposal.subject:
        lines.append(f"  A yes covers, {how_long(proposal)}: {covered(proposal)}")
    return lines


def how_long(proposal: Proposal) -> str:
    """How long a yes to all that the proposal's subject covers holds."""
    return "as long as it stays as it is" if proposal.kept else "until this task ends"


def covered(proposal: Proposal) -> str:
    """What a yes to the proposal's subject covers."""
    return in_one_line(short_digests(proposal.subject))


def wrapped(line: str, *, indent: str = "") -> list[str]:
    """A line as this terminal holds it."""
    width = max(40, shutil.get_terminal_size().columns - 1)
    own = indent + line[: len(line) - len(line.lstrip())]
    lines = textwrap.wrap(
        line.lstrip(), width, initial_indent=own, subsequent_indent=f"{own}    ", break_on_hyphens=False
    )
    return lines or [""]


def cut(text: str) -> str:
    """A text cut openly where it is long."""
    left = len(text) - SHOWN
    return text if left <= 0 else f"{text[:SHOWN]}... ({left} more characters)"


def _arguments(arguments: Mapping[str, object]) -> list[str]:
    return [f"  {in_one_line(name)}: {cut(in_one_line(str(value)))}" for name, value in arguments.items()]
