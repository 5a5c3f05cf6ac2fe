"""Search finds lessons, terms of the glossary and names in code, also in a folder."""

import re
from pathlib import Path

import nbformat
import pytest
from built_site import HTML, HURRY, PAINTED, PHONE, WIDE, resize, wait_until
from playwright.sync_api import expect

from attncourse.site.card import options_and_body, rows, spellings

BOOK = Path(__file__).resolve().parents[2] / "book"

# A word, a page in which it is first found, and what is then to be seen.
MARKED = {
    "covered": (
        "untick",
        "02_queries_keys_values",
        ".nk-covered:not([hidden]) .highlighted",
    ),
    "in a fold": ("underflow", "04_softmax", "details[open] .highlighted"),
    "in TeX": ("frac", "07_positional_encoding", ".katex:has(.highlighted)"),
    "in feedback": (
        "whoever",
        "02_queries_keys_values",
        ".nk-choice:has(.highlighted)",
    ),
}


# Among how many of the first hits is the place that a name leads to: a term, or what
# release notes and files say beside the names that cards give themselves.
SAID = {
    1: {
        "layer_to_layer#part-mHC": "mHC; hc_mult",
        "layer_to_layer#part-attention_residuals": "attention residuals",
        "around_attention#part-SiTU-GLU": "SiTU-GLU",
        "drafts#part-EAGLE-3": "EAGLE-3",
        "many_users#flashattention-4": "FlashAttention-4; FA4",
        "who_shares#part-MLA_absorb": "absorbed MLA; MLA absorb",
        "where_a_word_stands#part-interleaved_M-RoPE": "interleaved M-RoPE; "
        "interleaved MRoPE",
        "around_attention#moe-dropped-and-balanced": "auxiliary-loss-free balancing",
        "around_attention#part-LatentMoE": "LatentMoE; moe_latent_size",
        "around_attention#engram": "Engram; conditional memory",
        "bits#fp4": "E2M1; MXFP4",
        "bits#part-NVFP4": "NVFP4; KV cache in NVFP4; NVFP4 KV cache",
        "bits#turboquant": "TurboQuant",
        "bits#part-QJL": "QJL",
        "how_far_it_looks#": "CSA and HCA",
        "instead_of_softmax#gates-on-the-output": "gated attention",
        "instead_of_softmax#mamba-3": "Mamba-3; Mamba3",
        "drafts#mtp": "MTP; multi-token prediction; num_nextn_predict_layers",
        "many_users#part-disaggregated_prefill": "PD disaggregation",
        "how_far_it_looks#learned-sinks": "learned sinks; gpt-oss sinks; "
        "gpt-oss attention sinks",
        "how_far_it_looks#dsa": "DSA; DSA (DeepSeek Sparse Attention)",
        "drafts#speculative-decoding": "speculative decoding",
        "drafts#dflash": "DFlash",
        "drafts#part-": "DSpark; P-EAGLE",
        "tame_scores#part-DIFF_V2": "DIFF V2",
        "tame_scores#muon": "Muon",
        "where_a_word_stands#part-": "proportional RoPE; iRoPE; RNoPE",
    },
    3: {
        "who_shares": "num_key_value_heads; kv_lora_rank; paged attention",
        "where_a_word_stands": "NTK; rope_scaling; rope_parameters; mrope_section; "
        "Qwen2-VL; no_rope_layers; partial_rotary_factor",
        "how_far_it_looks": "attention sinks; sliding_window; index_topk; "
        "block sparse; add_swa_attention_sink_bias; NSA",
        "layer_to_layer": "DeepSeek V4; gpt-oss",
        "instead_of_softmax": "Kimi Delta; Mamba; gated delta rule; mamba_d_state; "
        "exclusive attention",
        "tame_scores": "QK norm; qk_norm; exploding logits; attn_logit_softcapping",
        "bits": "8 bits; bf16; quantization_config; FP4; MXFP4; temperature 0",
        "many_users": "in-flight batching; KV cache reuse",
        "around_attention": "mixture-of-experts; num_experts_per_tok; top_k_experts; "
        "n_routed_experts; byte pair encoding; noaux_tc",
        "one_mask": "packing; varlen; diffusion; DiffusionGemma; bidirectional; "
        "draft tree",
        "glossary#term-": "MHA; backpropagation; GQA; MLA; RoPE; YaRN; NoPE; DSA; KDA; "
        "DeltaNet; QK-norm; FP8; SwiGLU; MoE; BPE; continuous batching; MTP; NVFP4; "
        "Muon; LatentMoE; Engram; Mamba-3; DSpark; mHC",
    },
    5: {
        "glossary#term-DSA": "DSA lightning indexer",
        "how_far_it_looks#dsa": "DSA lightning indexer; Hy4",
        "instead_of_softmax#deltanet": "Qwen3-Next",
        "instead_of_softmax#part-gated_DeltaNet": "Gated DeltaNet, KDA",
        "instead_of_softmax#kda": "Gated DeltaNet, KDA",
        "glossary#term-QK-clip": "QK-clip Muon",
        "tame_scores#qk-clip": "QK-clip Muon",
        "layer_to_layer": "Qwen3-Next; full_attention_interval",
        "all_families#family-gpt-oss-120B": "gpt-oss",
        "14_read_a_model#": "gpt-oss",
        "all_families#family-Kimi-K3": "Kimi K3",
        "all_families#family-Hy4": "Hy4",
        "all_figures": "embed figures slides",
    },
    40: {
        "04_softmax": "temperature",  # a lesson's term
        "glossary": "saturation",
        "api": "causal_mask",  # a name in code
        "use_a_part": "use a part",  # a title
    },
}
CARDS = {place.partition("#")[0] for place in SAID[1]} | {"who_shares"}
PART = re.compile(r"^:::\{model-part\}\n(.*?)^:::$", re.MULTILINE | re.DOTALL)


