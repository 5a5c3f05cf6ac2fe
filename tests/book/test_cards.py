"""Each card has all that a card has: a question, a number, a source with its date."""

import re
from pathlib import Path

import nbformat
import pytest
from listed import listed

from attncourse.real_model.configuration.cards import CARDS
from attncourse.site.card import FIELDS, MAY_LACK, options_and_body, rows, told
from attncourse.site.users import MORE_MODELS, known, questions, users

BOOK = Path(__file__).resolve().parents[2] / "book"
SAID = re.compile(r"^:::\{model-part\}\n(.*?)^:::$", re.MULTILINE | re.DOTALL)
NO_CARD = {"Practice", "Quiz", "What each keeps and loses"}
MOST_WORDS = 250
DATE = re.compile(r"\b(20[012]\d)\b")


def section_id(title):
    """The id that a section has on the page."""
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")


def cards_of(path):
    """Every card of a page: (title, its Markdown, its cells of code)."""
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            if found:
                found[-1][2].append(cell)
        elif heading := re.match(r"## (.+)", cell.source):
            found.append((heading[1], [cell.source], []))
        elif found:
            found[-1][1].append(cell.source)
    return [
        (title, "\n\n".join(text), code)
        for title, text, code in found
        if title not in NO_CARD
    ]


def pages():
    """The pages of the book that hold cards."""
    every = [(BOOK.parent / name).with_suffix(".ipynb") for name in listed()]
    return [
        path
        for path in every
        if path.exists() and ":::{model-part}" in path.read_text("utf-8")
    ]


ALL = [(path.stem, *card) for path in pages() for card in cards_of(path)]
IDS = [f"{page}-{section_id(title)}" for page, title, *_ in ALL]


@pytest.mark.parametrize(("page", "title", "text", "code"), ALL, ids=IDS)
def test_a_card_has_all_its_parts(page, title, text, code):
    assert "?" in re.search(r"\*\*(.+?)\*\*", text)[1], "it opens with a question"
    assert any(cell.outputs for cell in code), "a cell shows a number"
    options, body = options_and_body(SAID.search(text)[1])
    asked = []
    for row in rows(options, body):
        assert options.items() <= row.items(), "what holds for all"
        assert {*FIELDS} - MAY_LACK <= {*row} <= {*FIELDS}, row["names"]
        cited = re.search(r"\{cite:[pt]\}`", row["source"])
        own = re.search(r"cells? above|the figure|configurations? of", row["source"])
        assert DATE.search(row["source"]) or (own and not cited), row["names"]
        asked += questions(row["used"])
    assert [one for one in asked if not users(one[1])] == []
    assert len(re.findall(r"\d+ of \d+ families", told(options, body))) == len(asked)


@pytest.mark.parametrize(("page", "title", "text", "code"), ALL, ids=IDS)
def test_a_card_is_read_in_three_minutes(page, title, text, code):
    prose = re.sub(
        r"\]\([^)]*\)|^:::.*$|^:name:.*$", "", SAID.sub("", text), flags=re.M
    )
    assert len(prose.split()) <= MOST_WORDS, len(prose.split())


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_nothing_to_be_guessed_follows_the_facts(path):
    """A question covers no more than what stands before them."""
    open_, told_ = [], False
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            after = SAID.split(cell.source)[-1]
            told_ = (told_ or after != cell.source) and "## " not in after
        elif told_ and "hide-cell" not in cell.metadata.get("tags", ()):
            open_.append(cell.id)
    assert open_ == []


def test_a_page_groups_a_few():
    for path in pages():
        assert 4 <= len(cards_of(path)) <= 6, path.stem


def test_what_leads_to_a_card_finds_it():
    there = {(page, section_id(title)) for page, title, *_ in ALL}
    for card in CARDS:
        assert tuple(card.address.split("#")) in there, card.name
    assert len({card.name for card in CARDS}) == len(CARDS)


def test_the_glossary_leads_to_every_card():
    glossary = (BOOK / "glossary.md").read_text("utf-8")
    addresses = [f"({page}.ipynb#{section_id(title)})" for page, title, *_ in ALL]
    assert [one for one in addresses if one not in glossary] == []


def test_numbers_of_kimi_k3_are_those_of_its_file():
    k3 = MORE_MODELS["Kimi K3"]
    assert k3["hidden_size"] == 2 * k3["routed_expert_hidden_size"]
    assert (k3["num_hidden_layers"], k3["attn_res_block_size"]) == (93, 12)
    assert (k3["activation_situ_beta"], k3["activation_situ_linear_beta"]) == (4, 25)


def test_users_are_asked_of_files():
    yarn = users("fact rotary.stretch=yarn")
    assert {"gpt_oss", "deepseek_v3", "kimi_k2"} <= {*yarn}
    assert not {"gemma2", "llama"} & {*yarn}  # whose stretch, if any, is another
    assert yarn["kimi_k2"] == "Kimi K2"
    assert "deepseek_v3" in users("fact latent")
    assert "llama" not in users("fact latent")
    assert {*users("fact position=alibi")} == {"bloom", "mpt", "falcon"}
    assert "llama" not in users("fact some_columns")
    assert "phi" in users("fact some_columns")
    # A file that says little would give these two one head of keys; theirs have eight.
    assert not {"dbrx", "RefinedWeb"} & {*users("named MQA")}
    assert {*users("named Kimi Delta")} == {
        "bailing_hybrid",
        "glm5_next",  # of this and the next some lines are read
        "kimi_k3",
        "kimi_linear",
    }
    assert "deepseek_v4" in users("fact sinks"), "its file says what each layer folds"
    assert "mamba2" in users("named Mamba-2")
    assert "jamba" not in users("named Mamba-2"), "that is Mamba-1"
    assert {"qwen3_5_text", "glm_moe_dsa"} <= {
        *users("line num_nextn_predict_layers mtp_num_hidden_layers")
    }
    assert {*users("line attention_k_eq_v")} == {"gemma4_text"}
    assert "kimi_linear" in users("line mla_use_nope"), "all its files say so"
    streams = {"deepseek_v4", "deepseek_v41", "glm5_next", "hy_v4"}
    assert {*users("line hc_mult or named streams")} == streams
    assert "jamba" in users("kinds full_attention linear_attention")
    assert known() > 100
