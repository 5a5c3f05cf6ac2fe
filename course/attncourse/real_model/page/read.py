"""Read the model back from the scripts of a site: `pack` the other way round."""

import base64
import hashlib
import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from attncourse.checks import require
from attncourse.real_model.minilm import MiniLM
from attncourse.real_model.page.quantize import GROUP, KIND, TABLE, dequantize
from attncourse.real_model.wordpiece import WordPiece

OPERATION = "read_page_model"


def read_page_model(
    place: str | os.PathLike[str] | None = None, *, dtype: Any = np.float32
) -> MiniLM:
    """Load the model from a site's folder, or, in the page, from the site itself.

    The rows of words are read when a text first needs them.

    Parameters
    ----------
    place : path, optional
        The folder `_static/minilm` of a built site. In the page's own Python it is
        found.
    dtype : dtype

    Raises
    ------
    FileNotFoundError
        If the site was built without the weights.
    ValueError
        If a file is not the one that the manifest lists.
    """
    scripts = Scripts(_of_site if place is None else _of_folder(place))
    vocabulary = scripts.bytes("vocabulary").decode().split("\n")
    arrays = dict(_arrays(scripts))
    arrays[TABLE] = np.zeros((len(vocabulary), 0))  # its rows come later
    model = MiniLM(arrays, WordPiece(vocabulary), dtype=dtype)
    model.words = WordRows(scripts, len(vocabulary), dtype)
    return model


def _of_folder(place: str | os.PathLike[str]) -> Callable[[str], str]:
    return lambda name: Path(place, f"{name}.js").read_text("utf-8")


def _of_site(name: str) -> str:
    """Fetch a script from the site whose page runs this Python."""
    import js  # type: ignore[import-not-found]
    from pyodide.http import open_url  # type: ignore[import-not-found]

    site = js.self.location.href.partition("/_static/")[0]
    return open_url(f"{site}/_static/minilm/{name}.js").read()


class Scripts:
    """What the scripts hold, by name.

    Parameters
    ----------
    read : function
        From a script's name to its text.
    """

    def __init__(self, read: Callable[[str], str]) -> None:
        self._read = read
        self.manifest = self._content("manifest")
        if not self.manifest["there"]:
            raise FileNotFoundError(
                f"{OPERATION}: this site was built without the model's weights"
            )

    def _content(self, name: str) -> Any:
        text = self._read(name).strip()
        start, end = f'receivePiece("{name}",', ");"
        is_ours = text.startswith(start) and text.endswith(end)
        rule = f"{name}.js must hand over a piece"
        require(is_ours, OPERATION, rule, it=text[:40])
        return json.loads(text[len(start) : -len(end)])

    def bytes(self, name: str) -> bytes:
        """Decode a piece, and check it."""
        data = base64.b64decode(self._content(name))
        expected = self.manifest["pieces"][name][1]
        rule = f"the SHA-256 of {name} must be {expected}"
        got = hashlib.sha256(data).hexdigest()
        require(got == expected, OPERATION, rule, it=got)
        return data


class WordRows:
    """The embedding table, read piece by piece as its rows are asked for.

    Parameters
    ----------
    scripts : Scripts
    n_words : int
    dtype : dtype
    """

    def __init__(self, scripts: Scripts, n_words: int, dtype: Any) -> None:
        self._scripts, self._length, self._dtype = scripts, n_words, dtype
        self._pieces: dict[int, np.ndarray] = {}

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, ids: Sequence[int]) -> np.ndarray:
        """Look up the rows of ids, (n_ids, d_model)."""
        size = self._scripts.manifest["idsAPiece"]
        places = [divmod(i, size) for i in ids]
        return np.array([self._piece(i)[row] for i, row in places], self._dtype)

    def _piece(self, i: int) -> np.ndarray:
        if i not in self._pieces:
            data = self._scripts.bytes(f"words-{i}")
            n_columns = self._scripts.manifest["dModel"]
            n_rows = len(data) // (n_columns + 2 * n_columns // GROUP)
            self._pieces[i] = _matrix(data, n_rows, n_columns)
        return self._pieces[i]


def _matrix(data: bytes, n_rows: int, n_columns: int) -> np.ndarray:
    """Read a matrix: levels, then scales."""
    size = n_rows * n_columns
    levels = np.frombuffer(data, np.int8, size).reshape(n_rows, n_columns)
    scales = np.frombuffer(data, "<u2", size // GROUP, size)
    return dequantize(levels, scales.reshape(n_rows, -1))


def _arrays(scripts: Scripts) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each array but the table, under its name in the published file."""
    manifest, start = scripts.manifest, 0
    names = [name for name in manifest["pieces"] if name.startswith("weights-")]
    data = b"".join(map(scripts.bytes, names))
    for name, *shape in _listed(manifest):
        size = math.prod(shape)
        end = start + (size + 2 * size // GROUP if len(shape) == 2 else 4 * size)
        part, start = data[start:end], end
        array = _matrix(part, *shape) if len(shape) == 2 else np.frombuffer(part, "<f4")
        yield name, array[None] if name == KIND else array


def _listed(manifest: dict) -> Iterator[list]:
    """List the arrays in the order of their bytes: name, then shape."""
    yield from manifest["shared"]
    for i in range(manifest["nLayers"]):
        for name, *shape in manifest["layer"]:
            yield [f"encoder.layer.{i}.{name}", *shape]
