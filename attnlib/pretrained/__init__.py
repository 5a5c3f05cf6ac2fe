"""A real model, all-MiniLM-L6-v2, run by attnlib's own attention and encoder layers.

NumPy alone reads the weights; nothing here is imported by ``attnlib`` itself.
`load_extract` needs no weights: it reads a few results that came with this package.
"""

from attnlib.pretrained.extract import load_extract
from attnlib.pretrained.files import WEIGHTS_SHA256, check_sha256, fetch, find_folder
from attnlib.pretrained.minilm import MiniLM, MiniLMTrace, load_minilm
from attnlib.pretrained.safetensors import read_safetensors
from attnlib.pretrained.wordpiece import WordPiece

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
    "read_safetensors",
]
