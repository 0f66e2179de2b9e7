"""An app with stored rows: people, roles, and what an agent's calls do to the app's tables."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.orm import Session
from workshop import Base, Estimate, EstimateRepair, Estimator, Person, Repair, RoleGrant, ShopRole, workshop

from metier import Agents, AgentSeat, Metier, Skill
from metier.domain.entry import Entry
from metier.domain.proposal import Reply
from metier.errors import NotAllowed, SetupError
from metier.rows import any_, count, single
from metier.testing import AgentScript, Says, ScriptedAnswer, Trajectory

BACK = Says.hand_back(Estimate(hours=Decimal(1)))


class Shop:
    """The workshop, with the persons as a closed session left them."""

    def __init__(self, folder: Path) -> None:
        self.engine = create_engine(f"sqlite:///{folder / 'shop.db'}")
        Base.metadata.create_all(self.engine)
        self.mia = Person(email="mia@x", display_name="Mia")
        self.noor = Person(email="noor@x", display_name="Noor")
        with Session(self.engine) as rows:
            rows.add_all([RoleGrant(member=self.mia, role=ShopRole.MECHANIC)])
            rows.add_all([RoleGrant(member=self.noor, role=ShopRole.MANAGER), Repair(ticket="T-7", fault="brake")])
            rows.commit()
        self.app: Metier = workshop(self.engine, project=folder, record=folder / "r.db")

    def estimate(self, *steps: Says) -> list[Entry]:
        """The entries of one estimate by these steps."""
        with ScriptedAnswer.stub(AgentScript.of(*steps).answer), self.app.as_(self.mia):
            return Trajectory.entries(Agents.of(Estimator).do(EstimateRepair(), single(Repair, ticket="T-7")))


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """The open shop, with Noor answering for the agent."""
    made = Shop(tmp_path)
    with made.app as app:
        app.seat(AgentSeat(Estimator, sponsor=made.noor))
        yield made
    made.engine.dispose()


def outcomes(entries: list[Entry]) -> list[tuple[str, str]]:
    """How the calls came out, with their codes."""
    return [(one.facts["outcome"], one.facts["code"]) for one in entries if one.kind == "ToolReturned"]


def test_agents_account_is_made_once(shop: Shop) -> None:
    """It is a row of the app's people, with the roles of its class and no others (O66, O129)."""
    with Session(shop.engine) as rows, rows.begin():
        estimator = rows.query(Person).filter_by(display_name="Estimator").one()
        rows.add(RoleGrant(member=estimator, role=ShopRole.MANAGER))
    shop.app.close()
    with workshop(shop.engine, record=False):
        assert count(Person, display_name="Estimator") == 1
        account = single(Person, display_name="Estimator")
        assert any_(RoleGrant, member=account, role=ShopRole.HELPER)
        assert not any_(RoleGrant, member=account, role=ShopRole.MANAGER)


def test_row_is_named_by_its_id(shop: Shop) -> None:
    """The call changes it, and its change stands (O43, O49, O127)."""
    entries = shop.estimate(Says.tool("note_repair", {"repair": "1", "note": "new pads"}), BACK)
    assert outcomes(entries)[0] == ("done", "")
    assert single(Repair, ticket="T-7").note == "new pads"


@pytest.mark.parametrize("row_id", ["9", "x", ""])
def test_id_of_no_row_is_told(shop: Shop, row_id: str) -> None:
    """The model learns that there is none, and the work goes on (O44)."""
    entries = shop.estimate(Says.tool("note_repair", {"repair": row_id, "note": "n"}), BACK)
    assert outcomes(entries)[0] == ("failed", "row.missing")
    assert entries[-1].kind == "Done"


def test_model_is_shown_the_row_by_the_brief(shop: Shop) -> None:
    """The input on the record is its id; what the model sees is the job's to say (O2, O7)."""
    entries = shop.estimate(BACK)
    assert entries[0].body is not None
    assert entries[0].body["input"] == {"id": "1"}
    assert entries[1].body is not None
    assert "Ticket T-7: brake. Its id is 1." in entries[1].body["task"]


@pytest.mark.parametrize(
    "ask",
    [
        lambda shop: shop.app.as_("nobody@x"),
        lambda shop: shop.app.as_("estimator@workshop.example"),
    ],
)
def test_whoever_has_no_role_gives_no_work(shop: Shop, ask: Callable[[Shop], Any]) -> None:
    """Strangers do not, and the agent's own account does not (O70, O71)."""
    with ask(shop), pytest.raises(NotAllowed):
        Agents.of(Estimator).do(EstimateRepair(), single(Repair, ticket="T-7"))


def test_person_is_known_by_the_address(shop: Shop) -> None:
    """A text that is the e-mail of a row is that person."""
    with ScriptedAnswer.stub(AgentScript.of(BACK).answer), shop.app.as_("mia@x"):
        assert Agents.of(Estimator).do(EstimateRepair(), single(Repair, ticket="T-7")).done


def test_row_that_is_not_stored_is_nobody(shop: Shop) -> None:
    """It has to be committed first."""
    with pytest.raises(SetupError, match="is not stored"):
        shop.app.as_(Person(email="new@x", display_name="New"))


def test_work_for_another_person_by_row(shop: Shop) -> None:
    """The one that a session left behind will do (O75)."""
    repair = single(Repair, ticket="T-7")
    with ScriptedAnswer.stub(AgentScript.of(BACK).answer), shop.app.as_(shop.noor):
        outcome = Agents.of(Estimator).for_(shop.mia).do(EstimateRepair(), repair)
    assert (outcome.receipt.giver, outcome.receipt.on_behalf_of) == ("noor@x", "mia@x")


def test_another_process_goes_on_for_the_same_person(shop: Shop) -> None:
    """It finds the agent, the job, the row and the person by what the record says."""
    bad = Says.hand_back(Estimate(hours=Decimal(0)))
    entries = shop.estimate(bad, bad, bad)
    assert entries[-1].kind == "Paused"
    shop.app.close()
    with workshop(shop.engine, record=Path(shop.app.settings.project) / "r.db") as other:
        with other.as_(shop.mia):
            proposal = other.proposals()[0].proposal.id
            other.answer(proposal, Reply("yes", "", "an hour"))
        with ScriptedAnswer.stub(AgentScript.of(bad, bad, bad, BACK).answer):
            assert other.resume(entries[0].task).done


class Newest(Skill[str, Repair]):
    """Find a repair."""

    def check(self, result: Repair) -> str | None:
        """It is the one that was asked for."""
        return None if result.ticket == "T-7" else f"{result.ticket} is another one"


def test_row_is_handed_back_by_its_id(shop: Shop) -> None:
    """The check gets the row, and so does whoever asked; an id of no row is sent back (O2, O24)."""
    script = AgentScript.of(Says.hand_back({"id": "9"}), Says.hand_back({"id": "1"}))
    with ScriptedAnswer.stub(script.answer):
        outcome = shop.app.do(Newest(), "the brake")
    assert outcome.result is not None
    assert outcome.result.ticket == "T-7"
    assert Trajectory.kinds(outcome).count("SentBack") == 1
