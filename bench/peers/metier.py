"""metier, through its public entry points."""
import os
import sys
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [os.path.dirname(HERE)] + [p for p in sys.path if os.path.abspath(p or ".") != HERE]
import common

PEER, DIST = "metier", "metier"
IMPORT = "from metier import Metier, Permits, action; Metier, Permits, action"
STRUCTURED_WHAT = ""
DURABLE_WHAT = "sqlite WAL, every step, chained, durability 'ends'"
SCRIPT_WHAT = "run_skill_script's runner: own group, limits, closed input, output kept"


def _app(model, record=False, skills=()):
    from metier import Metier, Permits
    from metier.config import Settings
    app = Metier(model=model, record=record, skills=skills, settings=Settings(project=os.getcwd()),
                 permits=Permits.changes_and_sends_alone())
    app.__enter__()
    return app


def _scripted(answer):
    from metier.testing import ScriptedModel
    return ScriptedModel("bench", answer)


def _add(query=True):
    from metier import action

    @action("Add one.", query=query)
    async def add(i: int) -> int:
        return i + 1
    return add


def _turn(k, latency, record, query=True):
    import asyncio
    from metier import StopWhen
    from metier.actions.function import action_of
    from metier.domain.message import Answer, ModelMessage, ToolCall
    from metier.domain.money import Usage
    from metier.domain.skill import Job, SkillSpec
    usage = Usage(1, 1)

    async def answer(request):
        if latency:
            await asyncio.sleep(latency)
        last = request.messages[-1]
        i = int(last.text) if last.role == "tool" else 0
        if i >= k:
            return Answer(ModelMessage("done"), usage)
        return Answer(ModelMessage("", (ToolCall("c%d" % i, "add", {"i": i}),)), usage)
    app = _app(_scripted(answer), record)
    spec = SkillSpec("count", "Count.", job=Job(tools=(action_of(_add(query)),), stop=StopWhen(max_turns=k + 10)))

    async def run():
        return (await app.arun(spec, input="go")).result
    return run


def turn(k, latency=0):
    return _turn(k, latency, False)


def durable(k, db):
    return _turn(k, 0, db)


def durable_change(k, db):
    return _turn(k, 0, db, query=False)


def durable_at_once(k, latency, db):
    return _turn(k, latency, db)


def structured():
    from metier import action
    from metier.actions.function import action_of
    from metier.domain.message import Answer, ModelMessage, ToolCall
    from metier.domain.money import Usage
    from metier.domain.skill import Job, SkillSpec

    @action("Judge.", query=True)
    async def check(result: dict, input: object = None):
        return "total must not be negative" if result["total"] < 0 else None
    usage = Usage(1, 1)

    def answer(request):
        total = -1 if len(request.messages) == 1 else 3
        return Answer(ModelMessage("", (ToolCall("c%d" % total, "hand_back", {"total": total, "label": "x"}),)), usage)
    schema = {"type": "object", "properties": {"total": {"type": "integer"}, "label": {"type": "string"}},
              "required": ["total", "label"], "additionalProperties": False}
    app = _app(_scripted(answer))
    spec = SkillSpec("label", "Label.", job=Job(hands_back=schema, check=action_of(check)))

    async def run():
        receipt = await app.arun(spec, input="go")
        return "done" if receipt.result["total"] == 3 and receipt.done else receipt
    return run


def discover(root):
    from metier.loop.prompt import system_prompt
    app = _app(None, skills=[root])
    found = app.catalogue()
    return app, len(found.skills), system_prompt(found.skills, typed=False, tools=["load_skill"])


def again(app):
    from metier.loop.prompt import system_prompt
    found = app.catalogue()
    return len(found.skills), system_prompt(found.skills, typed=False, tools=["load_skill"])


async def _asked(root, steps, seen):
    from metier.testing import AgentScript
    script = AgentScript.of(*steps)

    def answer(request):
        seen.append(request)
        return script.answer(request)
    return _app(_scripted(answer), skills=[root])


async def catalog(root):
    from metier.testing import Says
    seen = []
    app = await _asked(root, [Says.text("done")], seen)
    await app.arun("do it")
    request = seen[0]
    tools = [{"name": t.name, "description": t.description, "input_schema": t.parameters} for t in request.tools]
    return request.system, tools


async def skill_turn(root):
    from metier.app.finding import find_skill
    from metier.testing import Says
    steps = [Says.tool("load_skill", {"skill_name": "skill-00003"}),
             Says.tool("read_skill_resource", {"skill_name": "skill-00003", "resource_name": "references/guide.md"}),
             Says.text("done")]
    seen = []
    app = await _asked(root, steps, seen)
    offered = [find_skill(one.name, app.settings) for one in app.catalogue().skills]
    await app.arun("do it", offered=offered)
    blob = "".join(m.text for m in seen[-1].messages)
    assert "Step 5 of skill 3" in blob and "guide of skill 00003" in blob, blob[:3000]

    async def run():
        del seen[:]
        return (await app.arun("do it", offered=offered)).result
    return run


def script(root):
    import tempfile
    from metier.actions.scripts.interpreter import command_for
    from metier.actions.scripts.run import run_script
    command = command_for(os.path.join(root, "skill-00000", "scripts", "hello.py"))
    scratch, outputs = tempfile.mkdtemp(), tempfile.mkdtemp()

    async def run():
        ended = await run_script(command, scratch=scratch, outputs=outputs)
        with open(ended.stdout.path) as f:
            return f.read()
    return run


if __name__ == "__main__":
    common.main(globals())
