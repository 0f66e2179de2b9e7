"""Do the two shapes of a link come to the same, and who decides?"""

import os
from pathlib import Path

from metier.skills.catalogue import Catalogue

from ..case import Case, Happened
from ..reading import discovered, names, outcome_of, told

EXPECTED = {
    "own": ["dirlink", "filelink", "real"],
    "told": ["note source.link dirlink/SKILL.md", "note source.link filelink/SKILL.md"],
    "leads to": ["in/src/d", "in/src/f/SKILL.md"],
    "folders": ["dirlink", "filelink", "real"],
    "package": ["real"],
    "package told": ["error link.outside dirlink", "error link.outside filelink/SKILL.md"],
    "inside a package": (
        ["dirlink", "filelink"],
        ["note source.link dirlink/SKILL.md", "note source.link filelink/SKILL.md"],
    ),
}


def happens(case: Case, folder: Path) -> Happened:
    """Discover the root as its owner, then as somebody else's; links that stay in a package are no matter."""
    laid = case.laid_out(folder)
    own = discovered(laid / "root")
    package = discovered(laid / "root", trust="package")
    facts = {
        "own": names(own),
        "told": sorted(told(own.problems)),
        "leads to": sorted(one.cause.rpartition(f"{laid}/")[2] for one in own.problems),
        "folders": _folders(own),
        "package": names(package),
        "package told": sorted(told(package.problems, laid / "root")),
        "inside a package": _inside(laid / "package"),
    }
    return Happened(outcome_of(own.problems), facts=facts)


def _folders(found: Catalogue) -> list[str]:
    """The names of the skills' folders below the root."""
    return sorted(Path(skill.guide.folder).name for skill in found.skills if skill.guide)


def _inside(root: Path) -> tuple[list[str], list[str]]:
    """A package with both shapes of a link to files of its own, in a folder that is not searched."""
    for name in ("dirlink", "filelink"):
        hidden = root / ".kept" / name
        hidden.mkdir(parents=True)
        (hidden / "SKILL.md").write_text(f"---\nname: {name}\ndescription: A link.\n---\n", encoding="utf-8")
    (root / "filelink").mkdir()
    os.symlink(".kept/dirlink", root / "dirlink")
    os.symlink("../.kept/filelink/SKILL.md", root / "filelink" / "SKILL.md")
    found = discovered(root, trust="package")
    return _folders(found), sorted(told(found.problems))
