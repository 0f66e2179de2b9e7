"""Skills in folders, and whole tasks over them with a scripted model."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from metier.app.metier import Metier
from metier.config import Settings
from metier.domain.message import Answer, Request, ToolMessage
from metier.domain.money import FREE, LlmPrice
from metier.domain.proposal import Proposal
from metier.domain.receipt import Receipt
from metier.domain.skill import Frontmatter
from metier.skills.reader import Reading, read_skill
from metier.testing import AgentScript, Says, ScriptedModel

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)
HEAD = "---\nname: {name}\ndescription: Does {name}.\n---\n"
DOLLAR = LlmPrice(Decimal(1), Decimal(1))
"""A dollar for a million tokens."""
DONE = Says.text("done")


def load(name: str) -> Says:
    """The step that loads a skill."""
    return Says.tool("load_skill", {"skill_name": name})


def read(name: str, resource: str, **part: str) -> Says:
    """The step that reads a resource."""
    return Says.tool("read_skill_resource", {"skill_name": name, "resource_name": resource, **part})


def run(name: str, script: str, args: object = None) -> Says:
    """The step that runs a script."""
    return Says.tool("run_skill_script", {"skill_name": name, "script_name": script, "args": args})


@dataclass
class Kit:
    """A folder of skills, an app over it, and what its model was asked."""

    root: Path
    asked: list[Request] = field(default_factory=list[Request])
    receipts: list[Receipt] = field(default_factory=list[Receipt])
    proposals: list[Proposal] = field(default_factory=list[Proposal])
    refused: frozenset[str] = frozenset()
    apps: list[Metier] = field(default_factory=list[Metier])

    def put(self, name: str, files: Mapping[str, str | bytes] | None = None, *, text: str = "") -> str:
        """Write a skill and answer its folder."""
        whole = {"SKILL.md": text or f"{HEAD.format(name=name)}Do it.\n", **(files or {})}
        for file, content in whole.items():
            path = self.root / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(self.root / name)

    def read(self, head: str, body: str = "Do it.\n") -> Reading:
        """Read a skill `notes` with this frontmatter, by the tolerant reading."""
        return read_skill(self.put("notes", text=f"---\n{head}---\n{body}"))

    def front(self, head: str) -> Frontmatter:
        """The frontmatter of a skill that is read."""
        skill = self.read(head).skill
        assert skill is not None
        assert skill.guide is not None
        return skill.guide.frontmatter

    def run(self, *steps: Says, vision: bool = False, budget: str | None = None, **how: Any) -> list[ToolMessage]:
        """Do one task with a model that takes these steps and then ends, and answer what its calls came to."""
        script = AgentScript.of(*steps, DONE)

        def answer(request: Request) -> Answer:
            self.asked.append(request)
            return script.answer(request)

        model = ScriptedModel("test", answer, vision=vision, price=DOLLAR if budget else FREE)
        limit = Decimal(budget) if budget else None
        settings = Settings(project=str(self.root.parent), giver="Ada", roots=(str(self.root),), task_budget=limit)
        how.setdefault("approver", self.approve)
        app = Metier(settings=settings, model=model, record=self.root.parent / f"record{len(self.apps)}.sqlite")
        self.apps.append(app)
        app.__enter__()
        self.receipts.append(app.run("do what fits", **how))
        return [message for message in self.asked[-1].messages if isinstance(message, ToolMessage)]

    def approve(self, proposal: Proposal) -> bool:
        """Say yes to everything but what is refused, and note what was asked."""
        self.proposals.append(proposal)
        return proposal.action not in self.refused

    @property
    def offered(self) -> list[str]:
        """The tools that the model was offered last."""
        return [tool.name for tool in self.asked[-1].tools]


@pytest.fixture
def kit(tmp_path: Path) -> Iterator[Kit]:
    """An empty folder of skills."""
    made = Kit(tmp_path / "skills")
    made.root.mkdir()
    yield made
    for app in made.apps:
        app.close()
