"""The zip with Python inside: what is packed is what was published, and all of it."""

import base64
import gzip
import hashlib
import json
import re
import zipfile

import bundle_python
import pytest

from attncourse.site.inside.pack import (
    COMPILES,
    pack,
    parsed,
    read_site,
    script,
    sources,
    with_python,
)
from attncourse.site.inside.release import CORE, LOCK, Release, imported, with_depended
from attncourse.site.policy import with_policy
from sphinx_nokernel.bundles import BEGIN, END, WORKER
from sphinx_nokernel.installable import BEGIN as WORKER_BEGIN
from sphinx_nokernel.installable import write_worker

NOWHERE = "http://127.0.0.1:9/"  # where nothing is
PACKAGES = {
    "numpy": {"imports": ["numpy"], "depends": []},
    "matplotlib": {"imports": ["matplotlib", "pylab"], "depends": ["numpy", "Six"]},
    "six": {"imports": ["six"], "depends": []},
    "scipy": {"imports": ["scipy"], "depends": ["numpy"]},
    "ipython": {"imports": ["IPython"], "depends": ["six"]},
}
CELL = '<div class="cell nk-runs"><div class="cell_input"><pre>{}</pre></div></div>'
HIDDEN = '<script type="application/vnd.nokernel.cell+json">{}</script>'


def digest_of(data):
    return f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"


def page(digests, *, up="../", imports="attnlib=numpy", body=""):
    """A page of the site, as a build writes it."""
    named = " ".join(f"{name}={digest}" for name, digest in digests.items())
    return with_policy(
        f'<head><meta charset="utf-8"><script data-digests="{named}" '
        f'data-imports="{imports}" data-pyodide="{NOWHERE}" defer="defer" '
        f'src="{up}_static/nokernel/start.js?v=1"></script></head>'
        f"{CELL.format('1 + 1')}{body}"
    )


@pytest.fixture
def release(tmp_path):
    """A folder with a release of three packages, and the digests of its own files."""
    folder, packages = tmp_path / "release", {}
    folder.mkdir()
    for name, one in PACKAGES.items():
        file, data = f"{name}-1.whl", f"the wheel of {name}".encode()
        (folder / file).write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        packages[name] = {**one, "file_name": file, "sha256": digest}
    for name in CORE:
        (folder / name).write_text(f"what {name} holds")
    (folder / LOCK).write_text(json.dumps({"packages": packages}))
    return folder, {name: digest_of((folder / name).read_bytes()) for name in CORE}


@pytest.fixture
def site(tmp_path, release):
    """The zip of a site with a page that runs cells, and one that does not."""
    _, digests = release
    place = tmp_path / "site.zip"
    code = json.dumps("import matplotlib\nfrom IPython.display import HTML")
    files = {
        "index.html": "<p>no cells</p>",
        "book/a.html": page(digests, body=HIDDEN.format(code)),
        "_static/nokernel/worker.mjs": "self.onmessage = null;",
        "_static/nokernel/driver.py": "driver = 1",
        "_static/nokernel/own-1.whl": "own wheel",
        "_static/nokernel/files/book/numbers.txt": "1 2 3",
        "_static/other.py": "not for Python in the page",
    }
    with zipfile.ZipFile(place, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"course/{name}", text)
    return place


# ── The release ──


def test_a_module_brings_its_package_and_what_that_depends_on():
    assert with_depended(PACKAGES, {"pylab", "json"}) == ["matplotlib", "numpy", "six"]


def test_modules_are_read_from_import_lines():
    code = "import numpy as np\n    from scipy.stats import norm\n# import torch\n"
    assert imported([code, "x = 1\nimport six"]) == {"numpy", "scipy", "six"}


def test_files_are_the_core_and_the_packages_that_are_imported(release):
    folder, digests = release
    files = Release(NOWHERE, digests, [folder]).files({"matplotlib"})
    wheels = {"matplotlib-1.whl", "numpy-1.whl", "six-1.whl"}
    assert {*files} == {*CORE, *wheels}
    assert files["six-1.whl"] == b"the wheel of six"