def names_of_cards(page):
    """List how the cards of a page are called."""
    cells = nbformat.read(BOOK / f"{page}.ipynb", as_version=4).cells
    parts = PART.findall("\n".join(one.source for one in cells))
    each = [row for one in parts for row in rows(*options_and_body(one))]
    return [name for row in each for name in spellings(row)]


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


@pytest.mark.pages("book/glossary.html", "book/all_families.html", "book/api.html")
@pytest.mark.pages("book/all_figures.html", "book/use_a_part.html")
@pytest.mark.pages(*(f"book/{page}.html" for page in CARDS))
@pytest.mark.parametrize("most", SAID)
def test_a_name_leads_to_the_place_that_tells_of_it(hits, most):
    said = {place: names.split("; ") for place, names in SAID[most].items()}
    for page in CARDS if most == 3 else ():
        said[page] = said.get(page, []) + names_of_cards(page)
    found = {name: hits(name)[:most] for names in said.values() for name in names}
    places = {k: [page + at for page, _, at in first] for k, first in found.items()}
    missed = {
        name: places[name]
        for place, names in said.items()
        for name in names
        if not any(one.startswith(f"book/{place}") for one in places[name])
    }
    assert missed == {}


@pytest.mark.pages("book/04_softmax.html")
def test_finds_in_a_folder(open_page):
    """What differs is how the index is read."""
    page = open_page("search.html?q=temperature", home=HTML.as_uri())
    page.locator("ul.search > li > a[href^='book/04_softmax']").first.wait_for()
    assert page.watch.clean(), page.watch.errors


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
    page = search("clockwise")
    excerpt = page.locator("li:has(a[href*='07_positional']) p.context")
    excerpt.first.wait_for()
    told = excerpt.first.inner_text()
    assert told.count("cos") == 1, told
    assert r"\cos" not in told


@pytest.mark.parametrize(
    ("word", "name", "seen"),
    [
        pytest.param(*how, id=where, marks=pytest.mark.pages(f"book/{how[1]}.html"))
        for where, how in MARKED.items()
    ],
)
def test_a_hit_leads_to_its_first_mark(search, word, name, seen):
    page = search(word)
    session = page.context.new_cdp_session(page)
    if word == MARKED["covered"][0]:  # as on a phone, where figures come late
        session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    page.locator(f"ul.search > li > a[href*='{name}']:not([href*='#'])").click()
    page.wait_for_url(f"**/{name}*")
    expect(page.locator(f"article {seen}").first).to_be_in_viewport()
    session.detach()  # and it is fast again
    assert page.watch.clean(), page.watch.errors


# Figures come when they are told to.
HELD = """{
  const own = URL.createObjectURL;
  const wait = "await new Promise((come) => held.push(come));";
  window.held = [];
  URL.createObjectURL = (code) => own(new Blob([wait, code], { type: code.type }));
}"""


@pytest.mark.pages("book/04_softmax.html")
def test_the_page_follows_its_mark_until_figures_are_there(browser, site):
    page = browser.new_context(viewport=WIDE).new_page()
    page.add_init_script(HELD + HURRY)
    page.goto(f"{site}/book/04_softmax.html?highlight=underflow")
    page.evaluate("new Promise((done) => setTimeout(done, 6000))")  # hurried
    top = "document.querySelector('article .highlighted').getBoundingClientRect().top"
    stood = page.evaluate(f"[{top}, document.body.scrollHeight]")
    page.evaluate("held.forEach((come) => come())")
    wait_until(page, f"document.body.scrollHeight < {stood[1] - 100}")
    wait_until(page, f"Math.abs({top} - {stood[0]}) < 30")
    page.context.close()


