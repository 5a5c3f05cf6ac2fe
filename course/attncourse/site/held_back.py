"""Without solutions, the right answers of the exercises are in no download to be read.

A checker computes what is right, so the package that readers get, in the zip of the
notebooks and for Python in the page, has to bring that along. With SOLUTIONS=0 its
modules of exercises are packed: they do what they did, and no line of theirs is there
to be read or searched. Whoever unpacks them on purpose can: what computes an answer in
the reader's own Python cannot be kept from a reader who wants it.
"""

import base64
import csv
import hashlib
import io
import shutil
import zipfile
import zlib
from pathlib import Path

FOLDER = "attncourse/practice/exercises/"
ENTRY = "course"  # of nokernel_wheels
PACKED = '''"""An exercise, packed: this course is given without its solutions."""

import base64
import zlib

_CODE = "{code}"
exec(compile(zlib.decompress(base64.b85decode(_CODE)), __file__, "exec"))
'''


def packed(source):
    """Return a module that does what this one does, without a line of it."""
    return PACKED.format(code=base64.b85encode(zlib.compress(source, 9)).decode())


def _is_held_back(name):
    module = name.removeprefix(FOLDER)
    return module != name and module.endswith(".py") and module != "__init__.py"


def pack_wheel(path):
    """Pack the exercises of a wheel, in place; its record says so."""
    with zipfile.ZipFile(path) as archive:
        files = [(one, archive.read(one)) for one in archive.infolist()]
    told = {
        one.filename: packed(data).encode() if _is_held_back(one.filename) else data
        for one, data in files
    }
    (record,) = (name for name in told if name.endswith(".dist-info/RECORD"))
    told[record] = _record(told, record)
    made = Path(path).with_suffix(".packed")
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, _ in files:
            archive.writestr(one, told[one.filename], zipfile.ZIP_DEFLATED)
    shutil.move(made, path)


def _record(files, record):
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
        rows.writerow(
            [name, "", ""]
            if name == record
            else [name, f"sha256={digest.rstrip('=')}", len(data)]
        )
    return text.getvalue().encode()


def _pack(app):
    wheel = app.nokernel_wheels.get(ENTRY)
    if wheel and not app.config.nokernel_solutions:
        pack_wheel(wheel)


def setup(app):
    """Connect with Sphinx, after sphinx_nokernel built the wheels."""
    app.connect("builder-inited", _pack, priority=600)
