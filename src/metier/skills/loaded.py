"""What does a model see of a skill that it loads?

The whole `SKILL.md`, then the names of what can be read and run (portable API, section 2.3). Nothing else of the folder
is read before it is asked for.
"""

import html
from collections.abc import Sequence

from ..domain.skill import SkillFile, SkillSpec
from .reader import load_body


def loaded_text(skill: SkillSpec) -> str:
    """The answer to `load_skill`."""
    guide = skill.guide
    resources = guide.resources if guide else ()
    scripts = guide.scripts if guide else ()
    parts = [load_body(skill).rstrip(), _block("resource", resources), _block("script", scripts)]
    return "\n\n".join(parts)


def _block(kind: str, files: Sequence[SkillFile]) -> str:
    tag = f"available_{kind}s"
    if not files:
        return f"<{tag} />"
    lines = [f"  <{kind}{_attributes(file)}/>" for file in files]
    return "\n".join([f"<{tag}>", *lines, f"</{tag}>"])


def _attributes(file: SkillFile) -> str:
    told = f' description="{html.escape(file.description)}"' if file.description else ""
    return f' name="{html.escape(file.name)}"{told}'
