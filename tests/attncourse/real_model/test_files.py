"""The model's stored numbers, and its tokens."""

import json
from pathlib import Path

import numpy as np
import pytest

from attncourse.real_model import WordPiece, load_extract
from attncourse.real_model import files as stored

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


TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "dog", "un", "##able", "##s", "a", "'"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("A dog", ["a", "dog"]),
        ("DÔG's", ["dog", "'", "[UNK]"]),
        ("dogs  unables\n", ["dog", "##s", "un", "##able", "##s"]),
        ("dogx a", ["[UNK]", "a"]),
        ("a\u0000\u200bdog", ["[UNK]"]),
        ("a\u00a0dog\ta", ["a", "dog", "a"]),
        ("a犬dog", ["a", "[UNK]", "dog"]),
        ("dog" + 97 * "s", ["dog", *97 * ["##s"]]),
        ("dog" + 98 * "s", ["[UNK]"]),
        ("", []),
        # As upstream's tokenizer has it, found by comparing on every code point:
        ("dog[SEP]a", ["dog", "[SEP]", "a"]),
        ("[sep]", ["[UNK]", "[UNK]", "[UNK]"]),
        ("do\u0085g a\u001cn", ["dog", "[UNK]"]),  # control characters, not spaces
        ("ΑΣ", ["ασ"]),  # no final sigma
        ("dog\u0378 a", ["[UNK]", "a"]),  # not assigned: kept, and unknown
        ("dog\U0002b820a", ["[UNK]"]),  # upstream's ideographs leave these out
        ("dog\ue000\u2028a", ["dog", "a"]),
    ],
)
def test_tokens(text, tokens):
    pieces = WordPiece([*TOKENS, "ασ"])
    assert pieces.tokenize(text) == ["[CLS]", *tokens, "[SEP]"]


def test_every_ascii_mark_stands_alone():
    marks = [chr(i) for i in range(33, 127) if not chr(i).isalnum()]
    pieces = WordPiece([*TOKENS, *marks])
    assert pieces.tokenize("dog".join(marks))[1:-1:2] == marks


def test_ids():
    pieces = WordPiece(TOKENS)
    assert pieces.ids(["dog", "[SEP]", "what"]) == [4, 3, 1]


def test_bad_vocabulary_or_text_is_refused():
    with pytest.raises(ValueError, match=r"WordPiece: .*missing \['\[SEP\]'\]"):
        WordPiece(["[CLS]", "[UNK]"])
    with pytest.raises(
        ValueError, match=r"WordPiece: text must be a string, got text 3"
    ):
        WordPiece(TOKENS).tokenize(3)
