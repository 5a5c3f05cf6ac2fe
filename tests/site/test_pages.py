"""Every page of the built site: no errors, no other hosts, accessible, fits a phone."""

import re

import pytest
from built_site import HTML, PHONE, ROOT, WIDE, real_pages

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
ELSEWHERE = re.compile(
    r"""<(?:script|link|img|iframe|source)\b[^>]*\s(?:src|href)=["'](?:https?:)?//"""
)


@pytest.fixture(params=real_pages())
def name(request):
    return request.param


def test_there_are_pages():
    assert len(real_pages()) >= 3


def test_the_first_address_leads_to_the_landing_page(open_page):
    page = open_page("index.html")
    page.wait_for_url("**/book/index.html")


def test_loads_without_error_or_other_host(open_page, name):
    page = open_page(name)
    assert page.watch.errors == []
    assert page.watch.strangers == []


def test_source_names_no_other_host(name):
    canonical = re.compile(r'<link rel="canonical"[^>]*>')
    html = canonical.sub("", (HTML / name).read_text())
    assert ELSEWHERE.findall(html) == []


def test_styles_name_no_other_host():
    for style in HTML.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", style.read_text()), style


@pytest.mark.parametrize(
    ("theme", "screen"),
    [("light", WIDE), ("dark", WIDE), ("light", PHONE)],
    ids=["light", "dark", "phone"],
)
def test_axe_finds_nothing(open_page, name, theme, screen):
    """Neither a violation of WCAG, however minor, nor of axe's best practices."""
    page = open_page(name, color_scheme=theme, viewport=screen)
    page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run()")["violations"]
    assert [
        (violation["id"], violation["nodes"][0]["target"], violation["help"])
        for violation in found
    ] == []


@pytest.mark.parametrize("width", [320, 720], ids=["320 px", "zoomed to 200%"])
def test_fits_narrow_screens(open_page, name, width):
    page = open_page(name, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_fits_a_phone(open_page, name):
    page = open_page(name, viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


# All but the page for no page, which only a host shows.
@pytest.mark.parametrize("name", sorted({*real_pages()} - {"404.html"}))
def test_scripts_all_parse_from_file(open_page, name):
    page = open_page(name, home=HTML.as_uri())
    assert page.watch.errors == []
    assert page.watch.strangers == []
