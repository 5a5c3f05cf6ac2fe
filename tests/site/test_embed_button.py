"""*Embed* under a figure: its code works where pasted, its picture stands alone."""

import io
import re
from html import escape

import pytest
from built_site import HTML, PHONE, WIDE, Watch, resize, wait_for, wait_until
from PIL import Image

PAGE = "book/04_softmax.html"
TITLE = "Three scores, their exponentials, and the shares that softmax makes of them"
CLIPBOARD = ["clipboard-read", "clipboard-write"]
STATE = "document.querySelector('.aw-view').figure.state"
pytestmark = pytest.mark.pages(PAGE)


@pytest.fixture
def page(visit):
    """The lesson, whose figure has been moved, and its box opened by keyboard."""
    opened = visit(PAGE, permissions=CLIPBOARD)
    opened.get_by_label("Temperature").first.press("Home")
    if not box(opened).is_visible():
        opened.get_by_role("button", name=f"Embed: {TITLE}").press("Enter")
    return opened


def box(page):
    return page.get_by_role("group", name=f"Embed: {TITLE}")


def test_its_code_works_in_a_bare_page(page, browser, site):
    box(page).get_by_role("button", name="Copy code").press("Enter")
    box(page).get_by_role("status").filter(has_text="Code copied.").wait_for()
    code = page.evaluate("navigator.clipboard.readText()")
    assert f'title="{TITLE}"' in code
    context = browser.new_context(viewport=PHONE)
    host = context.new_page()
    watch = Watch(host, site)
    body = f"<!doctype html><title>Host</title>{code}"
    host.route("**/host", lambda one: one.fulfill(body=body, content_type="text/html"))
    host.goto(f"{site}/host")
    frame = host.locator("iframe")
    given = int(re.search(r'height="(\d+)"', code)[1])
    wait_for(host, lambda: int(frame.get_attribute("height")) != given)
    inside = host.frames[1]
    assert inside.evaluate(STATE) == page.evaluate(STATE)
    assert inside.evaluate(STATE)["temperature"] == 0.25
    assert watch.clean(), watch.errors
    context.close()


POST = "<p>Some words of a post. </p>" * 60
BLOCK = '<iframe sandbox="allow-scripts" style="width:100%;height:{}px" srcdoc="{}">'
HOSTS = {
    "blog": lambda code: (
        f'<body style="max-width:42rem;margin:auto">{POST}{code}{POST}'
    ),
    "learning platform": lambda code: (
        f"{POST}{BLOCK.format(4500, escape(POST + code))}"
    ),
    "slide deck": lambda code: (
        '<section style="width:960px;transform:scale(0.4);transform-origin:0 0">'
        f'<div id="slide" style="display:none">{code}</div></section>'
    ),
}
SHOWS = "document.querySelector('#slide')?.style.removeProperty('display')"
HIGH = "document.documentElement.getBoundingClientRect().height"


def colors(png):
    return len(Image.open(io.BytesIO(png)).getcolors(1 << 20))


@pytest.fixture
def code(page):
    """What is to be pasted."""
    return box(page).get_by_label("Code", exact=True).input_value()


@pytest.mark.parametrize(
    ("kind", "screen"), [*((kind, WIDE) for kind in HOSTS), ("blog", PHONE)]
)
def test_in_a_host_it_is_drawn_unasked_and_has_its_height(
    code, browser, serve, tmp_path, kind, screen
):
    context = browser.new_context(viewport=screen)
    host = context.new_page()
    meta = "<meta name=viewport content=width=device-width>"
    text = f"<!doctype html>{meta}{HOSTS[kind](code)}"
    (tmp_path / "host.html").write_text(text, encoding="utf-8")
    host.goto(f"{serve(tmp_path)}/host.html")
    wait_for(host, lambda: any("/embed/" in one.url for one in host.frames))
    (inside,) = (one for one in host.frames if "/embed/" in one.url)
    inside.locator(".aw-view svg").first.wait_for(state="attached")  # out of sight
    host.evaluate(SHOWS)
    frame = inside.frame_element()
    frame.evaluate("one => one.scrollIntoView()")
    high = "one => Number(one.height)"
    wait_for(host, lambda: abs(frame.evaluate(high) - inside.evaluate(HIGH)) <= 1)
    wait_for(host, lambda: colors(frame.screenshot()) > 100)  # painted a moment later
    context.close()


# Tags, and comments as WordPress reads them for authors who may not write scripts.
TAKEN_OUT = re.compile(r"<!--[^<>]*-->|<(?!!)[^>]*>")


def test_where_its_tags_are_taken_out_nothing_is_left_to_read(code):
    assert not TAKEN_OUT.sub("", code).strip()


