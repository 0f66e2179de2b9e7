"""What is each problem about, in a few words, and what mends it? A test holds this equal to docs/problems.md."""

from collections.abc import Mapping
from typing import NamedTuple


class Told(NamedTuple):
    """What a report tells of a code."""

    wrong: str
    cure: str


TOLD: Mapping[str, Told] = {
    "body.empty": Told("nothing stands below the frontmatter", "write what to do, step by step"),
    "body.lines": Told("the body has 500 lines or more", "move what is not always needed into `references/`"),
    "body.tokens": Told(
        "the body has about 5,000 tokens or more, at four characters each",
        "move what is not always needed into `references/`",
    ),
    "compatibility.length": Told(
        "`compatibility` is empty, or has more than 500 characters", "shorten it, or remove it"
    ),
    "declared.budget": Told("the budget in `skill.toml` is no amount in dollars", 'write it as text, such as `"0.50"`'),
    "declared.check": Told(
        "the check is no script of this skill", "name a script by its listed name, such as `scripts/check.py`"
    ),
    "declared.key": Told(
        "`skill.toml` has a key that is unknown or of the wrong kind",
        "correct or remove it; the problem names the keys that there are",
    ),
    "declared.schema": Told(
        "a schema file is missing, is no JSON, or is no JSON Schema", 'mend the file, or write `"text"`'
    ),
    "declared.stop": Told("a limit under `[job.stop]` cannot be read", "use whole numbers of at least 1"),
    "declared.toml": Told("`skill.toml` cannot be read, or is no TOML", "mend the line that it names"),
    "description.length": Told("the description has more than 1,024 characters", "shorten it"),
    "description.markup": Told(
        "the description holds a tag, which clients may take for markup of their own", "write it without angle brackets"
    ),
    "description.missing": Told(
        "there is no description; the first paragraph stands for it, or there is none either and the skill is left out",
        "write what the skill does and when to use it",
    ),
    "encoding.bom": Told("a mark of byte order stands before the text", "save the file as UTF-8 without it"),
    "encoding.not_utf8": Told("the file is not UTF-8", "save it as UTF-8"),
    "file.kind": Told("the file is no regular file", "replace it by one"),
    "file.size": Told("the file is larger than any that is read", "move what is long into `references/`"),
    "file.unreadable": Told("the file cannot be read", "mend its permissions"),
    "folder.unreadable": Told("there is no such folder", "mend the path"),
    "frontmatter.duplicate": Told("a key stands there twice", "remove one of them"),
    "frontmatter.flow": Told(
        "a list or a map stands on one line, which the reference library does not read",
        "write one item a line below the key",
    ),
    "frontmatter.missing": Told(
        "there is no frontmatter; the folder's name and the first paragraph stand for it",
        "begin with `---`, name, description, `---`",
    ),
    "frontmatter.open": Told("the frontmatter begins and never ends", "end it with a line `---`"),
    "frontmatter.plain": Told("other readers take the value for a number, a date or a truth value", "quote it"),
    "frontmatter.spelling": Told(
        "a field is spelt otherwise than in the specification, and is not read", "spell it as the problem says"
    ),
    "frontmatter.start": Told("the frontmatter does not begin on the first line", "remove the blank lines before it"),
    "frontmatter.type": Told("a value must be text; it is kept as JSON", "quote it"),
    "frontmatter.unknown": Told("the specification knows no such field", "put it under `metadata`"),
    "frontmatter.yaml": Told(
        "a line is no YAML and cannot be repaired; the skill is left out", "indent the line, or quote the whole value"
    ),
    "license.missing": Told("the licence names a file that is not there", "add the file, or name the licence"),
    "link.chain": Told("a reference leads on to a page that `SKILL.md` does not name", "name it in `SKILL.md` too"),
    "link.cycle": Told("a link leads back to a folder that it lies in, and was not followed", "remove the link"),
    "link.missing": Told("a link leads to a file that is not there", "correct it; the problem names what is near"),
    "link.outside": Told("a link leads out of the skill's folder", "copy the file into the skill"),
    "metadata.form": Told("`metadata` is no map from texts to texts", "write `key: value` lines below it"),
    "name.case": Told("the file is called `skill.md` or the like", "call it `SKILL.md`"),
    "name.directory": Told("the skill calls itself otherwise than its folder is called", "rename one of them"),
    "name.form": Told("the name is not made of lower-case letters, digits and single hyphens", "rename it"),
    "name.length": Told("the name has more than 64 characters", "shorten it"),
    "name.missing": Told("there is no usable name; the folder's name stands for it", "write `name:`"),
    "name.reserved": Told(
        "a word in the name is one that a hosted service keeps for itself", "choose a name without it"
    ),
    "name.unicode": Told(
        "the name has letters beyond a-z, which not every client takes", "use a-z, 0-9 and hyphens to be safe"
    ),
    "path.missing": Told(
        "a path in code names a file that the skill does not have", "correct it; the problem names what is near"
    ),
    "resource.deep": Told("a folder lies deeper than folders are entered", "move it up"),
    "resource.link": Told("a link is not followed", "copy the file"),
    "resource.many": Told("the skill has more files than are listed", "take away what the skill does not need"),
    "resource.name": Told("a file's name is not plain text and cannot be asked for", "rename it"),
    "resource.unmentioned": Told("no text of the skill names the file", "say when to use it, or remove it"),
    "resource.unreadable": Told("a folder of the skill cannot be read", "mend its permissions"),
    "script.input": Told("a script asks, and nobody is there to answer", "take it as an argument"),
    "script.interpreter": Told(
        "nothing says which program runs the script", "begin it with a `#!` line, or give it a known extension"
    ),
    "script.syntax": Told("a Python script cannot be parsed", "mend the line"),
    "skill.missing": Told("the folder has no `SKILL.md`", "write one"),
    "source.link": Told(
        "the skill, or its `SKILL.md`, was reached by a link; the note says where it lies",
        "nothing, if you made the link",
    ),
    "source.many": Told(
        "the search for skills ended after so many folders without one", "name a root that is nearer to the skills"
    ),
    "source.unreadable": Told("a folder in which skills are looked for cannot be read", "mend its permissions"),
    "text.bidi": Told("characters turn the direction of writing", "remove them"),
    "text.comment": Told(
        "a comment holds text that no reader of the page sees", "remove it, or write it where it is seen"
    ),
    "text.hidden": Told(
        "characters that nobody sees stand in the text; what they say is shown", "remove them, or write the text out"
    ),
    "tools.form": Told("`allowed-tools` is not names with spaces between them", "write them as the problem says"),
}