@pytest.mark.parametrize("name", [*CORE, "numpy-1.whl"])
def test_another_file_under_its_name_is_refused(release, name):
    folder, digests = release
    (folder / name).write_bytes((folder / name).read_bytes() + b" ")
    with pytest.raises(ValueError, match=f"{re.escape(name)} is another file"):
        Release(NOWHERE, digests, [folder]).files({"numpy"})


def test_where_one_folder_has_another_file_the_next_is_asked(release, tmp_path):
    folder, digests = release
    (tmp_path / "pyodide.mjs").write_text("of another version")
    found = Release(NOWHERE, digests, [tmp_path, folder]).files(())
    assert found["pyodide.mjs"] == b"what pyodide.mjs holds"


@pytest.mark.parametrize("name", [LOCK, "numpy-1.whl"])
def test_what_is_nowhere_is_named_with_what_to_do(release, name):
    folder, digests = release
    (folder / name).unlink()
    words = rf"{re.escape(name)} is not to be had\. .*{NOWHERE}.*PYODIDE_DIR"
    with pytest.raises(FileNotFoundError, match=words):
        Release(NOWHERE, digests, [folder]).files({"numpy"})


def test_nothing_is_taken_that_cannot_be_compared(release):
    folder, digests = release
    del digests["pyodide.asm.js"]
    with pytest.raises(ValueError, match=r"which pyodide\.asm\.js is the right one"):
        Release(NOWHERE, digests, [folder]).files(())


# ── The pages ──


@pytest.mark.parametrize("up", ["", "../", "../../"])
def test_a_page_finds_python_in_its_folder_and_may_compile_it(up):
    before = page({}, up=up)
    after = with_python(before)
    assert f' data-pyodide="{up}_static/pyodide/"' in after
    starter = after.index(f'src="{up}_static/nokernel/in-folder.js"')
    assert starter < after.index(f'src="{up}_static/nokernel/start.js')
    rule = re.compile(r"script-src ([^;]*);")
    assert rule.search(after)[1] == f"{rule.search(before)[1]} {COMPILES}"
    others = [rule.sub("", html).partition("<script")[0] for html in (before, after)]
    assert others[0] == others[1]


def test_a_page_without_cells_stays_as_it_is():
    html = with_policy('<head><meta charset="utf-8"></head>')
    assert with_python(html) == html


def test_a_page_without_policy_is_refused():
    html = page({}).replace("script-src", "style-src")
    with pytest.raises(ValueError, match="0 rules for scripts"):
        with_python(html)


def test_all_that_runs_is_read_the_hidden_too():
    html = page({}, body=HIDDEN.format('"import six\\n"'))
    assert sources(parsed(html)) == ["1 + 1", "import six\n"]


# ── The zip ──


def unpacked(text):
    """The bytes that a script holds."""
    inside = re.fullmatch(rb'nokernelHeld\("([^"]*)"\);\n', text)[1]
    return gzip.decompress(base64.b64decode(inside))


def test_a_script_holds_the_bytes():
    data = bytes(range(256)) * 3
    assert unpacked(script(data)) == data


def test_all_that_python_fetches_lies_beside_itself_as_a_script(
    site, release, tmp_path
):
    target = tmp_path / "new" / "python.zip"
    assert pack(site, target, [release[0]]) == {"book/a.html": 1}
    top, files = read_site(target)
    assert top == "course-python"
    held = {name for name, data in files.items() if data.startswith(b"nokernelHeld")}
    wheels = ("matplotlib-1.whl", "numpy-1.whl", "six-1.whl")
    own = ("driver.py", "own-1.whl", "files/book/numbers.txt")
    assert held == {
        *(f"_static/pyodide/{name}.js" for name in (*CORE, *wheels)),
        *(f"_static/nokernel/{name}.js" for name in own),
    }
    assert unpacked(files["_static/nokernel/own-1.whl.js"]) == b"own wheel"
    assert b"Mozilla Public License 2.0" in files["_static/pyodide/NOTICE.txt"]
    assert b"self.onmessage = null;" in files["_static/nokernel/in-folder.js"]


