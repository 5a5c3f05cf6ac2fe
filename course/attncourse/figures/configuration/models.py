"""The models that the figure offers, by name: lines of their files, in models.toml."""

import tomllib
from pathlib import Path
from typing import Any

MODELS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)
GEMMA_4_26B = MODELS["Gemma 4 26B"]
GPT_2 = MODELS["GPT-2"]
LLAMA_3_8B = MODELS["Llama 3 8B"]
GEMMA_2_9B = MODELS["Gemma 2 9B"]
GEMMA_3_1B = MODELS["Gemma 3 1B"]
GPT_OSS_20B = MODELS["gpt-oss 20B"]
DEEPSEEK_V3 = MODELS["DeepSeek V3"]
QWEN3_NEXT = MODELS["Qwen3 Next 80B"]
JAMBA = MODELS["Jamba"]
MODELS["Llama 3, with a line that nobody knows"] = LLAMA_3_8B | {"n_registers": 4}
