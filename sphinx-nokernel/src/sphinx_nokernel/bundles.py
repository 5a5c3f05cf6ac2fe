"""Offline downloads: two zips that each build makes and links from the first page.

`downloads/site.zip` is the whole site and works from a folder, opened by double-click.
`downloads/notebooks.zip` holds plain copies (see `export`) of the files that match
`nokernel_bundle_files`, the wheels of `nokernel_bundle_wheels`, and the text
`nokernel_bundle_readme` as README.
"""

import re
import zipfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement

from .export import Reader, plain_copies
from .wheels import build_wheel

# How much room packages take, with all that they need, as they are installed here.

COMPILED = 1.3  # times its size is what pip compiles of code, by Python 3.11


def size_in_words(needs):
    """Say how much the packages of a `pip install` take: "about 480 MB".

    Parameters
    ----------
    needs : list of str
        Requirements. What is not installed here is not counted: "more than 480 MB".
    """
    found, lacking = closure(needs)
    megabytes = sum(map(size_of, found)) / 1e6
    return f"{'more than' if lacking else 'about'} {round(megabytes, -1):.0f} MB"


def closure(needs):
    """Return the distributions that requirements lead to, and the names that lack."""
    found: dict[str, Distribution] = {}
    lacking, seen, ahead = set(), set(), [(need, "") for need in needs]
    while ahead:
        text, extra = ahead.pop()
        one = Requirement(text)
        if one.marker and not one.marker.evaluate({"extra": extra}):
            continue
        if (key := (one.name, frozenset(one.extras))) in seen:
            continue
        seen.add(key)
        try:
            found[one.name] = own = distribution(one.name)
        except PackageNotFoundError:
            lacking.add(one.name)
            continue
        extras = one.extras or {""}
        ahead += [(each, extra) for each in own.requires or () for extra in extras]
    paths = {own.name: own for own in found.values()}
    return list(paths.values()), lacking


def size_of(own):
    """Return the bytes of a distribution's files, compiled as pip leaves them."""
    sizes = {str(path): path.size or 0 for path in own.files or ()}
    code = sum(size for name, size in sizes.items() if name.endswith(".py"))
    made = sum(size for name, size in sizes.items() if name.endswith(".pyc"))
    return sum(sizes.values()) - made + COMPILED * code


EPOCH = (1980, 1, 1, 0, 0, 0)  # so that every build makes the same archive
WORKER, MANIFEST = "service-worker.js", "site.webmanifest"
NOT_PACKED = (".buildinfo", WORKER, MANIFEST)  # the last two need a server
BEGIN, END = "<!-- downloads -->", "<!-- end of downloads -->"
LINKS = f"""{BEGIN}
<section id="take-it-with-you">
<h2>Take it with you</h2>
<ul>
<li><a href="{{up}}downloads/site.zip" download>The whole site (zip)</a>: unpack it and
open <code>index.html</code> by double-click. Figures and search need no network.</li>
<li><a href="{{up}}downloads/notebooks.zip" download>The notebooks (zip)</a>: with all
that they need, for your own Jupyter.</li>
</ul>
</section>
{END}
"""


def _has_bundles(app):
    """Say whether this build makes zips: other builders' pages need a server."""
    return bool(app.config.nokernel_bundle) and app.builder.name == "html"


def top_folder(settings):
    """Return the name of the folder in the site's zip."""
    if settings["nokernel_bundle"] is not True:
        return settings["nokernel_bundle"]
    return re.sub(r"\W+", "-", settings["project"].lower()).strip("-") or "book"


def link_bundles(app, page):
    """Link both zips from the end of the first page."""
    if _has_bundles(app) and page.name == app.config.root_doc:
        page.context["body"] += LINKS.format(up="../" * page.name.count("/"))


def write_bundles(app):
    """Write both zips."""
    if not _has_bundles(app):
        return
    folder = Path(app.outdir, "downloads")
    folder.mkdir(exist_ok=True)
    zip_notebooks(folder / "notebooks.zip", Reader.of_app(app), app.nokernel_wheels)
    _zip_site(app, folder / "site.zip")


def _zip_site(app, target):
    """Pack the whole site except its downloads, so that it works from a folder."""
    site, top = Path(app.outdir), top_folder(app.config)
    first = f"{app.config.root_doc}.html"
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(site.rglob("*")):
            name = path.relative_to(site).as_posix()
            is_left_out = name.startswith("downloads/") or name in NOT_PACKED
            if path.is_dir() or is_left_out:
                continue
            data = path.read_bytes()
            if name == first:
                data = without_links(data)
            elif name.endswith("documentation_options.js"):
                data = without_summaries(data)
            _add(archive, f"{top}/{name}", data)


def without_links(page):
    """Remove the links to the zips, which are not in the archive."""
    before, rest = page.decode().split(BEGIN)
    return (before + rest.split(END)[1]).encode()


def without_summaries(options):
    """Turn off search excerpts: a page opened from disk cannot read other pages."""
    on, off = b"SHOW_SEARCH_SUMMARY: true", b"SHOW_SEARCH_SUMMARY: false"
    if on not in options:
        raise ValueError("documentation_options.js: the option for excerpts is gone")
    return options.replace(on, off)


def zip_notebooks(target, reader, made=None):
    """Pack plain copies of the notebooks, and the packages that they import.

    Parameters
    ----------
    target : path
    reader : sphinx_nokernel.export.Reader
        The book's reader; its settings select what is packed.
    made : dict of str to Path
        The wheels that have been built already, by entry.
    """
    settings, made = reader.settings, made or {}
    top = f"{top_folder(settings)}-notebooks"
    folder = Path(reader.source, settings["nokernel_bundle_folder"])
    with zipfile.ZipFile(target, "w") as archive, TemporaryDirectory() as temporary:
        wheels = [
            made.get(entry) or build_wheel(entry, temporary, reader.source)
            for entry in settings["nokernel_bundle_wheels"]
        ]
        for wheel in wheels:
            _add(archive, f"{top}/{wheel.name}", wheel.read_bytes())
        _add(archive, f"{top}/README.txt", _readme(reader, wheels).encode())
        files = plain_copies(folder, settings["nokernel_bundle_files"], reader)
        for place, text in files:
            _add(archive, f"{top}/{place.as_posix()}", text.encode())


def _readme(reader, wheels):
    title, path = reader.settings["project"], reader.settings["nokernel_bundle_readme"]
    if not path:
        return f"The notebooks of “{title}”.\n"
    text = Path(reader.source, path).read_text(encoding="utf-8")
    names = " ".join(f"./{wheel.name}" for wheel in wheels)
    needs = reader.settings["nokernel_bundle_needs"]
    told = " ".join(f'"{need}"' if "[" in need else need for need in needs)
    size = size_in_words(needs)
    return text.format(title=title, wheels=names, needs=told, size=size)


def _add(archive, name, data):
    archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)
