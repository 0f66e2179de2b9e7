"""Can the model be made that the settings name, is its key seen, its price known, and does its address answer?"""

from collections.abc import Iterator, Mapping

from ...config import Settings
from ...domain.money import LlmPrice
from ...domain.ports import Model, Person
from ...errors import ModelMissing, SetupError
from ...models.wire import Wire, wire_of
from ..choosing import CodeModel, choose, named_by_project, priced
from .finding import Finding

UNPRICED = 'set price = {input = "…", output = "…"} beside its name in metier.toml, or run with --unpriced'


def about_model(
    settings: Settings, person: Person | None, environment: Mapping[str, str], *, online: bool
) -> Iterator[Finding]:
    """The model, its key, its price, and with `online` its address. No code of a project is loaded."""
    try:
        model = choose(settings, person)
    except ModelMissing as error:
        yield Finding("missing", "model", error.message, error.hint)
    except SetupError as error:
        yield Finding("wrong", "model", error.message, error.hint)
    else:
        if isinstance(model, CodeModel):
            yield from _about_code(model, settings)
        else:
            yield from _about_real(model, settings, environment, online=online)


def _about_code(code: CodeModel, settings: Settings) -> Iterator[Finding]:
    asked = "; you are asked once before it is loaded" if code.from_project else ""
    yield Finding("ok", "model", f"{code.name} of {code.path}, which was not loaded now{asked}")
    if settings.price is None:
        yield Finding("ok", "price", "the code's own")
    else:
        yield _price(settings.price)


def _about_real(model: Model, settings: Settings, environment: Mapping[str, str], *, online: bool) -> Iterator[Finding]:
    yield Finding("ok", "model", f"{settings.model} can be asked")
    wire = wire_of(settings.model, environment, from_project=named_by_project(settings))
    if wire is not None:
        yield _key(wire, environment)
    price = priced(model, settings).price
    if price is None:
        yield Finding("missing", "price", f"not known for {settings.model}", UNPRICED)
    else:
        yield _price(price)
    if wire is not None and online:
        # It brings the provider's client, which only --online needs here.
        from .address import about_address  # noqa: PLC0415 - heavy, see above

        yield about_address(wire)
    elif wire is not None:
        yield Finding("ok", "address", "not tried; --online does")


def _key(wire: Wire, environment: Mapping[str, str]) -> Finding:
    if not wire.key:
        return Finding("ok", "key", "none is sent")
    name = next((one for one in wire.keys if environment.get(one)), wire.keys[0])
    return Finding("ok", "key", f"seen in {name}")


def _price(price: LlmPrice) -> Finding:
    return Finding("ok", "price", in_words(price))


def in_words(price: LlmPrice) -> str:
    """The price as a person reads it."""
    return f"${price.input} in and ${price.output} out, for a million tokens"
