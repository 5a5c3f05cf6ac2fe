"""The zips that readers take along: the site works from a folder, the notebooks run."""

import re
import shutil
import zipfile

import pytest
import rehearse
import release
from built_site import HTML

from attncourse.teach import handed_in

DOWNLOADS = HTML / "downloads"
OURS = ("attncheck", "attnconfig", "attncourse", "attnlib", "named_mistakes")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The site's zip, unpacked."""
    target = tmp_path_factory.mktemp("bundle")
    with zipfile.ZipFile(DOWNLOADS / "site.zip") as archive:
        archive.extractall(target)
    (top,) = target.iterdir()
    return top


@pytest.fixture
def open_file(open_page, folder):
    return lambda name: open_page(name, home=folder.as_uri())


def test_first_page_links_to_both(open_page):
    page = open_page("book/index.html")
    for name in ("site.zip", "notebooks.zip"):
        link = page.locator(f"a[href$='downloads/{name}']")
        assert link.is_visible()


ANSWER = """def my_own(scores, d_k):
    return scores / d_k
check("scale_scores", my_own)"""


@pytest.mark.pages("book/03_scaling.html")
def test_a_page_that_cannot_run_says_what_can_and_saves_what_was_written(
    open_page, folder, tmp_path
):
    page = open_page(
        "book/03_scaling.html", home=folder.as_uri(), accept_downloads=True
    )
    assert page.evaluate("mountWidgets.ready.then(({ still }) => still)") == 0
    save = page.get_by_role("button", name="Save my answers")
    told = page.locator(".aw-saving .aw-told")
    save.click()
    assert told.inner_text() == "Nothing to save yet: write an exercise first."
    task = page.locator(".cell.aw-task").nth(1)
    task.get_by_role("button", name=re.compile("^Edit ")).click()
    task.locator("textarea").fill(ANSWER)
    task.get_by_role("button", name=re.compile("^Run ")).click()
    status = task.locator(".live-status")
    assert "the same with Python inside" in status.inner_text()
    assert "site-with-python.zip" in status.inner_text()
    with page.expect_download() as waiting:
        save.click()
    assert "what you wrote on 1 page without running it" in told.inner_text()
    waiting.value.save_as(tmp_path / "mine.json")
    (answer,) = handed_in.read(tmp_path / "mine.json").answers
    assert (answer.exercise, answer.function) == ("scale_scores", "my_own")
    assert answer.source.startswith(ANSWER.partition("\ncheck")[0])
    assert page.watch.clean()


@pytest.mark.pages("book/03_scaling.html")
def test_where_the_site_is_known_the_zip_with_python_inside_is_linked(
    open_page, folder, tmp_path
):
    copy = tmp_path / "site"
    shutil.copytree(folder, copy)
    path, at = copy / "book/03_scaling.html", "https://example.org/zip"
    html = path.read_text(encoding="utf-8")
    html = re.sub(r'data-inside-at="[^"]*"', "", html)
    html = html.replace("data-inside=", f'data-inside-at="{at}" data-inside=')
    path.write_text(html, encoding="utf-8")
    page = open_page("book/03_scaling.html", home=copy.as_uri())
    cell = page.locator(".cell.nk-runs").first
    cell.get_by_role("button", name=re.compile("^Run ")).click()
    link = cell.locator(".live-status a")
    assert (link.inner_text(), link.get_attribute("href")) == (
        "site-with-python.zip",
        at,
    )


def test_folder_opens_at_its_index_and_offers_no_zip(open_file, folder):
    page = open_file("index.html")
    page.wait_for_url("**/book/index.html")
    assert page.locator("a[href*='downloads/']").count() == 0
    assert page.watch.clean()
    zips = [path.name for path in folder.rglob("*.zip")]
    assert zips == ["attention-vectors.zip"]  # of the page that tells of them


def test_links_in_the_folder_are_those_of_the_site(folder):
    inside = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    site = {path.relative_to(HTML) for path in HTML.rglob("*") if path.is_file()}
    left_out = {str(path) for path in site - inside}
    assert inside <= site
    offered = ("site.zip", "notebooks.zip", "site-with-python.zip", "book.epub")
    served = {".buildinfo", "service-worker.js", "site.webmanifest"}
    assert left_out <= {*served, *(f"downloads/{name}" for name in offered)}


def test_the_real_model_comes_along(folder):
    """Its weights were there at the build: `make env` installs them."""
    place = folder / "_static" / "minilm"
    assert '"there":true' in (place / "manifest.js").read_text(encoding="utf-8")
    assert len(list(place.glob("weights-*.js"))) == 24
    assert len(list(place.glob("words-*.js"))) == 120


def test_notebooks_come_with_the_packages_they_use(tmp_path, plain_copies):
    with zipfile.ZipFile(DOWNLOADS / "notebooks.zip") as archive:
        archive.extractall(tmp_path)
    (top,) = tmp_path.iterdir()
    wheels = sorted(wheel.name for wheel in top.glob("*.whl"))
    names = [name.split("-")[0] for name in wheels]
    assert names == ["array_api_compat", *OURS]
    served = (HTML / "_static" / "nokernel").glob("*.whl")
    assert sorted(path.name.split("-")[0] for path in served) == names
    readme = (top / "README.txt").read_text(encoding="utf-8")
    assert all(name in readme for name in wheels)
    for place, text in plain_copies:
        assert (top / place).read_text(encoding="utf-8") == text


def test_a_release_keeps_what_readers_download(tmp_path, monkeypatch):
    """With the book as PDF, which is printed apart: here a stand-in."""
    monkeypatch.setattr(rehearse, "DIST", tmp_path)
    monkeypatch.setattr(rehearse, "PDF", tmp_path / "book.pdf")
    rehearse.PDF.write_bytes(b"%PDF")
    rehearse.collect_assets()
    kept = {path.name: path for path in (tmp_path / "assets").iterdir()}
    version = release.only_version()
    for name in ("site.zip", "notebooks.zip"):
        stem, _, ending = name.partition(".")
        copy = kept[f"{stem}-{version}.{ending}"]
        assert copy.read_bytes() == (DOWNLOADS / name).read_bytes()
    assert f"book-{version}.pdf" in kept