def test_its_code_follows_the_figure_and_escape_closes_it(page):
    code = box(page).get_by_label("Code", exact=True)
    assert "temperature=0.25" in code.input_value()
    page.get_by_label("Temperature").first.press("End")
    assert "temperature=5" in code.input_value()
    link = box(page).get_by_role("link").get_attribute("href")
    assert "temperature=5" in link
    code.press("Escape")
    button = page.get_by_role("button", name=f"Embed: {TITLE}")
    assert button.get_attribute("aria-expanded") == "false"
    assert not code.is_visible()
    assert button.evaluate("one => one === document.activeElement")


def test_without_a_clipboard_the_code_is_selected(page):
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(0); }")
    box(page).get_by_role("button", name="Copy code").press("Enter")
    box(page).get_by_role("status").filter(has_text="Code selected: press").wait_for()
    assert page.evaluate("getSelection().toString()").startswith("<iframe ")
    page.evaluate("delete navigator.clipboard.writeText")


def test_the_credit_names_title_address_and_license(page, site):
    credit = box(page).get_by_label("Credit", exact=True).input_value()
    assert credit.startswith(f"Figure: {TITLE}. From ")
    assert page.title() in credit
    assert f"{site}/{PAGE}" in credit
    assert credit.endswith("CC BY 4.0.")


def test_its_picture_is_the_present_one_and_needs_no_style(page, browser, tmp_path):
    with page.expect_download() as got:
        box(page).get_by_role("button", name="Picture as SVG").press("Enter")
    assert got.value.suggested_filename == "softmax.svg"
    svg = tmp_path / "softmax.svg"
    got.value.save_as(svg)
    text = svg.read_text(encoding="utf-8")
    assert f"<title>{TITLE}</title>" in text
    assert not re.search(r"var\(|class=|[\w-]:;", text)
    assert re.search(r"<text [^>]*font-size:1[\d.]+px;font-weight:600", text)
    assert "CC BY 4.0" in text
    shown = page.locator(".aw-softmax svg.aw-svg text:visible").all_text_contents()
    assert "shares" in shown
    assert [word for word in shown if word not in text] == []
    fill = "getComputedStyle(document.querySelector('{}')).fill"
    ours = page.evaluate(fill.format(".aw-softmax svg.aw-svg rect"))
    assert ours in text
    with page.expect_download() as got:
        box(page).get_by_role("button", name="Picture as PNG").press("Enter")
    png = tmp_path / "softmax.png"
    got.value.save_as(png)
    assert png.read_bytes()[1:4] == b"PNG"
    assert png.stat().st_size > 5_000
    assert page.watch.clean(), page.watch.errors


@pytest.mark.pages("book/11_two_layers_that_copy.html")
def test_its_picture_has_the_headings_of_its_drawings(open_page):
    page = open_page("book/11_two_layers_that_copy.html")
    view = page.locator(".aw-view", has=page.get_by_role("button", name="Train"))
    view.get_by_role("button", name=re.compile("^Embed: ")).click()
    headings = view.locator(".aw-heading:visible").all_inner_texts()
    assert any("One layer: loss before training" in one for one in headings)
    with page.expect_download() as got:
        view.get_by_role("button", name="Picture as SVG").click()
    text = got.value.path().read_text(encoding="utf-8")
    assert [one for one in headings if f">{one}</text>" not in text] == []


@pytest.mark.pages("book/14_read_a_model.html", "book/a_model_that_writes.html")
@pytest.mark.parametrize("name", ["14_read_a_model", "a_model_that_writes"])
def test_where_most_is_text_no_picture_is_offered(open_page, name):
    page = open_page(f"book/{name}.html")
    page.get_by_role("button", name=re.compile("^Embed: ")).click()
    box = page.get_by_role("group", name=re.compile("^Embed: "))
    assert "/embed/" in box.get_by_label("Code", exact=True).input_value()
    assert box.get_by_role("button", name="Picture").count() == 0
    assert page.watch.clean(), page.watch.errors


def test_from_a_folder_it_says_where_its_address_leads(open_page):
    page = open_page(PAGE, home=HTML.as_uri())
    page.get_by_role("button", name=f"Embed: {TITLE}").click()
    assert "leads nowhere from another computer" in box(page).inner_text()
    assert page.watch.clean(), page.watch.errors


def test_it_fits_the_page(page):
    page.emulate_media(color_scheme="dark")
    for screen in (WIDE, PHONE):
        resize(page, screen)
        around = page.locator(".aw-softmax").bounding_box()
        inner = box(page).bounding_box()
        assert inner["x"] >= around["x"]
        assert inner["x"] + inner["width"] <= around["x"] + around["width"] + 1
        wait_until(page, "document.documentElement.scrollWidth <= innerWidth")
