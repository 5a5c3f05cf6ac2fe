"""Cards tell of each of their names; families have a name, and cards of their parts."""

import re

from attncourse.site.card import folded, options_and_body, rows, told
from attncourse.site.families import families, line, place_of
from attncourse.site.users import NAMES, files, known

SAID = """\
:keyword: none
:unknown: all else

names: DSA, lightning indexer
line: `index_topk`
used: fact chosen
source: somebody, May 2024

names: MoBA
what: blocks
line: none
used: nobody
server: a flag: `--moba`
source: somebody, June 2024
"""


def test_a_row_has_what_is_said_of_all_and_its_own():
    first, second = rows(*options_and_body(SAID))
    assert first["names"] == "DSA, lightning indexer"
    assert {one["unknown"] for one in (first, second)} == {"all else"}
    assert second["server"] == "a flag: `--moba`"


def test_each_name_is_told_and_what_holds_for_all_once():
    said = told(*options_and_body(SAID))
    assert said.count("**Not known:**") == said.count("**In attnlib:**") == 1
    assert said.count("**Source:**") == said.count("**In a file:**") == 2
    assert folded(*options_and_body(SAID)).count("toggle-shown") == 1
    assert said.index("**MoBA**") < said.index("nobody") < said.index("Each of them")


def test_one_name_needs_no_row():
    said = folded(rows(*options_and_body(SAID))[0])
    assert "- **Names:** DSA, lightning indexer" in said
    assert "Each of them" not in said


def test_every_family_goes_by_a_name_that_readers_know():
    names = {one.family: one.name for one in files()}
    assert NAMES.items() <= names.items(), "published files give no other"
    assert not [name for name in names.values() if re.search("[_`]", name)]


def test_every_family_is_listed_with_the_cards_of_its_parts():
    listed = families()
    assert len({place_of(names[0]) for names, _ in listed.values()}) == known()
    names, cards = listed["gpt_oss"]
    assert names[0].startswith("gpt-oss")
    assert {"GQA", "Learned sinks", "YaRN", "MoE"} <= {*cards.values()}
    assert not {"MLA", "ALiBi"} & {*cards.values()}
    assert "DSA" in listed["glm_moe_dsa"][1].values()
    assert "Llama 3's stretch" in listed["llama"][1].values()
    assert {"MTP", "Hyper-connections"} <= {*listed["deepseek_v4"][1].values()}


def test_a_model_that_is_not_read_is_listed_by_its_lines():
    listed = families()
    assert {"KDA", "MLA", "Attention residuals", "SiTU-GLU", "NoPE"} <= {
        *listed["kimi_k3"][1].values()
    }
    assert {"Engram", "DSpark", "Shared keys"} <= {*listed["deepseek_v41"][1].values()}
    assert "MTP" in listed["nemotron_h"][1].values()


def test_a_family_tells_its_other_models():
    said = line("nemotron_h", *families()["nemotron_h"])
    assert said.startswith("**Nemotron-3-Super 120B-A12B**, also Nemotron-3-Nano,")
