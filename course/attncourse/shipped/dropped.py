"""Read a run from a file that a reader dropped on the page."""

import base64
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from attncheck import read_run
from attncheck.exchange import load_run


def answer(name: str, data: str, sees: str = "every", window: int = 0) -> str:
    """Say what a file holds.

    Parameters
    ----------
    name : str
        The file's, of which only the end counts.
    data : str
        Its bytes, in base64.
    sees : str
        What a query was meant to see: "every" key; or the keys up to its own, counted
        from the "start", or so that the last query meets the last key, the "end".
    window : int
        Of the keys up to its own, how many were meant, its own among them; 0 for all.

    Returns
    -------
    str
        The report, or why there is none.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"run{Path(name).suffix}"
        path.write_bytes(base64.b64decode(data))
        try:
            run = load_run(path)
            return str(read_run(**run, **_meant(run, sees, window)))
        except (ValueError, zipfile.BadZipFile, EOFError) as error:
            return f"{name} could not be read: {error}"


def _meant(run: dict[str, Any], sees: str, window: int) -> dict[str, Any]:
    if sees == "every":
        return {}
    further = run["key"].shape[-2] - run["query"].shape[-2]
    meant = {"is_causal": True, "query_offset": further if sees == "end" else 0}
    return meant | ({"window": (window - 1, 0)} if window else {})