def test_it_is_the_same_byte_for_byte_each_time(site, release, tmp_path):
    targets = [tmp_path / name for name in ("first.zip", "second.zip")]
    for target in targets:
        pack(site, target, [release[0]])
    assert targets[0].read_bytes() == targets[1].read_bytes()


def test_a_site_without_cells_is_refused(tmp_path):
    place = tmp_path / "site.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("course/index.html", "<p>")
    with pytest.raises(ValueError, match="no page has cells that run"):
        pack(place, tmp_path / "python.zip")


# ── The tool ──


@pytest.fixture
def built(tmp_path, site, monkeypatch):
    """A checkout with a site that is built, where npm has no Pyodide."""
    html = tmp_path / "_build" / "html"
    (html / "book").mkdir(parents=True)
    (html / "downloads").mkdir()
    site.rename(html / "downloads" / "site.zip")
    links = f"{BEGIN}<ul>\n<li>site</li>\n<li>notebooks</li>\n</ul>{END}"
    (html / "book" / "index.html").write_text(links)
    monkeypatch.setattr(bundle_python, "NPM", tmp_path / "none")
    monkeypatch.delenv("PYODIDE_DIR", raising=False)
    return html


def test_the_first_page_offers_it_once_with_its_size(
    built, release, monkeypatch, capsys
):
    monkeypatch.setenv("PYODIDE_DIR", str(release[0]))
    for _ in range(2):
        bundle_python.main(built.parents[1])
    text = (built / "book" / "index.html").read_text()
    assert re.findall(r"<li[^>]*>(?:<a href=\"([^\"]*)\")?", text) == [
        "",
        "../downloads/site-with-python.zip",
        "",
    ]
    assert re.search(r"\(zip, \d+ MB\)", text)
    assert "1 cells on 1 pages" in capsys.readouterr().out


def test_what_stood_still_stands(built, release, monkeypatch):
    """The next `make book` builds nothing, and leaves the zip where it is."""
    monkeypatch.setenv("PYODIDE_DIR", str(release[0]))
    bundle_python.Build(built.parents[1]).note()
    bundle_python.main(built.parents[1])
    assert bundle_python.Build(built.parents[1]).stands()


def test_who_keeps_the_site_keeps_the_page_that_offers_it(built, release, monkeypatch):
    """The worker holds digests: one of the page before the offer would keep nothing."""
    monkeypatch.setenv("PYODIDE_DIR", str(release[0]))
    settings = {"start": "book/index.html", "python": "", "digests": {}, "patterns": []}
    write_worker(built, settings)
    bundle_python.main(built.parents[1])
    first, _ = (built / WORKER).read_text().split("\n", 1)
    told = json.loads(first.removeprefix(WORKER_BEGIN).removesuffix(";"))
    page = (built / "book" / "index.html").read_bytes()
    assert told["files"]["book/index.html"] == digest_of(page)


def test_without_pyodide_it_ends_with_a_sentence_and_offers_nothing(built):
    before = (built / "book" / "index.html").read_text()
    with pytest.raises(SystemExit, match=r"not made: pyodide\.mjs is not to be had\. "):
        bundle_python.main(built.parents[1])
    assert (built / "book" / "index.html").read_text() == before
    assert not (built / "downloads" / bundle_python.NAME).exists()


def test_a_folder_that_is_none_is_named(built, monkeypatch):
    monkeypatch.setenv("PYODIDE_DIR", "/no/such/folder")
    with pytest.raises(
        SystemExit, match="PYODIDE_DIR is not a folder: /no/such/folder"
    ):
        bundle_python.main(built.parents[1])
