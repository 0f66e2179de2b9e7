"""Which files of a skill does nothing in it name, so that nobody will ever ask for them?"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ...domain.problem import Problem
from ...domain.skill import SkillFile
from ..skill_toml import FILE as SKILL_TOML
from ..skill_toml import read_toml
from .document import Document
from .links import nested

MOST = 3
"""Files of one folder that are told one by one."""
_WORD = re.compile(r"\w[\w.-]*")
_FOLDER = re.compile(r"(?<![\w.-])([\w.-]++)/(?![\w.])")
"""A folder that is named as such, or with a pattern for its files."""
_EXPECTED = re.compile(
    r"(?:licen[cs]e|copying|notice|readme|change(?:s|log)|contributing|authors|makefile|dockerfile)\b.*"
    r"|__\w+__\.py|(?:package(?:-lock)?|tsconfig)\.json|requirements.*\.txt|pyproject\.toml|.*\.lock",
    re.IGNORECASE,
)
"""Files that stand for themselves."""
_TRIALS = ("evals/", "tests/", "test/")
_CODE = (".py", ".sh", ".bash", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl")
"""Files that are imported by their names without the ending."""


def mention_problems(document: Document) -> Iterator[Problem]:
    """Notes on files that no text of the skill names: not by path or name, not by their folder."""
    words, folders = _said(document)
    lost = [
        file.name
        for file in _needing(document)
        if not _is_named(file, document.texts.get(file.name, ""), words, folders)
    ]
    many = {folder for folder, count in Counter(map(posixpath.dirname, lost)).items() if folder and count > MOST}
    for folder in sorted(many):
        cause = f"nothing in the skill names the folder {folder!r}, nor most of its files"
        cure = f"say in {document.stored} when to use them, or remove them"
        yield Problem("resource.unmentioned", document.named(folder), cause, cure=cure, level="note")
    said = {word.casefold(): word for word in words}
    for name in lost:
        if posixpath.dirname(name) not in many:
            yield _lost(document, name, said.get(posixpath.basename(name).casefold()))


def _needing(document: Document) -> Iterator[SkillFile]:
    """The files that somebody must name: not those that stand for themselves, nor those of a skill inside the skill."""
    inner = (*nested(document), *_TRIALS)
    for file in document.files:
        if not file.name.startswith(inner) and not _EXPECTED.fullmatch(posixpath.basename(file.name)):
            yield file


def _lost(document: Document, name: str, other_case: str | None) -> Problem:
    cause = f"nothing in the skill names {name!r}, so nobody will ask for it"
    cure = f"say in {document.stored} when to use it, or remove it"
    if other_case and other_case != posixpath.basename(name):
        cause = f"the skill speaks of {other_case!r}, and the file is called {name!r}"
        cure = "spell both alike: upper and lower case differ on most systems"
    return Problem("resource.unmentioned", document.named(name), cause, cure=cure, level="note")


def _said(document: Document) -> tuple[Counter[str], set[str]]:
    """In how many texts of the skill each word stands, and which folders they name."""
    words: Counter[str] = Counter()
    folders: set[str] = set()
    for text in (document.text, *document.texts.values(), _declared(document)):
        words.update(_words(text))
        folders.update(_FOLDER.findall(text))
    return words, folders


def _declared(document: Document) -> str:
    toml = read_toml(document.folder)
    return "" if isinstance(toml, Problem) else toml.text.replace(SKILL_TOML, "")


def _words(text: str) -> set[str]:
    """The words of a text; of `core.frames` its parts too, for that is how a program names a file."""
    words = {word.rstrip(".-") for word in _WORD.findall(text)}
    return words.union(*(word.split(".") for word in words if "." in word))


def _is_named(file: SkillFile, own: str, words: Counter[str], folders: Iterable[str]) -> bool:
    folder, name = posixpath.split(file.name)
    if any(part in folders for part in folder.split("/")):
        return True
    mine = _words(own)
    stem, ending = posixpath.splitext(name)
    whole = {word.rstrip(".-") for word in _WORD.findall(name)}
    wanted = [whole] + ([{stem}] if ending in _CODE else [])
    # What a file says of itself does not count.
    return any(all(words[word] > (word in mine) for word in said) for said in wanted)
