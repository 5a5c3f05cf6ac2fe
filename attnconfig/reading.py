"""Read a configuration: find the family, build the model, refuse what was not read."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from attnconfig import keys
from attnconfig.explaining import explain, refuse_unread, unknown, unread, unsaid
from attnconfig.families import FAMILIES
from attnconfig.keys import Line
from attnconfig.model import Model
from attnconfig.noted import ALL, PARAMETERS, Noted, Refusal

ENOUGH = ("model_type", "architectures", "hidden_size", "num_hidden_layers", "n_embd")
INNER = ("text_config", "language_config", "llm_config")
# Models that see or hear as well: the family of a text_config that names none, where it
# is not that name and _text.
TEXT = {"mistral3": "mistral", "llava": "llama"}
TIED = "tie_word_embeddings"


def read(config: Mapping[str, Any]) -> Model:
    """Read a configuration: what it computes and what it costs.

    Parameters
    ----------
    config : dict
        The lines of a ``config.json``. Of a model that sees or hears as well, the
        language model in ``text_config`` is read, and nothing else is counted.

    Returns
    -------
    Model
        ``n_parameters``, ``n_active_parameters`` and ``cache_bytes(n_tokens,
        n_bytes=2)`` are numbers, or None; ``refused`` maps the name of each that is
        None to a sentence that names the line. A line that is not known, and so might
        change a total, refuses that total.

    Raises
    ------
    ValueError
        If this is no configuration of a model at all.

    Examples
    --------
    >>> gpt2 = {"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12}
    >>> gpt2["vocab_size"] = 50257
    >>> read(gpt2).n_parameters
    124439808
    >>> read(gpt2 | {"n_registers": 4}).refused["n_parameters"]
    'n_registers = 4: not known here, and it could change this total.'
    """
    _require_configuration(config)
    key = next((key for key in INNER if config.get(key) is not None), None)
    if key is None:
        return _read(Noted(config), _family(config, config), {}, "")
    if not isinstance(config[key], dict):
        why = f"{key} should hold lines of its own, got {config[key]!r}."
        return Model(None, refused=dict.fromkeys(ALL, why))
    inner = dict(config[key])
    around = {k: v for k, v in config.items() if k not in INNER}
    name = _family(config, inner)
    sizes = FAMILIES[name][1] if name in FAMILIES else {}
    c = Noted(inner, sizes)
    if config.get(TIED) is not None:
        said = c.lines.setdefault(TIED, config[TIED])
        if said != config[TIED]:
            c.refuse(f"{TIED} is said twice, and differently.", *PARAMETERS)
    return _read(c, name, around, f"{key}.")


def _require_configuration(config: object) -> None:
    if not isinstance(config, Mapping):
        kind = type(config).__name__
        raise ValueError(f"read: a configuration is a dict, got {kind}")
    if not any(key in config for key in (*ENOUGH, *INNER)):
        said = "this is no configuration of a model"
        raise ValueError(f"read: {said}: it has neither model_type nor hidden_size")


def _family(outer: Mapping[str, Any], inner: Mapping[str, Any]) -> str | None:
    """Return the family's name: model_type, or what the class's name stands for."""
    name = inner.get("model_type") or outer.get("model_type")
    if inner is not outer and name == outer.get("model_type") and isinstance(name, str):
        own = f"{name}_text"
        name = own if own in FAMILIES else TEXT.get(name, name)
    if name is not None:
        return str(name)
    said = outer.get("architectures")
    if not (isinstance(said, list) and len(said) == 1):
        return None
    words = str(said[0]).removesuffix("ForCausalLM").lower()
    return next((each for each in FAMILIES if each.replace("_", "") == words), None)


def _read(c: Noted, name: str | None, around: Mapping[str, Any], inside: str) -> Model:
    """Build the model of a family, and refuse what its lines leave open."""
    model = _build(c, name)
    if model.layers:
        refuse_unread(c, model)
    beside = tuple(_beside(c, around))
    told = explain(c, name if model.layers else None, inside)
    return replace(
        model,
        family=name,
        refused=dict(c.refused),
        notes=tuple(_notes(c)),
        unsaid=tuple(unsaid(c)),
        lines=(*beside, *told),
    )


def _build(c: Noted, name: str | None) -> Model:
    try:
        if name is None:
            differ = "families differ in biases, norms and layers"
            raise Refusal(f"model_type is missing: {differ}.")
        if name not in FAMILIES:
            raise Refusal(
                f"model_type {name!r} is a family that this reader does not know."
            )
        return FAMILIES[name][0](c)
    except Refusal as problem:
        c.refuse(str(problem))
        return Model(name)


def _beside(c: Noted, around: Mapping[str, Any]) -> Iterator[Line]:
    """Tell lines beside a text_config; refuse for what is not of what a model sees."""
    seen = keys.table()["beside_text"].split()
    for key, value in around.items():
        is_harmless = keys.harmless(key, value) is not None
        if keys.like(key, seen) and not is_harmless:
            yield Line(key, "nothing", "Of what the model sees or hears; not counted.")
        elif key in ("model_type", TIED):
            yield Line(key, *(keys.sentence(key) or unread(key, value)))
        elif key in c.lines and c.lines[key] == value:
            yield Line(key, "nothing", "The model of language says the same.")
        else:
            if value and not is_harmless:
                c.refuse(unknown(key, value))
            yield Line(key, *unread(key, value))


def _notes(c: Noted) -> list[str]:
    """Say what the totals leave out."""
    found = []
    for key, value in c.lines.items():
        guesses = key.startswith("num") and ("nextn" in key or "mtp" in key.split("_"))
        if guesses and isinstance(value, int) and value:
            layers = "1 layer" if value == 1 else f"{value} layers"
            said = f"{layers} that would guess further tokens (MTP)"
            found.append(f"{key} = {value}: not counted: {said}.")
    return found
