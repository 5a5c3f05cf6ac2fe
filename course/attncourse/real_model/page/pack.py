"""Write the model as scripts: bytes as base64 text, in pieces, with a manifest.

A page may load a script from anywhere, also from a folder opened by double-click, where
it may not fetch a file. Each script calls ``receivePiece(name, text)``. The manifest is
the smallest of them: what pieces there are, their lengths and SHA-256s, and where each
array lies in the bytes of ``weights-0``, ``weights-1``, … put together. Lengths are
those of the bytes: about what a host sends that compresses text. Files are a third
longer.
"""

import base64
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from attncourse.javascript import bundle
from attncourse.real_model.load import load_minilm
from attncourse.real_model.minilm import EPS, MOST_TOKENS, N_HEADS, MiniLM
from attncourse.real_model.page.quantize import GROUP, IN_LAYER, KIND, SHARED, quantize
from attncourse.real_model.wordpiece import CHARACTERS

HERE = Path(__file__).parent
WORKER = HERE / "worker.js"
LEGAL = [HERE / "NOTICE.txt", HERE.parent / "LICENSE-APACHE.txt"]
BYTES_A_PIECE = 500_000
IDS_A_PIECE = 256  # rows of the word table: a sentence needs about seven pieces
FIRST_TEXT = "A dog ate the food because it was hungry"  # whose pieces "first" counts


def pack(
    target: str | os.PathLike[str], folder: str | os.PathLike[str] | None = None
) -> dict:
    """Write the scripts into a folder; return the manifest.

    Parameters
    ----------
    target : path
        Where to write; what an earlier call left there is removed.
    folder : path, optional
        Where the published weights are; by default where `find_folder` finds them.

    Raises
    ------
    FileNotFoundError
        If there are no weights. A manifest that says so is written all the same.
    ValueError
        If a file is not the published one.
    """
    target = Path(target)
    target.mkdir(parents=True, exist_ok=True)
    for old in target.glob("*.*"):
        old.unlink()
    _write(target / "manifest.js", "manifest", {"there": False})
    model = load_minilm(folder)
    for path in LEGAL:
        shutil.copy(path, target)
    sizes = {name: _piece(target, name, data) for name, data in _pieces(model)}
    opening = _opening(model, sizes)
    manifest = {
        **{"there": True, "first": sum(sizes[n][0] for n in ["worker", *opening])},
        **{"total": sum(size for size, _ in sizes.values()), "pieces": sizes},
        **{"opening": opening, **_shape(model)},
    }
    _write(target / "manifest.js", "manifest", manifest)
    return manifest


def _opening(model: MiniLM, names: Iterable[str]) -> list[str]:
    """Name what a first sentence needs, after the worker: all but most words."""
    needed = {i // IDS_A_PIECE for i in model.pieces.ids(model.read(FIRST_TEXT))}
    own = [f"words-{i}" for i in sorted(needed)]
    return [*own, *(n for n in names if n != "worker" and "words" not in n)]


def _shape(model: MiniLM) -> dict:
    """Describe the bytes, for the worker to read them."""
    arrays, layers = model._arrays, len(model.layers)
    names = [f"encoder.layer.0.{name}" for name in IN_LAYER]
    return {
        **{"group": GROUP, "nLayers": layers, "nHeads": N_HEADS, "eps": EPS},
        **{"mostTokens": MOST_TOKENS, "dModel": model.words.shape[1]},
        **{"idsAPiece": IDS_A_PIECE, "bytesAPiece": BYTES_A_PIECE},
        "shared": [[name, *_kept(arrays, name).shape] for name in SHARED],
        "layer": [[n[16:], *_kept(arrays, n).shape] for n in names],
    }


def _kept(arrays: Mapping[str, Any], name: str) -> np.ndarray:
    """Take what the page needs of an array: 256 positions, one kind of sentence."""
    array = np.asarray(arrays[name])
    if name == KIND:
        return array[0]
    return array[:MOST_TOKENS] if "position" in name else array


def _pieces(model: MiniLM) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each piece."""
    yield "worker", bundle(WORKER).encode()
    words = sorted(model.pieces.vocabulary, key=model.pieces.vocabulary.__getitem__)
    yield "vocabulary", "\n".join(words).encode()
    yield "characters", CHARACTERS.read_bytes()
    arrays = model._arrays
    layers = range(len(model.layers))
    names = [f"encoder.layer.{i}.{name}" for i in layers for name in IN_LAYER]
    data = b"".join(_bytes(_kept(arrays, name)) for name in (*SHARED, *names))
    for i, start in enumerate(range(0, len(data), BYTES_A_PIECE)):
        yield f"weights-{i}", data[start : start + BYTES_A_PIECE]
    for i, start in enumerate(range(0, len(model.words), IDS_A_PIECE)):
        yield f"words-{i}", _bytes(model.words[start : start + IDS_A_PIECE])


def _bytes(array: np.ndarray) -> bytes:
    """Write a matrix as levels, then scales, and a row as float32; little-endian."""
    if array.ndim == 1:
        return array.astype("<f4").tobytes()
    levels, scales = quantize(array)
    return levels.tobytes() + scales.astype("<u2").tobytes()


def _piece(folder: Path, name: str, data: bytes) -> tuple[int, str]:
    """Write one piece; return how many bytes it holds, and their SHA-256."""
    _write(folder / f"{name}.js", name, base64.b64encode(data).decode())
    return len(data), hashlib.sha256(data).hexdigest()


def _write(path: Path, name: str, content: object) -> None:
    text = json.dumps(content, separators=(",", ":"))
    path.write_text(f'receivePiece("{name}",{text});\n', encoding="utf-8")
