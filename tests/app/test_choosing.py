"""Which model answers, and whose yes it takes to load its code."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from metier.app.choosing import CodeModel, choose, load, load_action, priced
from metier.config import Settings, load_settings
from metier.domain.money import FREE, LlmPrice
from metier.domain.proposal import Proposal, Reply
from metier.domain.receipt import Receipt
from metier.domain.skill import Job, SkillSpec
from metier.errors import ModelMissing, SetupError
from metier.testing import Says, ScriptedPerson

from .conftest import House, script

CODE = """\
from metier.testing import AgentScript, Says, ScriptedModel
model = ScriptedModel("coded", AgentScript.of(Says.text("so")).answer)
"""
TOML = '[model]\nname = "python:models.py:model"\nprice = { input = 1, output = 2 }\n'
WORDS = SkillSpec("words", "Say so.", job=Job())
Coded = Callable[..., Path]


@pytest.fixture
def coded(tmp_path: Path) -> Coded:
    """Writes a file of code that makes a model."""

    def written(text: str = CODE, name: str = "models.py") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


class Asked:
    """A person who says yes and keeps what they were asked."""

    def __init__(self, answer: bool = True) -> None:
        self.proposals: list[Proposal] = []
        self.answer_is = answer

    async def answer(self, proposal: Proposal) -> Reply:
        self.proposals.append(proposal)
        return Reply("yes" if self.answer_is else "no", "Ada", covers="subject")


def from_toml(house: House, person: Asked | None, text: str = TOML, **how: object) -> Receipt:
    """One task with the model that the project's `metier.toml` names."""
    (house.project / "metier.toml").write_text(text, encoding="utf-8")
    settings = load_settings(str(house.project), environment={})
    return house.run(skill=WORDS, settings=settings, approver=person, **how)


def test_no_model_tells_what_serves(tmp_path: Path) -> None:
    """Without a model the error says which settings would serve, `me` among them."""
    with pytest.raises(ModelMissing) as caught:
        choose(Settings(project=str(tmp_path)), None)
    assert all(word in caught.value.hint for word in ("--model me", "python:FILE:NAME", "METIER_MODEL", "metier.toml"))


def test_me_needs_a_terminal(tmp_path: Path) -> None:
    """The model `me` is a person: it needs one, costs nothing and is no script."""
    settings = Settings(project=str(tmp_path), model="me")
    with pytest.raises(SetupError, match="needs a terminal"):
        choose(settings, None)
    model = choose(settings, ScriptedPerson([]))
    assert not isinstance(model, CodeModel)
    assert (model.name, model.price, model.scripted) == ("me", FREE, False)


def test_person_can_do_a_job(house: House) -> None:
    """A person who plays the model does a job like any model, and costs nothing."""
    person = ScriptedPerson(["It is done."])
    receipt = house.run(skill=WORDS, settings=Settings(project=str(house.project), model="me"), person=person)
    assert (receipt.state, receipt.result, receipt.scripted, receipt.cost) == ("Done", "It is done.", False, Decimal(0))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gpt", "There is no model 'gpt' here"),
        ("nobody:x", "There is no model 'nobody:x' here"),
        ("python:", "names no model"),
        ("python:models.py", "names no model"),
        ("python:models.py:", "names no model"),
        ("python:models.py:a b", "names no model"),
        ("python:none.py:model", "There is no file"),
    ],
)
def test_wrong_names_are_told(tmp_path: Path, coded: Coded, name: str, said: str) -> None:
    """A name that means no model is an error that says so, with a hint."""
    coded()
    with pytest.raises(SetupError, match=said) as caught:
        choose(Settings(project=str(tmp_path), model=name), None)
    assert caught.value.hint


def test_code_is_asked_for_once(house: House, coded: Coded) -> None:
    """Code that the project's file names is asked for like a script, and the yes is kept over tasks and apps."""
    file = coded()
    first = Asked()
    receipt = from_toml(house, first)
    (proposal,) = first.proposals
    assert (receipt.state, proposal.effects, proposal.action) == ("Done", ("runs",), "code models.py")
    assert "metier.toml names" in proposal.words
    assert proposal.confinement
    later = Asked()
    assert (from_toml(house, later).state, later.proposals) == ("Done", [])
    file.write_text(CODE + "# changed\n", encoding="utf-8")
    assert from_toml(house, later).state == "Done"
    assert len(later.proposals) == 1


