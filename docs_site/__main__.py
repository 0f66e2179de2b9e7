"""How is the site built?

    python -m docs_site [FOLDER]

lays the pages out in FOLDER/pages, `build` if none is named, and builds them into FOLDER/site. It fails on any warning.
"""

import os
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


def lay_out(folder: Path) -> None:
    """Put all pages and the site's settings into a folder, in the place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / SETTINGS, folder)
    for name, made in GENERATED.items():
        (folder / "docs" / name).write_text(made(), encoding="utf-8")


def build(folder: Path) -> int:
    """Build the site, and answer the builder's exit code: any warning makes it fail."""
    pages, site = folder / "pages", folder / "site"
    lay_out(pages)
    # What it builds on Zensical keeps beside its settings, and so nothing is left in the tree.
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "--config-file", SETTINGS]
    # Warnings of the builder's own code are no faults of the pages.
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    code = subprocess.run(command, cwd=pages, env=environment, check=False).returncode
    if code == 0:
        shutil.rmtree(site, ignore_errors=True)
        shutil.move(pages / "site", site)
    return code


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build")))
