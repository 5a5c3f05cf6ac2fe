"""A real model, all-MiniLM-L6-v2, run by attnlib's own attention and encoder layers.

NumPy alone reads the weights; nothing here is imported by ``attnlib`` itself.
`load_extract` needs no weights: it reads a few results that came with this package.
"""

from attncheck.safetensors import read_safetensors
from attncourse.real_model.files import (
    WEIGHTS_SHA256,
    check_sha256,
    fetch,
    find_folder,
    load_extract,
)
from attncourse.real_model.load import load_minilm
from attncourse.real_model.minilm import MiniLM, MiniLMTrace
from attncourse.real_model.page.read import read_page_model
from attncourse.real_model.wordpiece import WordPiece

__all__ = [
    "WEIGHTS_SHA256",
    "MiniLM",
    "MiniLMTrace",
    "WordPiece",
    "check_sha256",
    "fetch",
    "find_folder",
    "load_extract",
    "load_minilm",
    "read_page_model",
    "read_safetensors",
]
