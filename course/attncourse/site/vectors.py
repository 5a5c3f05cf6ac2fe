"""The test vectors of attncheck, as a zip: `_static/attention-vectors.zip`."""

import tempfile
import zipfile
from pathlib import Path

from attncheck.vectors import write_vectors

NAME = "attention-vectors.zip"
THEN = (1980, 1, 1, 0, 0, 0)  # the same bytes at every build


def write_zip(target):
    """Write cases.json and cases.safetensors into one zip."""
    with tempfile.TemporaryDirectory() as folder:
        write_vectors(Path(folder))
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).iterdir()):
                archive.writestr(
                    zipfile.ZipInfo(path.name, THEN),
                    path.read_bytes(),
                    zipfile.ZIP_DEFLATED,
                )


def _write(app, error):
    if error is None and app.builder.format == "html":
        folder = Path(app.outdir, "_static")
        folder.mkdir(exist_ok=True)
        write_zip(folder / NAME)


def setup(app):
    """Register with Sphinx; the zip of the whole site is written later."""
    app.connect("build-finished", _write, priority=100)
