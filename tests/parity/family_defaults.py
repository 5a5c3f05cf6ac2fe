"""What transformers' configuration classes say where a configuration says nothing.

Run in the environment of `make parity`, it writes ``defaults.json`` again:

    PYTHONPATH=course .venv/parity/bin/python -m tests.parity.family_defaults
"""

import json
from dataclasses import MISSING, fields

import transformers

from attncourse.real_model.configuration import family

PLACE = family.HERE / "defaults.json"
SOURCE = f"transformers {transformers.__version__}"
# Families under another name there.
SCORES = ("attn_logit_softcapping", "query_pre_attn_scalar", "attention_multiplier")
SCORES = (*SCORES, "rms_norm_eps", "norm_eps", "rotary_dim")
NAMED = {"kimi_k2": "deepseek_v3", "mimo": "qwen2"}


def defaults_of(name):
    """Return a family's class and the defaults of the keys that the table names."""
    kind = type(transformers.AutoConfig.for_model(NAMED.get(name, name)))
    stated = {field.name: _default(field) for field in fields(kind)}
    keys = sorted(set(family.named_keys(family.table()[name])))
    found = {
        key: stated[key] for key in keys if stated.get(key, MISSING) is not MISSING
    }
    made = kind()
    rope = getattr(made, "rope_parameters", None)
    scores = {key: getattr(made, key) for key in SCORES if hasattr(made, key)}
    return {
        "class": kind.__name__,
        "defaults": found,
        "rope": rope and dict(rope),
        "scores": scores,
    }


def _default(field):
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING


def all_defaults():
    """Return the whole file's content."""
    families = {name: defaults_of(name) for name in family.table()}
    return {"source": SOURCE} | families


if __name__ == "__main__":
    PLACE.write_text(json.dumps(all_defaults(), indent=1) + "\n", encoding="utf-8")
