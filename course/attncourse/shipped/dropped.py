"""Read a run from a file that a reader dropped on the page."""

from __future__ import annotations

import base64
import tempfile
import zipfile
from pathlib import Path

from attncheck import read_run
from attncheck.exchange import load_run


def answer(name: str, data: str) -> str:
    """Say what a file holds.

    Parameters
    ----------
    name : str
        The file's, of which only the end counts.
    data : str
        Its bytes, in base64.

    Returns
    -------
    str
        The report, or why there is none.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"run{Path(name).suffix}"
        path.write_bytes(base64.b64decode(data))
        try:
            return str(read_run(**load_run(path)))
        except (ValueError, zipfile.BadZipFile, EOFError) as error:
            return f"{name} could not be read: {error}"
