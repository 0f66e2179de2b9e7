"""Can a skill take the name of another one?"""

import shutil
from pathlib import Path
from typing import Any

from ..case import Case, Happened
from ..reading import discovered, loaded, names, outcome_of, told, validated

EXPECTED = {
    "told": ["warning name.directory lark-pro/SKILL.md:2", "warning name.clash lark-pro"],
    "check": ["error name.directory lark-pro/SKILL.md:2"],
    "alone": (["lark"], ["warning name.directory lark-pro/SKILL.md:2"], "the impostor"),
}


def happens(case: Case, folder: Path) -> Happened:
    """Discover both, load by the name; then the borrower alone."""
    root = case.laid_out(folder) / "in"
    found = discovered(root)
    values = {"skills": names(found), "body": _body(root)}
    facts: dict[str, Any] = {"told": told(found.problems, root), "check": validated(root / "lark-pro")}
    shutil.rmtree(root / "lark")
    alone = discovered(root)
    facts["alone"] = names(alone), told(alone.problems, root), _body(root)
    return Happened(outcome_of(found.problems), values, facts)


def _body(root: Path) -> str:
    """The one line of the body that a load answers."""
    return loaded(root, "lark").split("---\n", 2)[2].split("<")[0].strip()
