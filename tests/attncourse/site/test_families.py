"""All families: each with a name that readers know, and the cards of its parts."""

import re

from attncourse.site.families import families, line, place_of
from attncourse.site.users import NAMES, files, known


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
