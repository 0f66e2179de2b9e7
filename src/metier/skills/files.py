"""Which other files does a skill folder hold, and which of them are scripts?"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..domain.action import Miss
from ..domain.problem import Problem
from ..domain.skill import Kind, SkillFile, SkillSpec
from .fields import shown
from .inside import read_inside
from .seed_rules import SeedRules
from .skill_toml import FILE as SKILL_TOML
from .skill_toml import read_toml

MOST_FILES = 5_000
"""Files of one skill that are listed."""
DEEPEST = 16
"""Folders inside each other that are entered."""
NOT_ENTERED = frozenset({"node_modules", "__pycache__"})
"""Folders that are never entered, beside those whose name begins with a dot."""

_NEVER_RUN = re.compile(
    r"\.(md|txt|rst|jsonl?|ya?ml|toml|[ct]sv|xml|xsd|html?|css|ini|cfg|lock|log|sql|j2|tmpl|"
    r"png|jpe?g|gif|svg|webp|ico|pdf|docx|xlsx|pptx|[to]tf|woff2?|zip|gz|tar)$",
    re.IGNORECASE,
)
"""Endings of files that are read whatever their folder or mode says: whole trees come with every execute bit set."""

_SCRIPTS = "scripts/"
_EXECUTE = 0o111


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a skill beside its SKILL.md, in the order of their names, and what was left out."""

    files: tuple[SkillFile, ...]
    problems: tuple[Problem, ...] = ()


def list_files(folder: str, *, leave_out: frozenset[str] = frozenset(), rules: SeedRules | None = None) -> Listing:
    """List the files of a skill folder: all of them, or those that `rules` allow.

    Links are told and never followed; names in `leave_out` are not listed.
    """
    problems: list[Problem] = []
    bare = shown(os.path.basename(os.path.abspath(folder)))
    own = {SKILL_TOML, *leave_out}
    files: list[SkillFile] = []
    for name, entry in _walk(folder, bare, problems, rules):
        kind = rules.kind(name) if rules else None
        if name in own or name.lower() == "skill.md" or (rules and kind is None):
            continue
        if len(files) == MOST_FILES:
            problems.append(Problem("resource.many", bare, f"only {MOST_FILES:,} files are listed", level="warning"))
            break
        size, kind = _facts(name, entry, kind)
        files.append(SkillFile(name, entry.path, kind, size))
    files.sort(key=lambda file: file.name)
    return Listing(tuple(files), tuple(problems))


def with_files(spec: SkillSpec, *, rules: SeedRules | None = None) -> SkillSpec:
    """Answer the same skill with its files as they are now, all of them or those that `rules` allow."""
    if spec.guide is None:
        return spec
    folder = spec.guide.folder
    toml = read_toml(folder) if os.path.lexists(f"{folder}/{SKILL_TOML}") else None
    schemas = frozenset[str]() if toml is None or isinstance(toml, Problem) else toml.schema_names
    listing = list_files(folder, leave_out=schemas, rules=rules)
    told = tuple(problem for problem in listing.problems if problem not in spec.problems)
    return replace(spec, guide=replace(spec.guide, files=listing.files), problems=spec.problems + told)


def read_resource(file: SkillFile, folder: str) -> bytes | Miss:
    """Read a listed file's bytes; a miss says why not, with the codes that `read_inside` names."""
    return read_inside(folder, file.name)


def _walk(
    folder: str, bare: str, problems: list[Problem], rules: SeedRules | None
) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every regular file below a folder with its name relative to it; what is passed over is told."""
    deepest = rules.search_depth - 1 if rules else DEEPEST
    waiting = [("", folder, 0)]
    while waiting:
        before, path, depth = waiting.pop()
        try:
            entries = _entries(path, before, rules)
        except OSError as error:
            cause = f"the folder cannot be read: {error.strerror}"
            problems.append(Problem("resource.unreadable", f"{bare}/{before}", cause, level="warning"))
            continue
        for entry in entries:
            name = before + entry.name
            told = _passed_over(entry, depth, f"{bare}/{shown(name)}", deepest=deepest)
            if told:
                problems.append(told)
            elif entry.is_dir(follow_symlinks=False):
                waiting.append((name + "/", entry.path, depth + 1))
            elif entry.is_file(follow_symlinks=False):
                yield name, entry


def _entries(path: str, before: str, rules: SeedRules | None) -> list[os.DirEntry[str]]:
    """What is looked at in a folder whose own name, as listed, is `before`."""
    with os.scandir(path) as found:
        seen = [entry for entry in found if entry.name[0] != "." and entry.name not in NOT_ENTERED]
    return [entry for entry in seen if rules.looks_at(before + entry.name)] if rules else seen


def _passed_over(entry: os.DirEntry[str], depth: int, file: str, *, deepest: int) -> Problem | None:
    """What to tell of an entry that is left out."""
    if entry.is_symlink():
        # Following links is the owner's right in his own tree and never a package's; SKILL.md is read by the reader.
        if depth == 0 and entry.name.lower() == "skill.md":
            return None
        return Problem("resource.link", file, "links are not followed", cure="copy the file", level="warning")
    if not entry.name.isprintable() or shown(entry.name) != entry.name:
        return Problem("resource.name", file, "a name that is not plain text cannot be asked for", level="warning")
    if depth >= deepest and entry.is_dir(follow_symlinks=False):
        return Problem("resource.deep", file, f"folders more than {deepest} deep are not entered", level="warning")
    return None


def _facts(name: str, entry: os.DirEntry[str], known: Kind | None) -> tuple[int, Kind]:
    """Size and kind of a file; the kind is what is known by rules, else what the file looks like."""
    try:
        facts = entry.stat(follow_symlinks=False)
    except OSError:
        return 0, known or "resource"
    if known:
        return facts.st_size, known
    if _NEVER_RUN.search(name):
        return facts.st_size, "resource"
    if name.startswith(_SCRIPTS) and "." in entry.name:
        return facts.st_size, "script"
    runs = bool(facts.st_mode & _EXECUTE) or _has_shebang(entry.path)
    return facts.st_size, "script" if runs else "resource"


def _has_shebang(path: str) -> bool:
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        return os.read(opened, 2) == b"#!"
    except OSError:
        return False
    finally:
        os.close(opened)
