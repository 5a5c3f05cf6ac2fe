"""The families: a function each, which reads like the model's description.

`FAMILIES` holds them by name, with the sizes of those that a ``text_config`` may be.
"""

from attnconfig.building import FAMILIES
from attnconfig.families import (
    cohere,
    compressed,
    convolved,
    early,
    gemma,
    gemma_shared,
    latent,
    like_llama,
    linear,
    llama,
    mamba,
    nemotron,
    olmo,
    qwen,
    shared_experts,
    sparse,
    windowed,
)

__all__ = [
    "FAMILIES",
    "cohere",
    "compressed",
    "convolved",
    "early",
    "gemma",
    "gemma_shared",
    "latent",
    "like_llama",
    "linear",
    "llama",
    "mamba",
    "nemotron",
    "olmo",
    "qwen",
    "shared_experts",
    "sparse",
    "windowed",
]
