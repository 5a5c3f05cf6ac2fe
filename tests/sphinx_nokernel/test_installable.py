"""A site that can be installed and kept: offered, kept whole, replaced, removed."""

import json
import os
import shutil

import nbformat
import pytest
from books import NPM, Book, Host, press_keep
from built_site import wait_until
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from sphinx_nokernel.bundles import MANIFEST, WORKER
from sphinx_nokernel.installable import BEGIN, write_again

ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
SETTINGS = {
    "html_static_path": ["own"],
    "nokernel_bundle": "book",
    "nokernel_pyodide": "python/",
    "nokernel_installable": {
        "short_name": "Book",
        "icons": ["icon.svg"],
        "colors": {"light": "#ffffff", "dark": "#111111"},
        "later": ["_static/large.*"],
    },
}
KEPT = "caches.keys().then((names) => names.sort())"
LISTED = """caches.keys().then((names) => caches.open(names[0]))
  .then((cache) => cache.keys()).then((all) => all.map((one) => one.url))"""


def notebook():
    info = {"language_info": {"name": "python", "pygments_lexer": "python3"}}
    cells = [new_markdown_cell("# Cells"), new_code_cell("1 + 1", id="sum")]
    return nbformat.writes(new_notebook(cells=cells, metadata=info))


def make(folder):
    """A book of three pages, with a page for wrong addresses."""
    folder.mkdir(exist_ok=True)
    book = Book(folder)
    book.write("index.md", "# First\n\n```{toctree}\nother\ncells\n```\n")
    book.write("other.md", "# Other\n\nWords of the first build.\n")
    book.write("cells.ipynb", notebook())
    book.write("404.md", "---\norphan: true\n---\n# There is no such page\n")
    book.write("own/icon.svg", ICON).write("own/large.js", "var large = 1;")
    book.build(**SETTINGS)
    return book


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make(tmp_path_factory.mktemp("made"))


@pytest.fixture
def book(made, tmp_path):
    """A copy of the built book, with Python beside it."""
    shutil.copytree(made.folder, tmp_path, dirs_exist_ok=True)
    book = Book(tmp_path)
    shutil.copytree(NPM, book.out / "python", copy_function=os.symlink)
    return book


@pytest.fixture
def host(book):
    host = Host(book.out)
    yield host
    host.off()


@pytest.fixture
def visit(browser, host):
    """A function that opens a page of the host, in one profile."""
    context = browser.new_context()

    def open_it(name="index.html", setup=""):
        page = context.new_page()
        page.add_init_script(setup)
        page.answer = page.goto(f"{host.address}/{name}")
        return page

    yield open_it
    context.close()


def told(book):
    first = (book.out / WORKER).read_text().split("\n", 1)[0]
    return json.loads(first.removeprefix(BEGIN).removesuffix(";"))


# ── What is written ──


def test_all_but_downloads_and_the_large_is_kept_at_once(book):
    site = told(book)
    assert {"index.html", "other.html", "404.html", "_static/icon.svg"} <= {
        *site["files"]
    }
    assert not [name for name in site["files"] if name.startswith(("down", "_sou"))]
    assert not [name for name in site["files"] if name.startswith("python/")]
    assert [*site["later"]] == ["_static/large.js"]


def test_the_same_sources_give_the_same_worker(book, tmp_path):
    again = make(tmp_path / "again")  # where there is no folder with Python
    assert (book.out / WORKER).read_bytes() == (again.out / WORKER).read_bytes()
    (book.out / "other.html").write_text("changed")
    write_again(book.out)
    before, after = told(again), told(book)
    assert before["version"] != after["version"]
    assert {**before["files"], "other.html": after["files"]["other.html"]} == after[
        "files"
    ]


def test_a_book_that_does_not_want_it_has_nothing_of_it(tmp_path):
    book = Book(tmp_path).write("index.md", "# First\n")
    assert "keep" not in book.build()
    assert not (book.out / WORKER).exists()
    assert not (book.out / MANIFEST).exists()


def test_a_folder_to_take_along_has_nothing_of_it(book, open_folder):
    book.build(**SETTINGS)  # over an earlier build
    shutil.unpack_archive(book.out / "downloads" / "site.zip", book.folder)
    folder = book.folder / "book"
    assert not (folder / WORKER).exists()
    page = open_folder(folder)
    assert page.locator("#nk-keep, link[rel=manifest]").count() == 0
    assert page.said == []


# ── Installing ──


def test_a_browser_finds_what_it_takes_to_install_it(visit):
    page = visit()
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"].endswith(f"/repo/{MANIFEST}")
    told = session.send("Page.getInstallabilityErrors")
    errors = [one["errorId"] for one in told["installabilityErrors"]]
    assert [one for one in errors if one != "in-incognito"] == []
    icons = json.loads(found["data"])["icons"]
    for icon in icons:
        size = "(src) => new Promise((done) => Object.assign(new Image(), "
        size += "{ src, onload() { done(this.naturalWidth); } }))"
        assert page.evaluate(size, icon["src"]) > 0


# ── Keeping ──


def test_nothing_is_kept_before_the_button_is_pressed(visit):
    page = visit()
    page.locator("#nk-keep button").wait_for()
    assert page.evaluate(KEPT) == []
    registered = "navigator.serviceWorker.getRegistrations().then((all) => all.length)"
    assert page.evaluate(registered) == 0


