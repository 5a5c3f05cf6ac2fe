"""The course to take along: two zips, made at each build, linked from the first page.

`downloads/site.zip` is the whole site and works from a folder, opened by double-click.
`downloads/notebooks.zip` is the notebooks, with a wheel of attnlib to run them. Pages
are printed, to paper and by `make pdf`, in the style of `print.css`.
"""

import zipfile
from pathlib import Path

import nbformat
from live_code import EPOCH, files_of, pack
from solutions import without_solutions

NAME = "attention-worked-out"
BEGIN, END = "<!-- downloads -->", "<!-- end of downloads -->"
LINKS = f"""{BEGIN}
<section id="take-it-with-you">
<h2>Take it with you</h2>
<ul>
<li><a href="{{up}}downloads/site.zip" download>The whole site (zip)</a>: unpack it and
open <code>index.html</code> by double-click. Figures and search need no network.</li>
<li><a href="{{up}}downloads/notebooks.zip" download>The notebooks (zip)</a>: with the
library that they use, for your own Jupyter.</li>
</ul>
</section>
{END}
"""
README = """\
The notebooks of “{title}”.

With Python 3.11 or later, in this folder:

    pip install "./{wheel}[widgets]" scipy jupyterlab jupyterlab-myst
    jupyter lab index.ipynb
"""
EXTRAS = ("*.ipynb", "claims.toml", "references.bib", "checks/*.py")


def _link(app, pagename, _template, context, _doctree):
    if pagename == app.config.root_doc:
        context["body"] += LINKS.format(up="../" * pagename.count("/"))


def _make_zips(app, error):
    if error or app.builder.name != "html":
        return
    folder = Path(app.outdir, "downloads")
    folder.mkdir(exist_ok=True)
    zip_notebooks(app, folder / "notebooks.zip")
    zip_site(Path(app.outdir), app.config.root_doc, folder / "site.zip")


def zip_site(site, root_doc, target):
    """Pack all of the site but its downloads, so that it works from a folder."""
    first = f"{root_doc}.html"
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(site.rglob("*")):
            name = path.relative_to(site).as_posix()
            if path.is_dir() or name.startswith("downloads/") or name == ".buildinfo":
                continue
            data = path.read_bytes()
            if name == first:
                data = without_links(data)
            elif name.endswith("documentation_options.js"):
                data = without_summaries(data)
            _write(archive, f"{NAME}/{name}", data)


def without_links(page):
    """Drop the links to what a folder does not hold: the zips."""
    before, rest = page.decode().split(BEGIN)
    return (before + rest.split(END)[1]).encode()


def without_summaries(options):
    """Let search show no excerpts: a page in a folder may not read other pages."""
    on, off = b"SHOW_SEARCH_SUMMARY: true", b"SHOW_SEARCH_SUMMARY: false"
    if on not in options:
        raise ValueError("documentation_options.js: the option for excerpts is gone")
    return options.replace(on, off)


def zip_notebooks(app, target):
    """Pack the notebooks, what they read, and attnlib's wheel."""
    book = Path(app.srcdir, "book")
    root = Path(app.srcdir)
    wheels = [
        pack("attnlib", files_of("attnlib", root), target.parent),
        pack("attncourse", files_of("attncourse", root / "course"), target.parent),
    ]
    wheel = wheels[0]
    readme = README.format(title=app.config.project, wheel=wheel)
    with zipfile.ZipFile(target, "w") as archive:
        _write(archive, f"{NAME}-notebooks/README.txt", readme.encode())
        for name in wheels:
            data = target.with_name(name).read_bytes()
            _write(archive, f"{NAME}-notebooks/{name}", data)
        for path in sorted(p for pattern in EXTRAS for p in book.glob(pattern)):
            name = path.relative_to(book).as_posix()
            data = path.read_bytes()
            if path.suffix == ".ipynb" and not app.config.solutions:
                data = _without_solutions(data)
            _write(archive, f"{NAME}-notebooks/{name}", data)
    for name in wheels:
        target.with_name(name).unlink()


def _without_solutions(data):
    notebook = nbformat.reads(data.decode(), as_version=4)
    return nbformat.writes(without_solutions(notebook)).encode()


def _write(archive, name, data):
    archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)


def setup(app):
    """Register with Sphinx."""
    app.add_css_file("print.css", media="print", priority=900)  # after all others
    app.connect("html-page-context", _link)
    app.connect("build-finished", _make_zips, priority=999)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
