"""Published models: lines of their files, and what transformers' classes hold.

Measured by tests/parity/measure_configurations.py, without memory.
"""

import json
from pathlib import Path

import attnconfig

PLACE = Path(attnconfig.__file__).with_name("published.json")
MODELS = {each["name"]: each for each in json.loads(PLACE.read_text("utf-8"))["models"]}


def config(name, **more):
    """Return the lines of a published model, and more."""
    return MODELS[name]["config"] | more


LLAMA = config("Llama 3 8B")
TOTALS = ("n_parameters", "n_active_parameters", "cache_bytes")
SMALL = {"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4}
SMALL |= {"intermediate_size": 72, "vocab_size": 97, "num_key_value_heads": 2}


def small(family, **more):
    """Return a small configuration of a family."""
    return {"model_type": family, **SMALL, **more}


def numbers(model, n_tokens=100):
    """Return the three totals."""
    return model.n_parameters, model.n_active_parameters, model.cache_bytes(n_tokens)
