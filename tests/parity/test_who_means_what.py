"""The stored table is what the pinned libraries answer today, asked again."""

import importlib.metadata

import pytest

from attncheck import ask
from attncheck.table import stored
from tests.parity.ways import WAYS

ROWS = {row["name"]: row for row in stored()["rows"]}
# Which call tells a fact; as in tools/who_means_what.py.
TOLD_BY = {"alignment": "causal", "softcap": "cap", "grouping": "grouped"}
TOLD_BY |= {"window": "window"}


def test_every_way_has_its_row():
    assert list(ROWS) == list(WAYS)


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")  # x-transformers
@pytest.mark.parametrize("name", WAYS)
def test_a_row_is_what_the_library_answers(name):
    distribution, calls = WAYS[name]
    row = ROWS[name]
    version = importlib.metadata.version(distribution).partition("+")[0]
    assert version == row["version"]
    for how, (function, keywords) in calls().items():
        report = ask(function, **keywords)
        assert report.status == row["calls"][how], str(report)
        for fact, told_by in TOLD_BY.items():
            if told_by == how:
                found = report.facts[fact]
                found = list(found) if isinstance(found, tuple) else found
                assert found == row["facts"][fact]
