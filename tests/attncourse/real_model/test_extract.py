"""Numbers of the real model stored for the pages: whole, and consistent."""

import json
from pathlib import Path

import numpy as np
import pytest

from attncourse.real_model import extract as stored
from attncourse.real_model import load_extract

ROOT = Path(__file__).parents[3]


def test_extract_is_small_and_whole():
    path = stored.PATH
    assert path.stat().st_size < 300_000  # every first Run in a page fetches it
    assert path.with_name("LICENSE-APACHE.txt").is_file()
    notice, extract = path.with_name("NOTICE.md").read_text(), load_extract()
    for name, array in extract.items():
        assert name.startswith("attention_") or f"`{name}`" in notice
        assert array.dtype.kind != "f" or np.isfinite(array).all()


def test_extract_holds_the_texts_it_was_made_from():
    texts = json.loads((ROOT / "tools" / "extract_texts.json").read_text("utf-8"))
    extract = load_extract()
    assert extract["texts"].tolist() == texts["shown"]
    groups = ("discovery", "held_out", "things")
    pairs = [pair for group in groups for pair in texts[group]]
    assert extract["pairs"].tolist() == pairs
    assert len({tuple(pair) for pair in pairs}) == len(pairs)
    assert (
        extract["pair_group"].tolist()
        == ["discovery"] * 20 + ["held_out"] * 24 + ["things"] * 16
    )
    alive = extract["pair_one_alive"]
    assert [alive[:20].sum(), alive[20:44].sum(), alive[44:].sum()] == [8, 15, 0]


def test_rows_sum_to_one():
    """Rounding to float16 moves a row's sum by 0.002 at most."""
    extract = load_extract()
    for i in range(6):
        sums = extract[f"attention_{i}"].astype(float).sum(axis=-1)
        np.testing.assert_allclose(sums, 1, rtol=0, atol=2e-3)
    sums = extract["pair_weights"].astype(float).sum(axis=-1)
    assert 0 < sums.min() <= sums.max() <= 1 + 1e-3


def test_tests_of_the_pairs_agree_where_they_must():
    extract = load_extract()
    found = extract["preferences"].astype(float)
    found = dict(zip(extract["tests"], found, strict=True))
    weights = extract["pair_weights"].astype(float)[:, :, 3, 1]  # pair, sentence, noun
    close = {"rtol": 0, "atol": 1e-3}
    np.testing.assert_allclose(
        found["as it is"], weights[..., 0] - weights[..., 1], **close
    )
    # Before the first layer the words "it" and the nouns have the same rows in both.
    for word in ("it", "nouns"):
        np.testing.assert_array_equal(found[f"swap {word}, 0"], found["as it is"])
    # All of the adjective exchanged is the other sentence, where it has as many pieces.
    other = found["as it is"][:, ::-1]
    same = np.isclose(found["swap adjective, 0"], other, atol=1e-3).all(axis=-1)
    assert same.sum() >= 58
    names = [name for name in found if name.startswith("cut")]
    removed = dict(zip(names, extract["cut_weight"].astype(float), strict=True))
    three = [removed[f"cut 2.{h}"] for h in (1, 3, 8)]
    assert removed["cut the three"] == pytest.approx(sum(three), abs=2e-3)
    assert removed["cut as much elsewhere"] > removed["cut the three"]
