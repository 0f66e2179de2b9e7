"""Does every call keep its result when old results are cleared?

differs = "Calls that a provider runs by itself are not taken here: their message is one of words. The input's results have 60 characters"
"""

from pathlib import Path

from metier.domain.message import ModelMessage, ToolCall, ToolMessage
from metier.domain.money import Usage
from metier.loop.talk import Talk

from ..case import Case, Happened

EXPECTED = {
    "cleared": ["c1"],
    "again": [],
    "all": ["c2"],
    "texts": ["[cleared: 60 characters, read again if needed]"] * 2 + ["last"],
    "roles": ["user", "model", "tool", "tool", "model", "model", "tool", "user"],
    "open": [],
}


def happens(case: Case, folder: Path) -> Happened:
    """Clear all but the last two results, once more, and then all."""
    del folder
    talk = _talk(case)
    before = [message.role for message in talk.messages]
    facts = {"cleared": talk.clear_past(2), "again": talk.clear_past(2), "all": talk.clear_past(0)}
    request = talk.request(max_output_tokens=1, must_call=None)  # the check of pairs that is made before each
    results = [one for one in request.messages if isinstance(one, ToolMessage)]
    asked = [call.id for one in request.messages if isinstance(one, ModelMessage) for call in one.calls]
    facts |= {
        "texts": [one.text for one in results],
        "roles": [one.role for one in request.messages],
        "open": sorted({*asked} ^ {one.call_id for one in results}),
    }
    return Happened("ok" if before == facts["roles"] else "error", facts=facts)


def _talk(case: Case) -> Talk:
    talk = Talk(system="", tools=[])
    for one in case.read("history.json"):
        if one["role"] == "user":
            talk.tell(one["text"])
        elif one["role"] == "tool":
            talk.answer(one["id"], "look", one["text"], ok=True)
        else:
            calls = [ToolCall(call["id"], call["tool"], call["args"]) for call in one.get("calls", ())]
            talk.said(ModelMessage("", tuple(calls)), Usage())
    return talk
