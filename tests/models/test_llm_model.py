"""A model as an app lists it."""

from metier.domain.ports import Model
from metier.models.llm_model import LlmModel
from metier.models.person import PersonClient
from metier.testing import ScriptedPerson


def test_unset_members_are_cautious() -> None:
    """A model with nothing but a name and a client has no known price and cannot be forced (O59, O63)."""
    model: Model = LlmModel("m", PersonClient(ScriptedPerson([])))
    assert (model.price, model.max_output_tokens, model.scripted, model.can_force) == (None, 4096, False, False)
