"""From the lines of a file to settings: checked, with defaults, nothing guessed."""

from collections import ChainMap
from types import SimpleNamespace

from attncourse.real_model.configuration import family, meanings, refusing, values

ENOUGH = ("model_type", "architectures", "hidden_size", "num_hidden_layers", "n_embd")


class Problems(dict):
    """Why a total cannot be had: a sentence for each of `TOTALS` that cannot."""

    TOTALS = ("n_parameters", "n_active_parameters", "cache_bytes")

    def add(self, sentence, totals=TOTALS):
        """Refuse some totals; the first reason stays."""
        for total in totals:
            self.setdefault(total, sentence)


def settings(config):
    """Return a family's name, its traits for this configuration, and the problems.

    Raises
    ------
    ValueError
        If this is no configuration of a model at all.
    """
    _require_configuration(config)
    problems = Problems()
    lines, nested = _language_part(config, problems)
    name = family_of(config, lines)
    if not isinstance(name, str) or name not in family.table():
        problems.add(_no_family(name))
        return name, SimpleNamespace(), problems
    entry = family.table()[name]
    lines = _by_one_name(entry.get("alias", {}), lines, problems)
    refusing.refuse_unknown(entry, lines, problems)
    refusing.refuse_other_values(entry, lines, problems)
    if lines.get("layer_types") is not None:  # the pattern behind it says no more
        lines.pop("sliding_window_pattern", None)
    known = ChainMap(lines, family.defaults(name))
    if not nested:
        refusing.refuse_missing_sizes(entry, known, lines, problems)
    traits = SimpleNamespace(**values.resolve(entry, known, problems))
    traits.ff_key = str(entry["ff"]).removeprefix("$")
    traits.lines, traits.family = known, name
    traits.layer_types = lines.get("layer_types")
    return name, traits, problems


def _by_one_name(alias, lines, problems):
    """Replace other names of a key by its own."""
    for other, key in alias.items():
        if other in lines and lines.setdefault(key, lines[other]) != lines.pop(other):
            problems.add(f"{other} and {key} are two names of one line, and differ.")
    return lines


def _require_configuration(config):
    if not isinstance(config, dict):
        raise ValueError(
            f"read: a configuration is a dict, got {type(config).__name__}"
        )
    if not any(key in config for key in (*ENOUGH, "text_config")):
        raise ValueError(
            "read: this is no configuration of a model: it has neither model_type nor "
            "hidden_size"
        )


def _language_part(config, problems):
    """Return the lines of the language model, and whether they were nested."""
    inner = config.get("text_config")
    if inner is None:
        return dict(config), False
    if not isinstance(inner, dict):
        problems.add(f"text_config should hold lines of its own, got {inner!r}.")
        return {}, True
    for key, value in config.items():
        if not (meanings.is_outside_text(key) or value is None):
            problems.add(refusing.unknown(key, value))
    inner, tied = dict(inner), config.get("tie_word_embeddings")
    if tied is not None and inner.setdefault("tie_word_embeddings", tied) != tied:
        problems.add(
            "tie_word_embeddings is said twice, and differently.",
            ("n_parameters", "n_active_parameters"),
        )
    return inner, True


def family_of(config, lines):
    """Return the family's name: model_type, or what the class's name stands for."""
    outer, inner = config.get("model_type"), lines.get("model_type")
    name = inner or (family.TEXT.get(outer, outer) if isinstance(outer, str) else outer)
    return name if name is not None else _of_class(config.get("architectures"))


def _of_class(architectures):
    if not (isinstance(architectures, list) and len(architectures) == 1):
        return None
    classes = {
        entry["class"].removesuffix("Config").removesuffix("Text"): name
        for name, entry in family.all_defaults().items()
        if name not in ("source", "kimi_k2", "mimo")
    }
    return classes.get(str(architectures[0]).removesuffix("ForCausalLM"))


def _no_family(name):
    if name is None:
        return "model_type is missing: families differ in biases, norms and layers."
    return f"model_type {name!r} is a family that this reader does not know."
