"""Search finds lessons, terms of the glossary and names in code, also in a folder."""

import re
from pathlib import Path

import nbformat
import pytest
from built_site import HTML, PAINTED
from playwright.sync_api import expect

from attncourse.site.card import options_and_body, rows, spellings

BOOK = Path(__file__).resolve().parents[2] / "book"

FOUND = {
    "temperature": "book/04_softmax.html",  # a lesson's term
    "saturation": "book/glossary.html",  # a term of the glossary
    "causal_mask": "book/api.html",  # a name in code
    "use a part": "book/use_a_part.html",  # a title
}
# A word, a page in which it is first found, and what is then to be seen.
MARKED = {
    "covered": (
        "untick",
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


# What release notes and files say, beside the names that the cards give themselves.
SAID_ELSEWHERE = {
    "who_shares": "num_key_value_heads; kv_lora_rank; paged attention",
    "where_a_word_stands": "NTK; rope_scaling; rope_parameters; mrope_section; "
    "Qwen2-VL; no_rope_layers; partial_rotary_factor",
    "how_far_it_looks": "attention sinks; gpt-oss; sliding_window; index_topk; "
    "full_attention_interval; DeepSeek V4; block sparse; add_swa_attention_sink_bias",
    "instead_of_softmax": "Kimi Delta; Mamba; gated delta rule; mamba_d_state; "
    "exclusive attention",
    "tame_scores": "QK norm; qk_norm; Muon; exploding logits; attn_logit_softcapping",
    "bits": "8 bits; bf16; quantization_config; FP4; NVFP4; MXFP4; temperature 0",
    "many_users": "in-flight batching; KV cache reuse; num_nextn_predict_layers",
    "around_attention": "mixture-of-experts; num_experts_per_tok; n_routed_experts; "
    "top_k_experts; byte pair encoding; moe_latent_size; noaux_tc",
    "one_mask": "packing; varlen; diffusion; DiffusionGemma; bidirectional; draft tree",
}
TERMS = ["MHA", "backpropagation", "GQA", "MLA", "RoPE", "YaRN", "NoPE", "DSA", "KDA"]
TERMS += ["DeltaNet", "QK-norm", "FP8", "SwiGLU", "MoE", "BPE", "continuous batching"]
TERMS += ["MTP", "NVFP4", "Muon", "LatentMoE", "Engram", "Mamba-3", "DSpark", "mHC"]
PART = re.compile(r"^:::\{model-part\}\n(.*?)^:::$", re.MULTILINE | re.DOTALL)


def names_of_cards():
    """List (page, name): how each card is called, and what else is said."""
    found = []
    for page, said in SAID_ELSEWHERE.items():
        cells = nbformat.read(BOOK / f"{page}.ipynb", as_version=4).cells
        parts = PART.findall("\n".join(one.source for one in cells))
        each = [row for one in parts for row in rows(*options_and_body(one))]
        names = [name for row in each for name in spellings(row)]
        found += [(page, name) for name in [*names, *said.split("; ")]]
    return found


HITS = """words => Search._performSearch(...Search._parseQuery(words)).reverse()
    .map((hit) => hit.slice(0, 3))"""


@pytest.fixture(scope="module")
def hits(browser, site):
    """A function that searches, and lists [page, title, place in it] of each hit."""
    page = browser.new_page()
    page.goto(f"{site}/search.html?q=GQA")
    page.locator("#search-results ul.search > li > a").first.wait_for()
    yield lambda words: page.evaluate(HITS, words)
    page.close()


@pytest.fixture
def search(visit, site):
    """A function that searches in one page after the other, as a reader does."""

    def of(words):
        page = visit("search.html")
        page.goto(f"{site}/search.html?q={words}")
        return page

    return of


@pytest.mark.pages(*FOUND.values())
def test_finds(hits):
    first = {word: [f"{page}.html" for page, *_ in hits(word)] for word in FOUND}
    assert {word for word in FOUND if FOUND[word] not in first[word]} == set()


@pytest.mark.pages("book/04_softmax.html")
def test_finds_in_a_folder(open_page):
    """What differs is how the index is read."""
    page = open_page("search.html?q=temperature", home=HTML.as_uri())
    page.locator("ul.search > li > a[href^='book/04_softmax']").first.wait_for()
    assert page.watch.clean(), page.watch.errors


@pytest.mark.pages("book/glossary.html")
def test_a_name_of_the_field_leads_to_what_the_glossary_says_of_it(hits):
    for name in TERMS:
        first = hits(name)[:3]
        places = [at for page, _, at in first if page == "book/glossary"]
        assert any(at.startswith("#term-") for at in places), (name, first)


@pytest.mark.pages(*(f"book/{page}.html" for page in SAID_ELSEWHERE))
def test_whatever_a_part_is_called_its_card_is_among_the_first_three_hits(hits):
    missed = {
        name: first
        for page, name in names_of_cards()
        if f"book/{page}" not in (first := [hit[0] for hit in hits(name)[:3]])
    }
    assert missed == {}


FIRST = {  # the card that is to answer what this year's release notes say
    "around_attention#residuals-over-depth": "attention residuals; mHC; Block AttnRes",
    "around_attention#swiglu": "SiTU-GLU",
    "one_mask#trees-of-drafts": "EAGLE-3",
    "around_attention#moe-dropped-and-balanced": "auxiliary-loss-free balancing",
    "around_attention#moe-stored-and-used": "LatentMoE; moe_latent_size",
    "around_attention#engram": "Engram; conditional memory",
    "bits#fp4": "NVFP4",
    "bits#turboquant": "TurboQuant; QJL",
    "how_far_it_looks#csa-and-hca": "CSA and HCA; NSA",
    "instead_of_softmax#gates-on-the-output": "gated attention",
    "instead_of_softmax#mamba-3": "Mamba-3; Mamba3",
    "many_users#mtp": "MTP; multi-token prediction; num_nextn_predict_layers",
    "many_users#prefill-and-decode": "PD disaggregation",
    "many_users#speculative-decoding": "speculative decoding",
    "one_mask#dflash": "DFlash; DSpark; P-EAGLE",
    "tame_scores#differential": "DIFF V2",
    "tame_scores#muon": "Muon",
    "where_a_word_stands#nope-and-partial": "p-RoPE; proportional RoPE",
}


@pytest.mark.pages(*(f"book/{page}.html" for page in SAID_ELSEWHERE))
def test_the_first_hit_of_a_name_of_this_year_is_its_card(hits):
    for card, said in FIRST.items():
        for page, _, place in (hits(name)[0] for name in said.split("; ")):
            assert f"{page}{place}".startswith(f"book/{card}")


NAMES = {  # what is looked for, and two places among the first five
    "DSA lightning indexer": ("glossary#term-DSA", "how_far_it_looks#dsa"),
    "Gated DeltaNet, KDA": ("instead_of_softmax#deltanet", "instead_of_softmax#kda"),
    "QK-clip Muon": ("glossary#term-QK-clip", "tame_scores#qk-clip"),
    "Qwen3-Next": ("instead_of_softmax#deltanet", "how_far_it_looks#full-attention"),
    "gpt-oss": ("all_families#family-gpt-oss-120B", "14_read_a_model#"),
    "Kimi K3": ("all_families#family-Kimi-K3", "around_attention#residuals"),
    "Hy4": ("all_families#family-Hy4", "how_far_it_looks#dsa"),
    "embed figures slides": ("all_figures",),
}


@pytest.mark.pages("book/all_figures.html")
@pytest.mark.pages(*(f"book/{page}.html" for page in SAID_ELSEWHERE))
def test_names_and_models_lead_to_the_cards_that_tell_of_them(hits):
    for query, places in NAMES.items():
        first = [page + at for page, _, at in hits(query)[:5]]
        for place in places:
            assert any(one.startswith(f"book/{place}") for one in first), (query, first)


@pytest.mark.pages(
    "book/instead_of_softmax.html", "book/glossary.html", "book/all_families.html"
)
def test_a_hit_says_which_place_it_leads_to_and_what_stands_there(search):
    page = search("gated attention")
    card = page.locator("li:has(> a[href$='softmax.html#gates-on-the-output'])")
    named = "Gates on the output (Instead of softmax over all)"
    assert card.locator("a").inner_text() == named
    assert "Can a head simply fall silent?" in card.locator("p.context").inner_text()
    page = search("Qwen3.5")
    family = page.locator("li:has(> a[href*='all_families.html#family-Qwen3_5-27B'])")
    assert family.locator("a").inner_text() == "Qwen3.5 27B (All families)"
    assert "DeltaNet" in family.locator("p.context").inner_text()
    page = search("M-RoPE")
    term = page.locator("li:has(> a[href$='glossary.html#term-M-RoPE'])")
    assert term.locator("a").inner_text().startswith("M-RoPE (")
    assert "text and pictures" in term.locator("p.context").inner_text()


@pytest.mark.pages("book/08_encoder.html")
def test_finds_the_word_of_the_story(search):
    page = search("it")
    excerpt = page.locator("li:has(> a[href$='book/08_encoder.html']) p.context")
    assert " it " in excerpt.inner_text().lower()
    assert page.watch.clean(), page.watch.errors


@pytest.mark.pages("book/07_positional_encoding.html")
def test_an_excerpt_has_a_formula_once_and_without_tex(search):
    page = search("radians")
    excerpt = page.locator("li:has(a[href*='07_positional']) p.context")
    excerpt.first.wait_for()
    told = excerpt.first.inner_text()
    assert told.count("2π≈6.28") == 1, told
    assert r"\pi" not in told


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


@pytest.mark.pages("book/bits.html")
def test_the_card_that_a_hit_leads_to_shows_its_marks(open_page):
    page = open_page("search.html?q=NVFP4")
    page.locator("ul.search > li > a[href$='bits.html#fp4-fifteen-values']").click()
    expect(page.locator("#fp4-fifteen-values p .highlighted").first).to_be_visible()
    expect(page.locator("#fp4-fifteen-values h2")).to_be_in_viewport()
    expect(page.locator(".aw-card [open]", has_text="Nemotron 3")).to_be_visible()
    assert page.locator(".nk-covered[hidden]").count() > 0  # those of other cards


@pytest.mark.pages("book/who_shares.html", "book/14_read_a_model.html")
def test_an_address_opens_its_card_however_one_came(open_page, site):
    page = open_page("search.html")
    page.goto(f"{site}/book/who_shares.html#gqa-and-mqa")
    hidden = page.locator("#gqa-and-mqa .nk-covered[hidden]")
    expect(page.locator("#gqa-and-mqa .aw-card")).to_be_visible()
    assert hidden.count() == 0
    expect(page.locator("#gqa-and-mqa .nk-right .nk-feedback")).to_be_visible()
    other = page.locator("#kv-cache-and-pages")
    assert other.locator(".nk-covered[hidden]").count() == 1
    page.evaluate("location.hash = '#kv-cache-and-pages'")
    expect(other.locator(".aw-card")).to_be_visible()
    page.goto(f"{site}/book/14_read_a_model.html#which-part-decides-the-bytes")
    page.evaluate(PAINTED)  # what follows a question of a lesson stays covered
    assert page.locator(".nk-covered[hidden]").count() == 1


@pytest.mark.pages("book/03_scaling.html", "book/glossary.html")
def test_a_term_leads_to_the_glossary_and_the_keyboard_to_search(open_page):
    page = open_page("book/03_scaling.html")
    term = page.locator("a.aw-term[href$='#term-query']")
    assert term.count() == 1
    term.focus()
    tip = "getComputedStyle(document.activeElement, '::after')"
    assert page.evaluate(f"{tip}.display") != "none"
    assert "(n_queries, d_k)" in page.evaluate(f"{tip}.content")
    term.click()
    page.wait_for_url("**/glossary.html#term-query")
    page.keyboard.press("Control+k")
    page.keyboard.type("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=softmax")
    page.locator("#search-results ul.search > li").first.wait_for()
