"""Does the site of the docs build without a warning, hold what it should, and fetch nothing from other hosts?"""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from .source import DOCS, ROOT, environment

FETCHED = {"src", "srcset", "data", "poster", "background", "action", "formaction"}
"""Attributes whose address a browser fetches, or sends to, whatever the element."""
FETCHED_LINKS = {"stylesheet", "icon", "preload", "prefetch", "modulepreload", "preconnect", "dns-prefetch", "manifest"}
ELSEWHERE = re.compile(r"^\s*(https?:)?//", re.IGNORECASE)
IN_CSS = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])((?:https?:)?//[^"')\s]*)""", re.IGNORECASE)
IN_SCRIPT = re.compile(r"""["'`]((?:https?:)?//(?!www\.w3\.org/)[\w$][^"'`\s]*)""")
"""An address in a script. Those of w3.org are names."""


class Page(HTMLParser):
    """What a page would fetch from other hosts, and where its own links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = IN_CSS.findall(text)
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        fetched = set(FETCHED)
        if tag == "link" and FETCHED_LINKS & set(named.get("rel", "").split()):
            fetched.add("href")
        self.fetched += [named[name] for name in fetched & set(named) if ELSEWHERE.match(named[name])]
        if tag == "a" and not re.match(r"\w+:|//|#|$", named.get("href", "")):
            self.links.append(named["href"].partition("#")[0].partition("?")[0])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make site` builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "docs_site", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def test_every_page_is_in_the_site(site: Path) -> None:
    """Each page of docs/ is built, with those made from the program, and each is in the navigation."""
    written = {page.relative_to(DOCS).with_suffix(".html") for page in DOCS.rglob("*.md")}
    built = {page.relative_to(site) for page in site.rglob("*.html")}
    assert built == written | {Path("404.html"), Path("command-help.html"), Path("python.html")}
    listed = set(re.findall(r"^ +- ([\w/-]+)\.md$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert {page.with_suffix("").as_posix() for page in built} - {"404"} == listed


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    """No page, style sheet or script of the site makes a browser ask another host."""
    pages = {path: Page(path.read_text(encoding="utf-8")).fetched for path in site.rglob("*.html")}
    sheets = {path: IN_CSS.findall(path.read_text(encoding="utf-8")) for path in site.rglob("*.css")}
    # search.js beside them is the index: the words of the pages.
    scripts = {path: IN_SCRIPT.findall(path.read_text(encoding="utf-8")) for path in (site / "assets").rglob("*.js")}
    assert len(sheets) > 1
    assert len(scripts) > 1
    found = pages | sheets | scripts
    assert {str(path.relative_to(site)): fetched for path, fetched in found.items() if fetched} == {}


def test_links_inside_lead_somewhere(site: Path) -> None:
    """Every link from page to page leads to a file of the site, and so works from the disk."""
    broken = [
        f"{path.relative_to(site)}: {link}"
        for path in site.rglob("*.html")
        if path.name != "404.html"
        for link in Page(path.read_text(encoding="utf-8")).links
        if not (path.parent / link).is_file()
    ]
    assert broken == []


def test_search_works_from_the_disk(site: Path) -> None:
    """The search's index is a script of the site, and each page loads our own stand-in for a worker."""
    assert "var __index" in (site / "search.js").read_text(encoding="utf-8")[:20]
    for page in ("index.html", "decisions/0001-the-house.html"):
        (source,) = re.findall(r'src="([^"]*worker_from_disk\.js)"', (site / page).read_text(encoding="utf-8"))
        assert ((site / page).parent / source).is_file()


def test_made_pages_hold_the_program(site: Path) -> None:
    """The page on Python names what can be imported, the other what every command says; a bar in code is shown as one."""
    python = (site / "python.html").read_text(encoding="utf-8")
    assert all(
        f'id="{name}"' in python for name in ("metier.Metier", "metier.testing.Says", "metier.errors.SkillMissing")
    )
    assert "<code>--input JSON|FILE|TEXT</code>" in (site / "commands.html").read_text(encoding="utf-8")
    assert "Usage: metier run [OPTIONS]" in (site / "command-help.html").read_text(encoding="utf-8")


def test_the_choice_of_a_workflow_is_advised(site: Path) -> None:
    """A page says when a skill serves and when a workflow: sure steps, no repeats, resuming (M74)."""
    page = (site / "skill-or-workflow.html").read_text(encoding="utf-8")
    assert all(
        words in page for words in ("must be sure", "must not repeat", "must resume", "depends on what is found")
    )


def test_fetches_are_found() -> None:
    """Planted fetches are found in pages, style sheets and scripts; a plain link is none."""
    page = (
        '<a href="https://a.b"></a><script src="https://c.d/x.js"></script><link rel="stylesheet" href="//e.f/x.css">'
    )
    assert Page(f"{page}<style>@import 'https://g.h'</style>").fetched == [
        "https://g.h",
        "https://c.d/x.js",
        "//e.f/x.css",
    ]
    assert IN_CSS.findall("a{src:url(https://a.b/f.woff)} b{src:url(data:x//y)}") == ["https://a.b/f.woff"]
    assert IN_SCRIPT.findall('f("https://a.b/x.js");g("http://www.w3.org/2000/svg")') == ["https://a.b/x.js"]
