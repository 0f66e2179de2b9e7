"""What a Markdown text points at."""

import pytest

from metier.skills.check.markdown import code_paths, comments, links, prose

FENCED = "a\n```sh\n[x](in.md)\n<!-- in -->\n```\n[y](out.md)\n~~~\n[z](two.md)\n```\n~~~\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[a](x.md) ![b](p/q.png 'title')", ["x.md", "p/q.png"]),
        ("[a](<two words.md>) [b](x%20y.md#part)", ["two words.md", "x y.md"]),
        ("[a](b_(c).md)", ["b_(c).md"]),
        ("[id]: refs/x.md\n[^1]: note.md", ["refs/x.md"]),
        ("<img src='a.png'> <a href=\"b.html\">", ["a.png", "b.html"]),
        ("[a](https://a.b/c.md) [b](mailto:a@b.c) [c](#part) [d](//a.b/c)", []),
        ("[text](url) [a]({base}/x.md) [b](<name>.md) [c](...)", []),
        ("`[a](x.md)` ``[b](y.md)``", []),
        (FENCED, ["out.md"]),
    ],
)
def test_links_of_files_are_found(text: str, names: list[str]) -> None:
    """Links, images, definitions and tags that name files; not other hosts, placeholders or code."""
    assert [target.name for target in links(prose(text))] == names


def test_code_is_blanked_in_place() -> None:
    """Without its code a text has the same lines of the same lengths."""
    text = f"{FENCED}\nuse `x` and ``y ` z`` now\n"
    plain = prose(text)
    assert list(map(len, plain.split("\n"))) == list(map(len, text.split("\n")))
    assert "`" not in plain
    assert [target.at for target in links(plain)] == [5]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("`scripts/run.py`", ["scripts/run.py"]),
        ("run `python ./scripts/a/run.py --x` and `assets/t.md`", ["scripts/a/run.py", "assets/t.md"]),
        ("`references/*.md` `scripts/<name>.py` `references/` `assets/{x}.md`", []),
        ("`src/scripts/run.py` `{base}/scripts/run.py` `other:scripts/run.py`", []),
        ("scripts/run.py in words", []),
        ("```\n`scripts/run.py`\n```", []),
    ],
)
def test_paths_in_code_are_found(text: str, names: list[str]) -> None:
    """Paths of the three folders in code spans; no patterns, no other roots, no blocks."""
    assert [target.name for target in code_paths(text)] == names


def test_comments_say_their_text() -> None:
    """A comment is told on one line with where it begins; an empty one and one in code are passed over."""
    text = "a\n<!-- one\n  two -->\n<!-- -->\n`<!-- code -->`\n<!-- open"
    assert [(one.name, one.at) for one in comments(prose(text))] == [("one two", 1), ("open", 5)]