def test_no_to_the_code_ends_refused(house: House, coded: Coded, tmp_path: Path) -> None:
    """A no, or nobody to ask, ends the task before any code is loaded; the no is not kept."""
    coded(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n" + CODE)
    declined = from_toml(house, Asked(answer=False))
    nobody = from_toml(house, None)
    assert [(one.state, one.reason) for one in (declined, nobody)] == [
        ("Refused", "declined"),
        ("Refused", "nobody_to_ask"),
    ]
    assert not (tmp_path / "ran").exists()


def test_changed_code_is_not_loaded(house: House, coded: Coded, tmp_path: Path) -> None:
    """Code that changed between the yes and its loading is not loaded, and no yes is kept for it (O83)."""
    file = coded()

    class Changes(Asked):
        async def answer(self, proposal: Proposal) -> Reply:
            file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n" + CODE, encoding="utf-8")
            return await super().answer(proposal)

    receipt = from_toml(house, Changes())
    assert (receipt.state, receipt.reason, (tmp_path / "ran").exists()) == ("Refused", "changed", False)
    again = Asked()
    from_toml(house, again)
    assert len(again.proposals) == 1


def test_caller_s_own_name_is_not_asked(house: House, coded: Coded) -> None:
    """Code that the caller names, or a variable, is loaded unasked: naming it is the yes."""
    coded()
    settings = Settings(project=str(house.project), giver="Ada")
    assert house.run(skill=WORDS, model="python:models.py:model", settings=settings).state == "Done"
    variable = load_settings(str(house.project), environment={"METIER_MODEL": "python:models.py:model"})
    assert house.run(skill=WORDS, settings=variable).state == "Done"


def test_caller_s_name_beats_the_file(house: House, coded: Coded) -> None:
    """Where the file names a model and the caller another, the caller's is loaded unasked and without the file's price."""
    coded()
    coded(CODE.replace("coded", "own"), "own.py")
    receipt = from_toml(house, None, model="python:own.py:model")
    assert (receipt.state, receipt.model, receipt.cost) == ("Done", "own", Decimal(0))


def test_caller_s_model_keeps_its_price(house: House) -> None:
    """A model that the caller made is not given the price that the file sets for its own."""
    receipt = from_toml(house, None, model=script(Says.text("so")))
    assert (receipt.state, receipt.cost) == ("Done", Decimal(0))


def test_price_beside_the_name_counts(house: House, coded: Coded) -> None:
    """The price beside a model's name in the file is the one that is reckoned with (O60)."""
    coded()
    receipt = from_toml(house, Asked())
    assert (receipt.cost, receipt.model, receipt.scripted) == (Decimal("0.000003"), "coded", True)


def test_price_of_another_model_does_not(tmp_path: Path) -> None:
    """A price that was set in another place than the name is another model's."""
    price, model = LlmPrice(Decimal(1), Decimal(1)), script(Says.text("so"))
    settings = Settings(
        project=str(tmp_path), price=price, origins={"model": "METIER_MODEL", "price": "/p/metier.toml"}
    )
    assert priced(model, settings) is model
    assert priced(model, Settings(project=str(tmp_path))) is model
    set_together = Settings(
        project=str(tmp_path), price=price, origins={"model": "/p/metier.toml", "price": "/p/metier.toml"}
    )
    given = priced(model, set_together)
    assert (given.price, given.name, given.scripted) == (price, "test", True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("raise ValueError('no key')\n", "failed: ValueError: no key"),
        ("model = (\n", "failed: SyntaxError"),
        ("other = 1\n", "holds no model 'model'"),
        ("model = 1\n", "holds no model 'model'"),
    ],
)
def test_code_that_makes_no_model_is_told(coded: Coded, text: str, said: str) -> None:
    """Code that fails, or makes something else, is an error that names the file."""
    path = coded(text)
    with pytest.raises(SetupError, match=said) as caught:
        load(CodeModel(str(path), "model", "models.py", from_project=True))
    assert str(path) in caught.value.message


def test_code_that_fails_ends_the_task(house: House, coded: Coded) -> None:
    """A task whose model's code fails ends as a fault, and no yes is kept for code that did not load."""
    coded("raise ValueError('no key')\n")
    person = Asked()
    receipts = [from_toml(house, person) for _ in range(2)]
    assert [(one.state, one.reason) for one in receipts] == [("Failed", "fault")] * 2
    assert len(person.proposals) == 2


def test_loading_is_a_call_like_any_other(coded: Coded) -> None:
    """The code is loaded by an action that runs code, bound to the file as it stands."""
    path = coded()
    code = CodeModel(str(path), "model", "models.py", from_project=True)
    made = load_action(code, [])
    assert (made.effects, made.subject) == (frozenset({"runs"}), code.subject)
    path.write_text(CODE + "#\n", encoding="utf-8")
    assert code.subject != made.subject