@pytest.mark.pages("book/glossary.html")
def test_a_hit_with_a_place_in_its_address_leads_there(search):
    page = search("value")
    page.locator("ul.search > li > a[href$='#term-value']").click()
    page.locator("article .highlighted").first.wait_for()
    page.evaluate(PAINTED)  # in which nothing is to happen
    expect(page.locator("#term-value")).to_be_in_viewport()


@pytest.mark.pages("book/where_a_word_stands.html")
def test_no_single_letter_is_marked(search):
    page = search("Interleaved M-RoPE")
    page.locator("a[href$='where_a_word_stands.html#part-interleaved_M-RoPE']").click()
    page.locator("article .highlighted").first.wait_for()
    marked = page.locator("article .highlighted").all_text_contents()
    assert {one.lower() for one in marked if one} == {"interleaved", "rope"}


@pytest.mark.pages("book/bits.html")
def test_the_card_that_a_hit_leads_to_shows_its_marks(search):
    page = search("NVFP4 E2M1")
    page.locator("ul.search > li > a[href$='bits.html#fp4-fifteen-values']").click()
    expect(page.locator("#fp4-fifteen-values p .highlighted").first).to_be_visible()
    expect(page.locator("#fp4-fifteen-values h2")).to_be_in_viewport()
    expect(page.locator(".aw-card [open]", has_text="Nemotron 3")).to_be_visible()
    assert page.locator(".nk-covered[hidden]").count() > 0  # those of other cards


@pytest.mark.pages("book/where_a_word_stands.html")
def test_a_card_opens_the_fold_that_is_asked_for_and_leads_to_its_facts(search):
    page = search("YaRN")
    hit = "where_a_word_stands.html#yarn-ntk-interpolation"
    page.locator(f"ul.search > li > a[href$='{hit}']").click()
    card = page.locator("#yarn-ntk-interpolation")
    card.locator(".highlighted").first.wait_for()
    titles = card.locator(".aw-card [open] > summary").all_inner_texts()
    assert [title.split(",")[0] for title in titles] == ["YaRN"]
    card.get_by_role("link", name="Configuration, users, source").click()
    expect(
        card.get_by_text("rope_scaling or rope_parameters").first
    ).to_be_in_viewport()


FOLDS = {
    "NVFP4 KV cache": "bits.html#part-NVFP4_KV_cache",
    "mHC": "layer_to_layer.html#part-mHC",
    "chunked prefill": "many_users.html#part-chunked_prefill",
    "continuous batching": "many_users.html#part-continuous_batching",
}


@pytest.mark.pages("book/glossary.html", "book/bits.html", "book/many_users.html")
@pytest.mark.pages("book/layer_to_layer.html")
@pytest.mark.parametrize("name", FOLDS)
def test_a_name_in_a_shut_fold_is_met_open(visit, hits, site, name):
    """From the search and from the glossary in turn; both have a link to each.

    On a wide screen and on a phone: each from both.
    """
    place = f"book/{FOLDS[name].replace('.html', '')}"
    assert place in [page + at for page, _, at in hits(name)]
    page, turn = visit("search.html"), [*FOLDS].index(name)
    resize(page, [WIDE, PHONE][turn // 2])
    start = [f"search.html?q={name}", "book/glossary.html"][turn % 2]
    page.goto(f"{site}/{start}")
    for fold in FOLDS.values() if turn % 2 else ():
        assert page.locator(f"a[href$='{fold}']").count()
    page.locator(f"a[href$='{FOLDS[name]}']").first.click()
    title = page.locator("details[open]:target > summary", has_text=name)
    expect(title).to_be_in_viewport()
    page.wait_for_load_state("load")
    page.evaluate(PAINTED)
    expect(title).to_be_in_viewport()  # although figures above it came in
    opened = page.locator(".nk-covered:not([hidden])")
    own = page.locator("section:has(> .aw-card :target) .nk-covered")
    assert opened.count() == own.count()  # all of its card, and no other's
    page.locator("details:target a").first.click()
    expect(page.locator("section:target > h2")).to_be_in_viewport()


@pytest.mark.pages("book/07_positional_encoding.html", "book/05_weighted_sum.html")
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_an_address_leads_to_a_section_that_a_question_covered(visit, site, size):
    page = visit("search.html")
    resize(page, size)
    for place in (
        "07_positional_encoding.html#ask-for-the-word-before",
        "05_weighted_sum.html#practice",
    ):
        page.goto("about:blank")
        page.goto(f"{site}/book/{place}")
        page.wait_for_load_state("load")
        page.evaluate(PAINTED)
        expect(page.locator(":target > :is(h2, h3)").first).to_be_in_viewport()


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
