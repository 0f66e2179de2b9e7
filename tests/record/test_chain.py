"""The chain of one task's entries."""

from hashlib import sha256

import pytest

from metier.errors import RecordError
from metier.record.chain import facts_text, link


def test_link_is_plain_sha256() -> None:
    """Anybody can work out a digest with a few lines of any language."""
    text = 'abc\ntask-1\n2\nDone\n1700000000000000000\n{"ended":"Done"}'
    digest = link("abc", task="task-1", number=2, kind="Done", at=1_700_000_000_000_000_000, facts='{"ended":"Done"}')
    assert digest == sha256(text.encode()).hexdigest()


def test_facts_hold_the_bodys_digest() -> None:
    """The chain is taken over the body's digest, so the body can go."""
    digest = sha256(b'{"a":1}').hexdigest()
    assert facts_text({"turn": 1}, '{"a":1}') == f'{{"turn":1,"body":"{digest}"}}'
    assert facts_text({}, '{"a":1}') == f'{{"body":"{digest}"}}'
    assert facts_text({"turn": 1}, None) == '{"turn":1}'


def test_a_fact_named_body_is_refused() -> None:
    """Nobody can put a digest of their own in the body's place."""
    with pytest.raises(RecordError, match="'body'"):
        facts_text({"body": "x"}, None)
