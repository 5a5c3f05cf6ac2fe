"""Search finds lessons, terms of the glossary and names in code, also in a folder."""

import pytest
from built_site import HTML, PAINTED
from playwright.sync_api import expect

FOUND = {
    "temperature": "book/04_softmax.html",  # a lesson's term
    "saturation": "book/glossary.html",  # a term of the glossary
    "causal_mask": "book/api.html",  # a name in code
    "use a part": "book/use_a_part.html",  # a title
}
FOLDER = ("temperature", "folder")  # once: what differs is how the index is read
# A word, a page in which it is first found, and what is then to be seen.
MARKED = {
    "covered": (
        "origin",
        "02_queries_keys_values",
        ".nk-covered:not([hidden]) .highlighted",
    ),
    "in a fold": ("underflow", "04_softmax", "details[open] .highlighted"),
    "in TeX": ("sqrt", "06_multi_head", ".katex:has(.highlighted)"),
    "in feedback": (
        "whoever",
        "02_queries_keys_values",
        ".nk-choice:has(.highlighted)",
    ),
}


@pytest.mark.parametrize(
    ("word", "home"),
    [
        pytest.param(word, home, marks=pytest.mark.pages(FOUND[word]))
        for word, home in [*dict.fromkeys(FOUND, "served").items(), FOLDER]
    ],
)
def test_finds(open_page, site, word, home):
    address = site if home == "served" else HTML.as_uri()
    page = open_page(f"search.html?q={word}", home=address)
    page.locator("#search-results p.search-summary:not(:empty)").wait_for()
    links = page.locator("#search-results ul.search > li > a")
    found = links.evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert any(FOUND[word] in link for link in found), found
    assert page.watch.clean(), page.watch.errors


CARDS = {
    "who_shares": ("GQA", "MQA", "MLA"),
    "where_a_word_stands": ("RoPE", "YaRN", "NTK", "NoPE", "M-RoPE", "ALiBi"),
    "how_far_it_looks": ("DSA", "CSA"),
    "instead_of_softmax": ("DeltaNet", "KDA", "Mamba-2"),
    "tame_scores": ("QK-norm", "QK-clip", "soft cap"),
    "bits": ("FP8",),
    "many_users": ("prefix caching", "speculative decoding"),
    "around_attention": ("SwiGLU", "MoE", "BPE"),
    "one_mask": ("block diffusion", "left padding"),
}
NAMES = ["MHA", "backpropagation", *(name for one in CARDS.values() for name in one)]
LINES = {
    "index_topk": "how_far_it_looks",
    "num_experts_per_tok": "around_attention",
    "kv_lora_rank": "who_shares",
}
HITS = """words => Search._performSearch(...Search._parseQuery(words)).reverse()
    .map((hit) => hit.slice(0, 3))"""


@pytest.fixture(scope="module")
def results(browser, site):
    """The page of results, opened once for many words."""
    page = browser.new_page()
    page.goto(f"{site}/search.html?q=GQA")
    page.locator("#search-results ul.search > li > a").first.wait_for()
    yield page
    page.close()


@pytest.mark.pages("book/glossary.html")
def test_a_name_of_the_field_leads_to_what_the_glossary_says_of_it(results):
    for name in NAMES:
        hits = results.evaluate(HITS, name)
        assert hits[0][0] == "book/glossary", name
        assert any(at.startswith("#term-") for _, _, at in hits), name


@pytest.mark.pages(*(f"book/{page}.html" for page in CARDS))
def test_a_name_of_the_field_leads_to_its_card(results):
    """A line of a configuration does so as well: among the first three hits."""
    cards = {name: one for one, names in CARDS.items() for name in names}
    for name, card in (cards | LINES).items():
        first = [hit[0] for hit in results.evaluate(HITS, name)[:3]]
        assert f"book/{card}" in first, name


@pytest.mark.pages("book/08_encoder.html")
def test_finds_the_word_of_the_story(open_page):
    page = open_page("search.html?q=it")
    excerpt = page.locator("li:has(> a[href$='book/08_encoder.html']) p.context")
    assert " it " in excerpt.inner_text()
    assert page.watch.clean(), page.watch.errors


@pytest.mark.pages("book/02_queries_keys_values.html")
def test_an_excerpt_has_a_formula_once_and_without_tex(open_page):
    page = open_page("search.html?q=mirror")
    excerpt = page.locator("li:has(a[href*='02_queries']) p.context")
    excerpt.wait_for()
    assert "x⋅y and y⋅x are the same number" in excerpt.inner_text()


@pytest.mark.parametrize(
    ("word", "name", "seen"),
    [
        pytest.param(*how, id=where, marks=pytest.mark.pages(f"book/{how[1]}.html"))
        for where, how in MARKED.items()
    ],
)
def test_a_hit_leads_to_its_first_mark(open_page, word, name, seen):
    page = open_page(f"search.html?q={word}")
    if word == MARKED["covered"][0]:  # as on a phone, where figures come late
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    page.locator(f"ul.search > li > a[href*='{name}']:not([href*='#'])").click()
    page.wait_for_url(f"**/{name}*")
    expect(page.locator(f"article {seen}").first).to_be_in_viewport()
    assert page.watch.clean(), page.watch.errors


@pytest.mark.pages("book/glossary.html")
def test_a_hit_with_a_place_in_its_address_leads_there(open_page):
    page = open_page("search.html?q=value")
    page.locator("ul.search > li > a[href$='#term-value']").click()
    page.locator("article .highlighted").first.wait_for()
    page.evaluate(PAINTED)  # in which nothing is to happen
    expect(page.locator("#term-value")).to_be_in_viewport()


@pytest.mark.pages("book/03_scaling.html")
def test_opens_with_the_keyboard_and_leads_to_results(open_page):
    page = open_page("book/03_scaling.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=softmax")
    page.locator("#search-results ul.search > li").first.wait_for()


@pytest.mark.pages("book/03_scaling.html", "book/glossary.html")
def test_first_use_of_a_term_leads_to_the_glossary(open_page):
    page = open_page("book/03_scaling.html")
    term = page.locator("a.aw-term[href$='#term-query']")
    assert term.count() == 1
    term.focus()
    tip = "getComputedStyle(document.activeElement, '::after')"
    assert page.evaluate(f"{tip}.display") != "none"
    assert "(n_queries, d_k)" in page.evaluate(f"{tip}.content")
    term.click()
    page.wait_for_url("**/glossary.html#term-query")


@pytest.mark.pages("book/05_weighted_sum.html", "book/glossary.html")
def test_a_symbol_shows_its_shape(open_page):
    page = open_page("book/05_weighted_sum.html")
    symbol = page.locator("a.aw-term[href$='#symbol-query']")
    assert symbol.get_attribute("data-tip") == "Shape (n_queries, d_k)"
