"""What does one skill folder hold, and what is wrong with it?

The tolerant reading: load what can be loaded safely, and be silent about nothing. Under the rules of the seed's document the
same findings are held strictly, and a skill that is against it is left out.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..domain.problem import Problem
from ..domain.skill import Frontmatter, Guide, SkillSpec
from ..errors import SkillInvalid
from .declared import Declared, read_declared
from .fields import KNOWN, frontmatter_of, shown
from .frontmatter import Parts, parse
from .head import Beginning, not_followed, read_beginning, read_whole
from .inside import leads_out
from .seed_head import as_the_document_says, strictly
from .seed_rules import SeedRules
from .skill_toml import FILE as SKILL_TOML
from .yaml_loader import Fault, Loaded

SKILL_FILE = "SKILL.md"
OTHER_CASES = ("skill.md", "Skill.md")
VERSION = "1"
"""The version of a skill that names none (O14)."""
_NOTHING = Declared()


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading a skill came to: the skill unless an error forbids it, and every problem that was met."""

    skill: SkillSpec | None
    problems: tuple[Problem, ...] = ()


def read_skill(folder: str, *, source: str = "", rules: SeedRules | None = None) -> Reading:
    """Read one skill folder, tolerantly or by `rules`; no content of it raises."""
    reading = read_if_skill(folder, source=source, rules=rules)
    if reading is not None:
        return reading
    if not os.path.isdir(folder):
        return Reading(None, (Problem("folder.unreadable", shown(folder), "there is no such folder"),))
    otherwise = spelt_otherwise(folder) if rules else None
    if otherwise:
        return Reading(None, (otherwise,))
    return Reading(None, (Problem("skill.missing", f"{shown(_bare(folder))}/{SKILL_FILE}", "there is no SKILL.md"),))


def spelt_otherwise(folder: str) -> Problem | None:
    """What the strict reading tells of a folder whose file is spelt in other letters than SKILL.md."""
    stored = _other_case(folder)
    return strictly(_wrong_case(f"{shown(_bare(folder))}/{stored}", stored)) if stored else None


def read_if_skill(
    folder: str,
    *,
    source: str = "",
    before: Iterable[Problem] = (),
    bound: str = "",
    rules: SeedRules | None = None,
) -> Reading | None:
    """Read a folder, or answer None where it holds no SKILL.md; under `rules` in no other letters.

    `before` are problems met on the way to it; `bound` is a folder that the file, if it is a link, must lie in.
    """
    bare = _bare(folder)
    shown_bare = shown(bare)
    stored = SKILL_FILE
    file = f"{shown_bare}/{SKILL_FILE}"
    beginning = read_beginning(f"{folder}/{SKILL_FILE}", file)
    problems = [*before]
    if beginning is None:
        stored = "" if rules else _other_case(folder)
        file = f"{shown_bare}/{stored}"
        beginning = read_beginning(f"{folder}/{stored}", file) if stored else None
        if beginning is None:
            return None
        problems.append(_wrong_case(file, stored))
    if isinstance(beginning, Beginning) and beginning.linked:
        beginning = _linked(beginning, f"{folder}/{stored}", file, problems, bound=bound, strict=rules is not None)
    front = _frontmatter(beginning, bare, file, problems, strict=rules is not None)
    declared = _declared(folder, shown_bare)
    problems += declared.problems
    told = tuple(problems)
    if front is None or declared.problems:
        return Reading(None, told)
    version = declared.version or VERSION
    return Reading(
        SkillSpec(front.name, front.description, source, version, Guide(folder, front), declared.job, told), told
    )


def load_body(spec: SkillSpec, *, rules: SeedRules | None = None) -> str:
    r"""Read the whole text of a skill's file as it is now, frontmatter included, with `\n` as its line ends.

    Raises SkillInvalid when the file is gone, too large or no UTF-8, and under `rules` when it is a link.
    """
    if spec.guide is None:
        raise SkillInvalid(f"{spec.id} has no SKILL.md.", hint="It is declared in code; look there.")
    folder = spec.guide.folder
    stored = SKILL_FILE if os.path.lexists(f"{folder}/{SKILL_FILE}") else _other_case(folder)
    if not stored:
        raise SkillInvalid(f"The SKILL.md of {spec.id} is gone.", hint=_AGAIN)
    text = read_whole(f"{folder}/{stored}", f"{shown(_bare(folder))}/{stored}", links=rules is None)
    if isinstance(text, Problem):
        raise SkillInvalid(f"{spec.id} cannot be loaded: {text}.", hint=_AGAIN)
    return text.replace("\r\n", "\n").replace("\r", "\n")


