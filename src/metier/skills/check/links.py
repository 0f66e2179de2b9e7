"""Do the links and paths in a skill's texts lead to files of the skill?

Specification, section 1.1: references are relative to the skill's folder, and one level deep. A link that is written
relative to the file it stands in is followed too.
"""

import os
import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from ...domain.near import near
from ...domain.problem import Problem
from .document import Document, is_markdown
from .markdown import Target, code_paths, links, prose

_OUTSIDE = ".."
_COMPARED = 500
"""Names that a missing one is compared with."""
_MOST = 100
"""Dead links of one page that are told."""
_FOR_PEOPLE = re.compile(r"(?:readme|changelog|contributing)\b", re.IGNORECASE)
"""Pages that speak of the skill to people, and are not part of what a model follows."""


class _Text(NamedTuple):
    """A text in which links are followed."""

    file: str
    text: str
    line: int
    """The line of its file on which it begins."""
    bases: tuple[str, ...]
    """The folders that its links may be relative to, within the skill."""


def link_problems(document: Document) -> Iterator[Problem]:
    """Warnings on links and paths that lead nowhere or out of the folder, notes on references of references."""
    names = [file.name for file in document.files]
    for text in _followed(document):
        told: set[str] = set()
        targets = [(target, True) for target in links(prose(text.text))]
        targets += [(target, False) for target in code_paths(text.text)]
        for target, is_link in targets:
            problem = (
                None
                if target.name in told or len(told) == _MOST
                else _judged(document, text, target, names, is_link=is_link)
            )
            if problem is not None:
                told.add(target.name)
                yield problem
    yield from _chains(document)


def nested(document: Document) -> tuple[str, ...]:
    """The folders inside a skill that are skills of their own, each with a slash at its end."""
    inner = (file.name for file in document.files if file.name.lower().endswith("/skill.md"))
    return tuple(f"{posixpath.dirname(name)}/" for name in inner)


def _followed(document: Document) -> Iterator[_Text]:
    """The body, the references, and the pages that the body names; a template's links are not the skill's."""
    body = document.parts.body
    yield _Text(document.file, body, document.body_line, ("",))
    inner = nested(document)
    for name, text in document.texts.items():
        counts = name.startswith("references/") or (name in body and not _FOR_PEOPLE.match(name))
        if is_markdown(name) and counts and not name.startswith(inner):
            yield _Text(document.named(name), text, 1, ("", posixpath.dirname(name)))


def _judged(document: Document, text: _Text, target: Target, names: list[str], *, is_link: bool) -> Problem | None:
    places = [_resolved(base, target.name) for base in text.bases]
    inside = [place for place in places if place != _OUTSIDE]
    line = text.line + target.at
    if not inside:
        cause = f"{target.name!r} leads out of the skill's folder"
        cure = "copy the file into the skill, and name it from there"
        return Problem("link.outside", text.file, cause, line, cure, "warning")
    if any(os.path.lexists(f"{document.folder}/{place}") for place in inside):
        return None
    cure = _cure(inside[0], names)
    if is_link:
        return Problem("link.missing", text.file, f"there is no file {target.name!r}", line, cure, "warning")
    return Problem("path.missing", text.file, f"the skill has no file {target.name!r}", line, cure, "warning")


def _resolved(base: str, name: str) -> str:
    """The name within the skill that a path means."""
    if name.startswith("/"):
        return _OUTSIDE
    place = posixpath.normpath(posixpath.join(base, name))
    return _OUTSIDE if place == _OUTSIDE or place.startswith("../") else place


def _cure(name: str, names: list[str]) -> str:
    last = posixpath.basename(name).casefold()
    same = [one for one in names if posixpath.basename(one).casefold() == last]
    close = dict.fromkeys((*same, *near(name, names[:_COMPARED])))
    return f"there is {', '.join(list(close)[:3])}" if close else "add the file, or take the name away"


def _chains(document: Document) -> Iterator[Problem]:
    """References that only a reference names: a model that reads the skill's file does not learn of them."""
    for text in _followed(document):
        if text.file == document.file:
            continue
        for target in links(prose(text.text)):
            found = _page(document, text, target)
            if found and posixpath.basename(found) not in document.parts.body and document.named(found) != text.file:
                cause = f"this page leads on to {found!r}, which {document.stored} does not name"
                cure = f"name it in {document.stored} too: references should be one level deep"
                yield Problem("link.chain", text.file, cause, text.line + target.at, cure, "note")


def _page(document: Document, text: _Text, target: Target) -> str:
    """The page of the skill that a link of a page leads to; empty where it leads to none."""
    places = (_resolved(base, target.name) for base in reversed(text.bases))
    return next((place for place in places if place in document.texts and is_markdown(place)), "")
