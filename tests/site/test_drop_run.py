"""Lesson 16's box: a file of one run is read in the page, and nothing is uploaded."""

import base64
import io

import numpy as np
import pytest
from built_site import HTML, PHONE, Watch, uncover, wait_until
from python_here import BY_EACH, python_for

from attnlib import scaled_dot_product_attention

LESSON = "book/16_ask_any_attention.html"
pytestmark = pytest.mark.pages(LESSON)
DROP = """([name, data]) => {
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name));
    const box = document.querySelector(".aw-drop-run");
    box.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
}"""


def wrong_scale():
    """The arrays of a run whose scores were not scaled."""
    query, key, value = np.random.default_rng(0).standard_normal((3, 1, 2, 24, 16))
    output = scaled_dot_product_attention(query, key, value, scale=1.0)
    named = {"query": query, "key": key, "value": value, "output": output}
    return {name: x.astype(np.float32) for name, x in named.items()}


def as_text(arrays):
    """A file of arrays, in base64."""
    np.savez(file := io.BytesIO(), **arrays)
    return base64.b64encode(file.getvalue()).decode()


arrays = pytest.fixture(wrong_scale)


@pytest.fixture(scope="module", params=BY_EACH)
def lesson(request, browser, site):
    """On a phone, with Python at hand and no network."""
    page = browser.new_context(viewport=PHONE).new_page()
    page.watch = Watch(page, site)
    page.goto(f"{site}/{LESSON}")
    uncover(page)
    python_for(page, request.param, LESSON)
    yield page
    assert page.watch.errors == []
    assert page.watch.strangers == []
    page.context.close()


def choose(page, path):
    page.locator(".aw-drop-run input[type=file]").set_input_files(path)
    says = page.locator(".aw-drop-says", has_text=f"{path.name}, read in this page")
    says.wait_for(timeout=120_000)
    return page.locator(".aw-drop-report").inner_text()


def test_a_run_with_a_wrong_scale_is_told_so(lesson, tmp_path, arrays):
    np.savez(tmp_path / "mine.npz", **arrays)
    assert "multiplied by 1 (none)" in choose(lesson, tmp_path / "mine.npz")


def test_it_reads_without_a_network_once_python_is_there(lesson, tmp_path, arrays):
    np.savez(tmp_path / "mine.npz", **arrays)
    choose(lesson, tmp_path / "mine.npz")
    lesson.context.set_offline(True)
    right = arrays["query"], arrays["key"], arrays["value"]
    arrays = arrays | {"output": scaled_dot_product_attention(*right)}
    np.savez(tmp_path / "right.npz", **arrays)
    report = choose(lesson, tmp_path / "right.npz")
    lesson.context.set_offline(False)
    assert "as expected" in report


def test_a_file_may_be_dropped(lesson, arrays):
    lesson.evaluate(DROP, ["dropped.npz", as_text(arrays)])
    said = "dropped.npz, read in this page."
    lesson.locator(".aw-drop-says", has_text=said).wait_for(timeout=120_000)
    assert "multiplied by 1 (none)" in lesson.locator(".aw-drop-report").inner_text()


@pytest.mark.parametrize(("corner", "offset"), [("start", 0), ("end", 19)])
def test_a_right_causal_run_is_right_once_it_is_said_to_be_causal(
    lesson, tmp_path, arrays, corner, offset
):
    query, key, value = arrays["query"][:, :, :5], arrays["key"], arrays["value"]
    run = {"query": query, "key": key, "value": value}
    how = {"is_causal": True, "query_offset": offset}
    for name, more in (("all", {}), ("window", {"window": (2, 0)})):
        output = scaled_dot_product_attention(query, key, value, **how, **more)
        np.savez(tmp_path / f"{name}.npz", **run, output=output)
    right = lesson.locator(".aw-drop-report", has_text="as expected")
    lesson.locator("[for=aw-sees-every]").click()
    assert "this run: 1 problem." in choose(lesson, tmp_path / "all.npz")
    lesson.locator(f"[for=aw-sees-{corner}]").click()
    right.wait_for(timeout=120_000)
    keys = lesson.get_by_label("Window: how many keys")
    keys.fill("3")
    keys.press("Tab")
    assert "as expected" in choose(lesson, tmp_path / "window.npz")
    keys.fill("")
    keys.press("Tab")


def test_what_is_no_run_is_refused_by_name(lesson, tmp_path, arrays):
    (tmp_path / "notes.txt").write_text("a letter", encoding="utf-8")
    assert "must be .npz or .safetensors" in choose(lesson, tmp_path / "notes.txt")
    (tmp_path / "broken.npz").write_bytes(b"PK nothing")
    assert "could not be read" in choose(lesson, tmp_path / "broken.npz")
    np.savez(tmp_path / "half.npz", query=arrays["query"])
    report = choose(lesson, tmp_path / "half.npz")
    assert "must hold key, value, output too" in report


WAITS = """() => { window.nokernelPython = (code, file, tell) =>
    new Promise(() => { window.tell = tell; }); }"""


def test_a_file_that_another_overtook_says_nothing_more(open_page):
    page = open_page(LESSON)
    page.evaluate(WAITS)
    page.evaluate(DROP, ["small.npz", ""])
    wait_until(page, "Boolean(window.tell)")
    page.evaluate("Object.defineProperty(File.prototype, 'size', { value: 2 ** 27 })")
    page.evaluate(DROP, ["large.npz", ""])
    page.evaluate("tell('Getting Python')")
    assert page.locator(".aw-drop-says").inner_text().startswith("large.npz has more")


def test_without_javascript_it_says_what_to_run():
    page = (HTML / LESSON).read_text("utf-8")
    assert "drop it here. Elsewhere:" in page
    assert '<span class="pre">FILE.npz</span>' in page
    others = [
        path for path in (HTML / "book").glob("*.html") if path.name not in LESSON
    ]
    assert not any("drop-run.js" in path.read_text("utf-8") for path in others)