_AGAIN = "Look at the folder, then run `metier list` to see what is there now."


def _bare(folder: str) -> str:
    bare = folder.rpartition("/")[2]
    return bare if bare not in ("", ".", "..") else os.path.basename(os.path.abspath(folder))


def _other_case(folder: str) -> str:
    """How the file of this folder is spelt, if not SKILL.md; empty where there is none."""
    try:
        names = os.listdir(folder)
    except OSError:
        return ""
    return next((name for name in OTHER_CASES if name in names), "")


def _declared(folder: str, bare: str) -> Declared:
    # A link that leads nowhere is there too: a restriction that cannot be read means no run.
    if not os.access(f"{folder}/{SKILL_TOML}", os.F_OK, follow_symlinks=False):
        return _NOTHING
    return read_declared(folder, file=f"{bare}/{SKILL_TOML}")


def _wrong_case(file: str, stored: str) -> Problem:
    cause = f"the file is called {stored}"
    return Problem("name.case", file, cause, cure=f"call it {SKILL_FILE}", level="warning")


def _linked(
    beginning: Beginning, path: str, file: str, problems: list[Problem], *, bound: str, strict: bool
) -> Beginning | Problem:
    """What was read through a link, unless that leads where it must not; where it leads is told."""
    if strict:
        return not_followed(file)
    place = shown(os.path.realpath(path))
    if bound and leads_out(path, bound):
        return Problem("link.outside", file, f"the link leads out of the package, to {place}", cure="copy the file")
    problems.append(Problem("source.link", file, f"the file is a link to {place}", level="note"))
    return beginning


def _frontmatter(
    beginning: Beginning | Problem, bare: str, file: str, problems: list[Problem], *, strict: bool
) -> Frontmatter | None:
    if isinstance(beginning, Problem):
        problems.append(beginning)
        return None
    return _judge(beginning, bare, file, problems, strict=strict)


def _judge(beginning: Beginning, bare: str, file: str, problems: list[Problem], *, strict: bool) -> Frontmatter | None:
    parts = beginning.parts
    if not parts.closed:
        cause = "the frontmatter begins and never ends"
        problems.append(Problem("frontmatter.open", file, cause, parts.head_line - 1, "end it with a line `---`"))
        return None
    loaded = None if parts.head is None else parse(parts.head, cures=not strict)
    if isinstance(loaded, Fault):
        cure = "indent the line, or quote the whole value"
        problems.append(Problem("frontmatter.yaml", file, loaded.cause, loaded.line + parts.head_line - 1, cure))
        return None
    if loaded is not None and not _told(loaded, file, parts.head_line - 1, problems):
        return None
    front = frontmatter_of(
        loaded, body=parts.body, folder=bare, file=file, head_line=parts.head_line, tell=problems.append
    )
    return _held(front, loaded, parts, file, problems) if strict else front


def _held(
    front: Frontmatter | None, loaded: Loaded | None, parts: Parts, file: str, problems: list[Problem]
) -> Frontmatter | None:
    """The frontmatter by the document; None where something is against it."""
    if front and loaded:
        front = as_the_document_says(front, loaded, parts=parts, file=file, tell=problems.append)
    problems[:] = map(strictly, problems)
    return None if any(problem.level == "error" for problem in problems) else front


def _told(loaded: Loaded, file: str, before: int, problems: list[Problem]) -> bool:
    """Tell what was repaired and what was given twice; False when a field that counts was given twice (M9)."""
    for line in loaded.repaired:
        cause = "this is no YAML and was read as the text that stands there"
        problems.append(Problem("frontmatter.repaired", file, cause, line + before, "quote the value", "warning"))
    fine = True
    for one in loaded.twice:
        counts = one.top and one.key in KNOWN
        fine = fine and not counts
        cause = f"{one.key!r} is given on line {one.first + before} and again on line {one.again + before}"
        if not counts:
            cause += "; the first one counts" if one.top else "; the first that is text counts, else the first"
        file_line = one.again + before
        level: Literal["error", "warning"] = "error" if counts else "warning"
        problems.append(Problem("frontmatter.duplicate", file, cause, file_line, "remove one of them", level))
    return fine
