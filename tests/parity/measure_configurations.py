"""Measure the configurations of ``attnconfig/published.json`` with transformers, and
write what was found beside each:

    .venv/parity/bin/python -m tests.parity.measure_configurations
"""

import json
from pathlib import Path

import transformers

from tests.parity import built

PLACE = Path(__file__).resolve().parents[2] / "attnconfig" / "published.json"
# Layers that keep a state go through a text token by token: a short one will do.
SLOW = ("qwen3_next", "jamba", "granitemoehybrid", "falcon_h1", "mamba", "nemotron_h")
SLOW += ("qwen3_5_text", "qwen3_5_moe_text")
USED = ("num_experts_per_tok", "moe_k", "top_k_experts")


def measure(config):
    """Return what transformers' model of a configuration holds."""
    model = built.build(config)
    lines = config.get("text_config", config)
    said = built.settings(config)
    used = next((n for key in USED if (n := getattr(said, key, None))), 1)
    n_tokens = 5 if lines["model_type"] in (*SLOW, "minimax") else 5000
    return {
        "n_parameters": built.n_parameters(model),
        "n_active_parameters": built.n_active_parameters(model, used),
        "n_tokens": n_tokens,
        "cache_bytes": built.try_cache(model, n_tokens),
    }


def configurations():
    """Return the file's content."""
    return json.loads(PLACE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    found = configurations()
    found["source"] = f"transformers {transformers.__version__}, on the meta device"
    for model in found["models"]:
        model["measured"] = measure(model["config"])
    lines = [json.dumps(model) for model in found.pop("models")]
    head = json.dumps(found)[:-1]
    text = head + ', "models": [\n' + ",\n".join(lines) + "\n]}\n"
    PLACE.write_text(text, encoding="utf-8")
