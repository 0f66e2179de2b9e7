"""What does a model see of a skill that it loads?

The whole `SKILL.md`, then the names of what can be read and run (portable API, section 2.3). Nothing else of the folder
is read before it is asked for.
"""

import html
from collections.abc import Sequence
from functools import lru_cache

from ..domain.skill import Kind, SkillFile, SkillSpec
from .reader import load_body

_KEPT = 4096
"""Lines of files that are kept from task to task."""


def loaded_text(skill: SkillSpec) -> str:
    """The answer to `load_skill`."""
    files = skill.guide.files if skill.guide else ()
    return f"{load_body(skill).rstrip()}\n\n{_block('resource', files)}\n\n{_block('script', files)}"


def _block(kind: Kind, files: Sequence[SkillFile]) -> str:
    tag = f"available_{kind}s"
    lines = [_line(kind, file.name, file.description) for file in files if file.kind == kind]
    return "\n".join([f"<{tag}>", *lines, f"</{tag}>"]) if lines else f"<{tag} />"


@lru_cache(_KEPT)
def _line(kind: Kind, name: str, description: str) -> str:
    told = f' description="{html.escape(description)}"' if description else ""
    return f'  <{kind} name="{html.escape(name)}"{told}/>'
