"""Bugs that shipped: each differs from what was meant, and each hides somewhere."""

import base64
import json
import re
from pathlib import Path

import numpy as np
import pytest
from shipped import noticed

from attncourse.shipped import BUGS, PROBES, Threads, tells_apart
from attncourse.shipped.dropped import answer
from attncourse.shipped.parts import rounded_to_bfloat16
from attncourse.shipped.unlabeled import first
from attnlib import scaled_dot_product_attention

PLAIN = ("heads", "axis", "batch", "scale", "zeros", "sentinel", "dropout", "absorbed")
ORDINARY = PROBES["batch and heads"]


@pytest.mark.parametrize("name", PLAIN)
def test_what_was_meant_is_attention(name, rng):
    query, key, value = ORDINARY(rng)
    expected = scaled_dot_product_attention(query, key, value)
    found = BUGS[name].meant(query, key, value)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "keywords"),
    [
        ("polarity", {"is_causal": True}),
        ("observer", {"is_causal": True}),
        ("cap", {"is_causal": True, "softcap": 50.0}),
        ("window", {"is_causal": True, "window": (2, 0)}),
        ("ahead", {"is_causal": True, "window": (2, 0)}),
        ("everywhere", {"is_causal": True}),
        ("sink", {"sinks": 1.5}),
        ("uncapped", {"softcap": 2.0}),
        ("corner", {"is_causal": True, "query_offset": 4}),
    ],
)
def test_what_was_meant_of_masks_is_attnlibs(name, keywords, rng):
    probe = PROBES["fewer queries than keys"] if name == "corner" else ORDINARY
    query, key, value = probe(rng)
    expected = scaled_dot_product_attention(query, key, value, **keywords)
    found = BUGS[name].meant(query, key, value)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_grouped_heads_as_meant_are_attnlibs(rng):
    query = rng.standard_normal((2, 4, 5, 3))
    key, value = rng.standard_normal((2, 2, 2, 7, 3))
    expected = scaled_dot_product_attention(query, key, value, enable_gqa=True)
    bug = BUGS["tile"]
    np.testing.assert_allclose(bug.meant(query, key, value), expected)
    assert not np.allclose(bug.shipped(query, key, value), expected)
    one = key[:, :1], value[:, :1]
    np.testing.assert_allclose(bug.shipped(query, *one), bug.meant(query, *one))
    assert first is bug.shipped


@pytest.mark.parametrize("name", [name for name in BUGS if name != "tile"])
def test_every_bug_shows_somewhere(name):
    bug = BUGS[name]
    options = {"need_weights": True} if name == "observer" else {}
    seen = [
        tells_apart(probe, bug, np.random.default_rng(0), **options)
        for probe in PROBES.values()
    ]
    assert any(seen) or name == "sentinel"


@pytest.mark.parametrize(
    ("name", "probe"),
    [
        ("heads", "one sentence, one head"),
        ("axis", "query 0, value identity"),
        ("window", "fewer queries than keys"),
        ("cap", "batch and heads"),
        ("corner", "batch and heads"),
        ("observer", "scores of −300"),
    ],
)
def test_every_such_bug_hides_somewhere(name, probe):
    assert not tells_apart(PROBES[probe], BUGS[name], np.random.default_rng(0))


def test_the_sentinel_shows_far_below_0():
    query, key = np.ones((1, 1, 1, 1)), np.full((1, 1, 3, 1), -1e5)
    value = np.array([1.0, 2.0, 3.0]).reshape(1, 1, 3, 1)
    assert BUGS["sentinel"].shipped(query, key, value).item() == 0
    assert BUGS["sentinel"].meant(query, key, value).item() == pytest.approx(2)


def test_bfloat16_lacks_257_and_most_places_beyond():
    whole = np.arange(600)
    lacking = whole[rounded_to_bfloat16(whole) != whole]
    assert lacking[:3].tolist() == [257, 259, 261]
    assert np.unique(rounded_to_bfloat16(65_536 + np.arange(8))).tolist() == [65_536]


def test_every_thread_has_an_address():
    for bug in BUGS.values():
        assert len(bug.addresses) == len(bug.threads) >= 1
        for address in bug.addresses:
            place = r"https://github\.com/[\w.-]+/[\w.-]+/issues/\d+"
            assert re.fullmatch(place, address), address


def test_the_list_says_each_bug_in_words_and_in_html():
    told = Threads(BUGS)
    assert len(repr(told).splitlines()) == len(BUGS) == 24
    assert told._repr_html_().count("<li>") == 24
    for bug in BUGS.values():
        assert all(f'href="{each}"' in told._repr_html_() for each in bug.addresses)
    assert "scale: transformers, OPT (4.52.2, reported 2025-05-22)." in repr(told)


LESSON = Path(__file__).parents[2] / "book" / "17_bugs_that_shipped.ipynb"


@pytest.mark.skipif(not LESSON.exists(), reason="a course without this lesson")
@pytest.mark.parametrize("name", BUGS)
def test_the_lesson_links_a_thread_where_it_tells_a_bug(name):
    cells = json.loads(LESSON.read_text("utf-8"))["cells"]
    text = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    assert any(f"({address})" in text for address in BUGS[name].addresses)


@pytest.mark.parametrize(
    ("n_queries", "sees", "offset", "window"),
    [
        (24, "start", 0, 0),
        (5, "start", 0, 3),
        (5, "end", 19, 0),
        (5, "end", 19, 3),
        (31, "end", -7, 0),
    ],
)
def test_a_right_run_is_right_under_what_was_meant(
    tmp_path, rng, n_queries, sees, offset, window
):
    query = rng.standard_normal((1, 2, n_queries, 16)).astype(np.float32)
    key, value = rng.standard_normal((2, 1, 2, 24, 16)).astype(np.float32)
    how = {"is_causal": True, "query_offset": offset}
    how |= {"window": (window - 1, 0)} if window else {}
    output = scaled_dot_product_attention(query, key, value, **how)
    path = tmp_path / "run.npz"
    np.savez(path, query=query, key=key, value=value, output=output)
    data = base64.b64encode(path.read_bytes()).decode()
    assert "as expected" in answer("run.npz", data, sees, window)
    assert "as expected" not in answer("run.npz", data)


SAYS = {
    "absorbed": "scale 0.125 was expected",
    "ahead": "it is (2, 2)",
    "everywhere": "it is (2, 0)",
    "fragments": "unexplained",
    "short": "it is None",
    "sink": "it is 'keys'",
    "slopes": "it is 'other'",
    "uncapped": "softcap 2.0 was expected",
    "unturned": "only the queries are rotated",
    "heads": "heads are put side by side without a transpose",
    "axis": "it is 'queries'",
    "batch": "layout 'bhnd' was expected",
    "cap": "hidden keys get a score",
    "coarse": "unexplained",
    "dropout": "the same call gives two answers",
    "observer": "it is 'none'",
    "pairs": "pairs of neighbors",
    "scale": "scale 0.125 was expected",
    "sentinel": "it is 'nan'",
    "tile": "it is 'tile'",
    "window": "it is (3, 0)",
}


# Two in three wait for a release.
ASKED = [
    pytest.param(name, marks=[pytest.mark.release] * (i % 3 > 0))
    for i, name in enumerate(BUGS)
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_it_is_noticed_and_its_fix_is_not_blamed(name):
    said = noticed(BUGS[name])
    assert SAYS.get(name, " ") in said
