"""Python in the page: Run, Edit, Reset and Stop on code cells, with no server.

Pages with cells that can run (all but those tagged `no-live`) get `live-code.js` and
its style, a few kilobytes. At the first Run that script starts a worker, which fetches
Pyodide, a Python for browsers, from the address that `live_pyodide` names (or the
environment variable LIVE_PYODIDE), and from this site attnlib and array-api-compat,
packed here as wheels from the checkout and from what is installed: the versions that
ran the lessons for the build.
"""

import base64
import hashlib
import os
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

ROOT = Path(__file__).resolve().parents[2]
PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.27.7/full/"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same wheel, byte for byte, at every build
TAGS = (
    "Wheel-Version: 1.0\nGenerator: attnlib\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
)


def files_of(package, root=ROOT):
    """Return what a package's wheel holds, by its path in there."""
    paths = sorted((root / package).rglob("*"))
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in paths
        if path.is_file() and path.suffix != ".pyc"
    }


def files_installed(name):
    """Return the Python files and licences of an installed package, by their path."""
    wanted = (".py", ".pyi", ".typed")
    return {
        path.as_posix(): path.read_binary()
        for path in distribution(name).files
        if path.suffix in wanted or "licenses" in path.parts
    }


def pack(name, files, folder):
    """Write a wheel of pure Python; return its file name."""
    version = distribution(name).version
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    files = {
        **files,
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": TAGS.encode(),
    }
    records = [
        f"{path},sha256={_digest(data)},{len(data)}" for path, data in files.items()
    ]
    records.append(f"{info}/RECORD,,\n")
    files[f"{info}/RECORD"] = "\n".join(records).encode()
    wheel = folder / f"{module}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, EPOCH), data, zipfile.ZIP_DEFLATED)
    return wheel.name


def _digest(data):
    digest = hashlib.sha256(data).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _serve_wheels(app, config):
    """Pack the wheels into a folder that the site serves beside the worker."""
    target = Path(app.outdir, "..", "live").resolve()
    folder = target / "live"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.whl"):
        old.unlink()
    other = "array-api-compat"
    app.live_wheels = [
        pack(other, files_installed(other), folder),
        pack("attnlib", files_of("attnlib"), folder),
        pack("attncourse", files_of("attncourse", ROOT / "course"), folder),
    ]
    config.html_static_path.append(str(target))


class NameCells(SphinxPostTransform):
    """Give each code cell its id in the notebook: edits are kept under that name."""

    default_priority = 3
    formats = ("html",)

    def run(self, **_):
        """Name the cells of one page."""
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix != ".ipynb":
            return
        notebook = nbformat.read(path, as_version=4)
        for cell in code_cells(self.document):
            cell["ids"].append(f"cell-{notebook.cells[cell['cell_index']].id}")


def code_cells(doctree):
    """Find the code cells of a page."""
    return [
        node
        for node in doctree.findall(nodes.container)
        if node.get("nb_element") == "cell_code"
    ]


def runs(cell):
    """Say whether a reader can run this cell in the page."""
    shown = any(node.get("nb_element") == "cell_code_source" for node in cell.children)
    return "tag_no-live" not in cell["classes"] and shown


def _load_script(app, _pagename, _template, _context, doctree):
    if doctree is None or not any(map(runs, code_cells(doctree))):
        return
    options = {"data-pyodide": app.config.live_pyodide}
    options["data-wheels"] = " ".join(app.live_wheels)
    app.add_css_file("live-code.css")
    app.add_js_file("live/live-code.js", loading_method="defer", **options)


def setup(app):
    """Register with Sphinx."""
    address = os.environ.get("LIVE_PYODIDE") or PYODIDE
    app.add_config_value("live_pyodide", address, "html", str)
    app.connect("config-inited", _serve_wheels)
    app.connect("html-page-context", _load_script)
    app.add_post_transform(NameCells)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
