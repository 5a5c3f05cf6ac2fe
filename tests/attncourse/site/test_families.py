"""All families: each with a name that readers know, and the cards of its parts."""

import re

from attncourse.site.families import families, place_of
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
    assert {"GQA", "Learned sinks", "YaRN and others", "MoE"} <= {*cards}
    assert not {"MLA", "ALiBi"} & {*cards}
    assert "DSA" in listed["glm_moe_dsa"][1]
