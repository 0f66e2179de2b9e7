"""The stages in which a skill is disclosed to a model, by the numbers of their requirements: M14 to M17."""

import pytest

from metier.skills.check import check_skill

from .conftest import PNG, Kit, load, read, run

BODY = "Read references/a.md, then run scripts/go.py.\n"
FILES = {"references/a.md": "The rules.\n", "scripts/go.py": "print('ran')\n"}


def test_stages_come_one_by_one(kit: Kit) -> None:
    """M14: name and description first, the body when it is loaded, a resource when read, a script's output when run."""
    kit.put("kit", FILES, text=f"---\nname: kit\ndescription: Does kit.\n---\n{BODY}")
    answers = kit.run(load("kit"), read("kit", "references/a.md"), run("kit", "scripts/go.py"))
    system = kit.asked[0].system
    assert ("- kit: " in system, "Does kit." in system) == (True, True)
    assert not any(text in system for text in (BODY.strip(), "references/a.md", "The rules."))
    assert BODY in answers[0].text
    assert [answer.text for answer in answers[1:]] == ["The rules.\n", "ran\n"]


def test_every_run_advertises(kit: Kit) -> None:
    """M14: the skills stand in the system prompt of each run, as they are then, and its bytes stay from turn to turn."""
    kit.put("first")
    kit.run(load("first"))
    assert kit.asked[0].system == kit.asked[1].system
    kit.put("second")
    kit.run()
    assert "- second: " not in kit.asked[0].system
    assert "- second: " in kit.asked[-1].system


def test_advertising_is_short(kit: Kit) -> None:
    """M14: one more skill costs the prompt its name, its description and 80 characters: about 100 tokens at the usual length."""
    kit.put("a")
    kit.run()
    before = len(kit.asked[-1].system)
    name, text = "b" * 20, "d" * 250
    kit.put(name, text=f"---\nname: {name}\ndescription: {text}\n---\nDo it.\n")
    kit.run()
    assert len(kit.asked[-1].system) - before <= len(name) + len(text) + 90 <= 400


@pytest.mark.parametrize(("words", "found"), [(3_999, []), (4_001, ["body.tokens"])])
def test_long_bodies_load_whole(kit: Kit, words: int, found: list[str]) -> None:
    """M14: a body of 5,000 tokens or more is advised against by `check`, and still loads whole: it is instructions."""
    body = "word " * words + "end"
    folder = kit.put("kit", text=f"---\nname: kit\ndescription: Does kit.\n---\n{body}\n")
    assert [problem.code for problem in check_skill(folder)] == found
    (answer,) = kit.run(load("kit"))
    assert body in answer.text


@pytest.mark.parametrize(
    ("files", "offered"),
    [
        ([], ["load_skill"]),
        (["references/a.md"], ["load_skill", "read_skill_resource"]),
        (["scripts/go.py"], ["load_skill", "run_skill_script"]),
        (["references/a.md", "scripts/go.py"], ["load_skill", "read_skill_resource", "run_skill_script"]),
    ],
)
def test_tools_are_offered_by_need(kit: Kit, files: list[str], offered: list[str]) -> None:
    """M15, M16, M17: loading is always offered, reading where some skill has resources, running where some has scripts."""
    kit.put("bare")
    kit.put("kit", {name: FILES[name] for name in files})
    kit.run()
    assert kit.offered == offered
    # The prompt speaks of no tool that is not there.
    tools = ("load_skill", "read_skill_resource", "run_skill_script")
    assert [tool in kit.asked[0].system for tool in tools] == [tool in offered for tool in tools]


def test_nothing_is_offered_without_skills(kit: Kit) -> None:
    """M15: where there is no skill at all, there is nothing to load."""
    kit.run()
    assert kit.offered == []


def test_loading_lists_what_can_be_asked_for(kit: Kit) -> None:
    """M15: the loaded text ends with the names of resources and scripts, as they are to be asked for."""
    kit.put("kit", FILES)
    (answer,) = kit.run(load("KIT"))
    assert '<resource name="references/a.md"/>' in answer.text
    assert '<script name="scripts/go.py"/>' in answer.text


@pytest.mark.parametrize("vision", [True, False])
def test_pictures_go_to_who_sees(kit: Kit, vision: bool) -> None:
    """M16: a model that sees is shown a picture, another is told what it is; the record holds digest and length."""
    kit.put("kit", {"assets/chart.png": PNG})
    (answer,) = kit.run(read("kit", "assets/chart.png"), vision=vision)
    assert (answer.ok, [picture.data for picture in answer.pictures]) == (True, [PNG] if vision else [])
    assert answer.text.startswith("assets/chart.png is a picture: image/png, 16 bytes, kept as content sha256:")
    assert ("You are not shown it" in answer.text) is not vision
    ends = [one.facts for one in kit.apps[-1].record.entries(kit.receipts[-1].id) if one.kind == "ToolReturned"]
    (facts,) = ends[0]["pictures"]
    assert (facts["length"], facts["media_type"], set(facts)) == (16, "image/png", {"digest", "length", "media_type"})


@pytest.mark.parametrize(("vision", "reason"), [(True, "budget"), (False, "answered")])
def test_pictures_are_paid_for(kit: Kit, vision: bool, reason: str) -> None:
    """M16: before it is sent, a picture counts as the most that any provider takes for one (O58)."""
    kit.put("kit", {"assets/chart.png": PNG})
    kit.run(read("kit", "assets/chart.png"), vision=vision, budget="0.045")
    assert kit.receipts[-1].reason == reason


def test_large_resources_come_in_parts(kit: Kit) -> None:
    """M16: a long resource says how much there is, and gives the rest by lines and by section."""
    text = "# Begin\n" + "".join(f"{n}\n" for n in range(8_000)) + "# End\nlast\n"
    kit.put("kit", {"references/a.md": text})
    whole, lines, section = kit.run(
        read("kit", "references/a.md"),
        read("kit", "references/a.md", lines="2-3"),
        read("kit", "references/a.md", section="end"),
    )
    assert "of 8,003; " in whole.text
    assert whole.text.endswith('Or ask by section: "Begin", "End".]')
    assert (lines.text.startswith("0\n1\n["), section.text.startswith("# End\nlast\n[")) == (True, True)
