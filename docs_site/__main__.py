"""How is the site built?

    python -m docs_site [FOLDER]

lays the pages out in FOLDER/pages, `build` if none is named, and builds them into FOLDER/site. It fails on any warning.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .command_help import command_help
from .python_reference import python_reference

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = "mkdocs.yml"
GENERATED = {"command-help.md": command_help, "python.md": python_reference}
"""The pages that are made, and what makes each of them."""

CODE_IN_TABLE = re.compile(r"^\|.*`.*$", re.MULTILINE)

SHIM = "https://unpkg.com/iframe-worker/shim"
"""What the builder's pages would fetch from another host, to search where they are read from the disk."""
OWN_SHIM = "worker_from_disk.js"
"""What they load in its place."""
HOME = re.compile(r'href="[./]*"(?=[^>]* class="md-\w+__button md-logo")')
"""The link to the first page."""
ELSEWHERE = re.compile(r"(?<=[\"'`])https?://(?!www\.w3\.org/)")
"""How an address begins in the builder's scripts; those of w3.org are names, and nothing is fetched from them."""
NOWHERE = "./not-fetched/"


def lay_out(folder: Path) -> None:
    """Put all pages and the site's settings into a folder, in the place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / SETTINGS, folder)
    for page in (folder / "docs").rglob("*.md"):
        page.write_text(CODE_IN_TABLE.sub(_with_bars, page.read_text(encoding="utf-8")), encoding="utf-8")
    for name, made in GENERATED.items():
        (folder / "docs" / name).write_text(made(), encoding="utf-8")


def _with_bars(row: re.Match[str]) -> str:
    """A row of a table as the builder reads it: it would show the backslash that other readers need before a bar in code."""
    return re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row[0])


def build(folder: Path) -> int:
    """Build the site, and answer the builder's exit code: any warning makes it fail."""
    pages, site = folder / "pages", folder / "site"
    lay_out(pages)
    # Zensical keeps its cache beside its settings; laid out elsewhere, nothing of it is left in the tree.
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "--config-file", SETTINGS]
    # Warnings of the builder's own code are no faults of the pages.
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    code = subprocess.run(command, cwd=pages, env=environment, check=False).returncode
    if code == 0:
        shutil.rmtree(site, ignore_errors=True)
        shutil.move(pages / "site", site)
        keep_at_home(site)
    return code


def keep_at_home(site: Path) -> None:
    """Let no page and no script ask another host for anything, and all links work from the disk.

    The builder's scripts fetch what few pages need, such as diagrams, from other hosts. Ours need none of it.
    """
    shutil.copy(Path(__file__).with_name(OWN_SHIM), site / "assets")
    for page in site.rglob("*.html"):
        up = "../" * (len(page.relative_to(site).parts) - 1)
        text = page.read_text(encoding="utf-8").replace(SHIM, f"{up}assets/{OWN_SHIM}")
        # From the disk, a link to a folder shows the folder.
        page.write_text(HOME.sub(f'href="{up}index.html"', text), encoding="utf-8")
    for script in (site / "assets").rglob("*.js"):
        script.write_text(ELSEWHERE.sub(NOWHERE, script.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build")))