def test_with_the_network_off_all_pages_open(book, host, visit):
    page = visit()
    assert press_keep(page).startswith("It is kept: all pages open without a network.")
    assert len(page.evaluate(LISTED)) == len(told(book)["files"])
    host.off()
    for name, words in {
        "other.html?q=1#x": "Words of the first build.",
        "": "First",
        "other": "Words of the first build.",
        "cells.html": "Cells",
    }.items():
        shown = visit(name)
        assert shown.answer.status == 200, name
        assert shown.get_by_text(words).first.is_visible(), name
        assert "Helvetica" not in shown.evaluate("getComputedStyle(document.body).font")
    wrong = visit("no/such/page.html")
    assert wrong.answer.status == 404
    assert wrong.get_by_text("There is no such page").first.is_visible()
    host.on()


def test_what_is_large_is_kept_once_it_was_used(host, visit):
    page = visit()
    press_keep(page)
    load = "(src) => new Promise((done) => document.head.append(Object.assign("
    load += "document.createElement('script'), { src, onload() { done(true); }, "
    load += "onerror() { done(false); } })))"
    assert page.evaluate(load, "_static/large.js")
    has = "caches.match(new URL('_static/large.js', location)).then(Boolean)"
    wait_until(page, has)
    host.off()
    assert visit().evaluate(load, "_static/large.js")
    host.on()


def test_a_new_build_is_seen_at_once_and_replaces_the_old_one(book, host, visit):
    press_keep(visit())
    (before,) = visit().evaluate(KEPT)
    book.write("other.md", "# Other\n\nWords of the second build.\n")
    book.build(**SETTINGS)
    page = visit("other.html")
    assert page.get_by_text("Words of the second build.").is_visible()
    one_other = f"all.length === 1 && all[0] !== '{before}'"
    wait_until(page, f"caches.keys().then((all) => {one_other})")
    host.off()
    page = visit("other.html")
    assert page.get_by_text("Words of the second build.").is_visible()
    host.on()


def test_a_build_that_is_not_whole_is_not_kept(book, host, visit):
    """A file that belongs to another build: the reader is told which."""
    (book.out / "other.html").write_text("of another build")
    said = press_keep(visit())
    assert said.startswith("It could not be kept (")
    assert "other.html is not of this build" in said
    assert visit("other.html").get_by_text("of another build").is_visible()


def test_removed_nothing_of_it_is_left(visit):
    page = visit()
    page.evaluate("caches.open('nokernel http://127.0.0.1/another/ 1')")
    press_keep(page)
    page.get_by_role("button", name="Remove it from this device").click()
    page.get_by_text("Removed.").wait_for()
    assert page.evaluate(KEPT) == ["nokernel http://127.0.0.1/another/ 1"]
    page.reload()
    assert page.evaluate("navigator.serviceWorker.controller") is None


def test_once_installed_it_is_kept_by_itself(visit):
    page = visit()
    page.locator("#nk-keep button").wait_for()
    page.evaluate("dispatchEvent(new Event('appinstalled'))")
    page.get_by_text("It is kept: ").wait_for()


@pytest.mark.parametrize(
    "setup",
    [
        "Object.defineProperty(navigator, 'serviceWorker', { value: undefined })",
        "delete window.caches; delete Window.prototype.caches",
        "Object.defineProperty(Document.prototype, 'cookie', "
        "{ get() { throw new DOMException('denied', 'SecurityError'); } })",
        "document.cookie = '_xsrf=2|a|b'",
    ],
    ids=["no workers", "no caches", "a sandbox", "a Jupyter server"],
)
def test_where_it_cannot_be_nothing_is_said(visit, setup):
    page = visit(setup=setup)
    page.wait_for_load_state("load")
    assert page.locator("#nk-keep").is_hidden()
    assert page.locator("link[rel=manifest]").count() == 0


def test_in_a_frame_nothing_is_said(host, visit):
    page = visit("404.html")
    page.evaluate(
        "(src) => new Promise((done) => document.body.append(Object.assign("
        "document.createElement('iframe'), { src, onload: () => done() })))",
        f"{host.address}/index.html",
    )
    (frame,) = page.frames[1:]
    assert frame.locator("#nk-keep").is_hidden()


def test_a_browser_that_refuses_is_quoted_and_the_site_goes_on(visit):
    page = visit(
        setup="navigator.serviceWorker.register = () => "
        "Promise.reject(new DOMException('storage is denied', 'SecurityError'))"
    )
    said = press_keep(page)
    assert said.startswith("It could not be kept (storage is denied).")


# ── Python ──


def run(page):
    page.get_by_role("button", name="Run ").click()
    page.locator("[data-live=done], [data-live=failed]").wait_for(timeout=120_000)
    return page.locator(".cell").get_by_role("status").inner_text()


@pytest.mark.release
def test_python_is_kept_once_a_cell_has_run(host, visit):
    press_keep(visit())
    assert run(visit("cells.html")) == "Done."
    kept = "caches.keys().then((all) => all.find((name) => name.includes('python')))"
    kept += ".then((name) => caches.open(name)).then((cache) => cache.keys())"
    kept += ".then((all) => all.length === 5)"
    page = visit("cells.html")
    wait_until(page, kept)
    host.off()
    assert run(visit("cells.html")) == "Done."
    host.on()


def test_python_that_was_not_used_is_named_when_it_is_not_at_hand(host, visit):
    press_keep(visit())
    host.off()
    said = run(visit("cells.html"))
    assert said.startswith("Python could not be fetched: pyodide.")
    host.on()


def test_a_file_of_python_that_is_another_is_not_kept(book, visit):
    press_keep(visit())
    altered = book.out / "python" / "pyodide.asm.wasm"
    altered.unlink()
    altered.write_bytes((NPM / altered.name).read_bytes() + b" ")
    page = visit("cells.html")
    assert "is not the file that this page expects" in run(page)
    has = "(name) => caches.match(`python/${name}`).then(Boolean)"
    assert page.evaluate(has, "pyodide.mjs")
    assert not page.evaluate(has, "pyodide.asm.wasm")
