"""The page's model computes what attnlib does with the same rounded weights.

Both work in float32 and sum in another order: weights differ by less than 0.00001. An
error of a hundredth in one scale is fifty times that.
"""

import random

import numpy as np
import pytest

from attncourse.real_model.page.quantize import dequantize, quantize, round_arrays

ROUNDING = {"rtol": 0, "atol": 2e-5}
HUNGRY = "A dog ate the food because it was hungry"
DELICIOUS = HUNGRY.replace("hungry", "delicious")
IT = 7  # its place in both
TEXTS = [
    "dog",
    HUNGRY,
    "The photosynthesis of naïve cafés didn't stop [SEP] 犬 on 3,000 screens!",
    "word and " * 30,
]
CHANGED = [
    {"text": HUNGRY, "cut": [{"layer": 2, "head": 3, "query": IT, "key": 9}]},
    {"text": HUNGRY, "cut": [{"layer": 0, "head": 0}, {"layer": 5, "head": 11}]},
    {"text": HUNGRY, "cut": [{"layer": 1, "head": 4, "key": 0}]},
    {"text": HUNGRY, "cut": [{"layer": 1, "head": 4, "query": IT}]},
    *(
        {
            "text": HUNGRY,
            "patch": {"text": DELICIOUS, "from": IT, "to": IT + 1, "layer": layer},
        }
        for layer in (0, 3, 6)
    ),
]


@pytest.fixture(scope="module")
def results(page_model):
    """Texts as they are, and changed: before rows of them are kept, and after."""
    plain = [{"text": text} for text in TEXTS]
    found = page_model([*CHANGED, *plain, *CHANGED])
    parts = np.split(np.array(found), [len(CHANGED), -len(CHANGED)])
    return dict(zip(("before", "plain", "after"), parts, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("i", range(len(TEXTS)))
def test_weights_are_attnlibs(results, rounded, i):
    expected = rounded(TEXTS[i])
    got = results["plain"][i]
    assert got["tokens"] == expected.tokens
    np.testing.assert_allclose(got["weights"], expected.weights, **ROUNDING)


def masks(cut, n_tokens):
    """Say a list of cuts as attnlib's masks, by layer."""
    found = {}
    for one in cut:
        mask = found.setdefault(one["layer"], np.ones((12, n_tokens, n_tokens), bool))
        where = (one.get("query", slice(None)), one.get("key", slice(None)))
        mask[one["head"], *where] = False
    return found


def patched(model, text, patch):
    """Run attnlib's layers, and replace a row on the way."""
    rows, other = model(text).hidden[0], model(patch["text"]).hidden
    for i, layer in enumerate(model.layers):
        if i == patch["layer"]:
            rows[patch["to"]] = other[i][patch["from"]]
        yield layer.attention.weights(rows)
        rows = layer(rows)


@pytest.mark.slow
@pytest.mark.parametrize("i", range(len(CHANGED)))
def test_cuts_and_patches_are_attnlibs(results, rounded, i):
    job, got = CHANGED[i], results["before"][i]["weights"]
    if "cut" in job:
        expected = rounded(job["text"], masks=masks(job["cut"], got.shape[-1])).weights
    else:
        expected = list(patched(rounded, job["text"], job["patch"]))
    np.testing.assert_allclose(got, expected, **ROUNDING)
    np.testing.assert_array_equal(results["after"][i]["weights"], got)


# Ideographs, Hangul, private use, and what is not assigned: a few stand for all.
MANY = ((0x3400, 0x9FFF), (0xAC00, 0xF8FF), (0x17000, 0x18CFF), (0x1FC00, 0xDFFFF))
LAST = 0xE0200
FIXED = [
    "",
    "A dog ate the food because it was hungry",
    "The photosynthesis of naïve cafés didn't stop!",
    "dog[SEP]cat [MASK]x [sep] [[CLS]] [PAD][UNK]",
    "ΟΔΟΣ οδος ΣΑΣ",
    "İstanbul ß ẞ ǅ ﬁ Å",
    "狗吃了食物，因为它饿了。犬と猫 개가 먹었다",
    "👩‍👩‍👧 😀🏽 ❤️ 🇫🇷 dog😀cat",
    "a\u0000b\u200bc\u00add\ufeffe\ufffdf\u2028g\u0085h\u001ci\u00a0j\u3000k\vl\fm",
    "lone \ud800 and \udc00 surrogates",
    "e\u0301\u0323 \u0301 q\u0307\u0323",
    "x" * 100 + " " + "x" * 101 + " " + "é" * 100,
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "10,000.50€ 3×4=12 a_b @you #tag $5 ^ ` ~ | <p> © ™ ½ ② Ⅷ",
    "नमस्ते दुनिया สวัสดีชาวโลก שָׁלוֹם مرحبا بالعالم Здравствуйте",
    "word " * 300,
]


def characters():
    """Yield every character below the last private planes, a few of each large part."""
    for code in range(LAST):
        many = any(low <= code <= high for low, high in MANY)
        if not many or code % 97 == 0:
            yield chr(code)


def strings():
    """Yield strings put together at random, the same ones each time."""
    dice, all_characters = random.Random(0), list(characters())
    plain = "abcdeé ΣAÖ.,'[]-!中 犬\t"
    special = ["[SEP]", "[CLS]", "[MASK]", "[UNK]", "[PAD]", "[sep]"]
    for _ in range(3000):
        parts = [
            dice.choice(all_characters if dice.random() < 0.4 else plain)
            for _ in range(dice.randint(0, 25))
        ]
        if dice.random() < 0.2:
            parts.insert(len(parts) // 2, dice.choice(special))
        yield "".join(parts)


@pytest.fixture(scope="module")
def compare(page_model, model):
    def differing(texts):
        got = page_model([{"text": text, "tokensOnly": True} for text in texts])
        pairs = zip(texts, got, strict=True)
        return [t for t, one in pairs if one["tokens"] != model.pieces.tokenize(t)]

    return differing


@pytest.mark.slow
def test_texts_of_many_kinds(compare):
    assert compare([*FIXED, *strings()]) == []


@pytest.mark.release
def test_every_character(compare):
    """Between letters and alone: dropped, kept, a space, an accent or a word."""
    texts = [f"dog{c}cat {c}" for c in characters()]
    assert len(texts) > 60_000
    assert compare(texts) == []


def test_by_hand():
    """A power of two as the scale: every level can be had with a pencil."""
    weights = np.zeros((1, 64), np.float32)
    weights[0, :4] = [127 / 64, -127 / 64, 3 / 64, 1 / 256]
    weights[0, 40] = 127 * 8
    levels, scales = quantize(weights)
    assert levels[0, :4].tolist() == [127, -127, 3, 0]
    assert levels[0, 40] == 127
    numbers = (scales.astype("u4") << 16).view("f4")
    assert numbers.tolist() == [[1 / 64, 8]]
    expected = weights.copy()
    expected[0, 3] = 0
    np.testing.assert_array_equal(dequantize(levels, scales), expected)


def test_a_weight_moves_by_half_a_step_at_most(rng):
    weights = (rng.normal(size=(7, 96)) * 10.0 ** rng.integers(-6, 6, (7, 1))).astype(
        "f4"
    )
    levels, scales = quantize(weights)
    assert levels.dtype == np.int8
    assert np.abs(levels.astype(int)).max() == 127  # -128 is never used
    steps = np.abs(weights.reshape(7, 3, 32)).max(axis=-1, keepdims=True) / 127
    moved = np.abs(dequantize(levels, scales) - weights).reshape(7, 3, 32)
    # The upper half of a float32 is up to 1 part in 128 above it.
    assert (moved <= steps * (1 + 1 / 128) / 2 * (1 + 1e-6)).all()


def test_a_group_of_zeros_stays_zero():
    weights = np.zeros((2, 32), np.float32)
    np.testing.assert_array_equal(dequantize(*quantize(weights)), weights)


@pytest.mark.parametrize("shape", [(3, 33), (64,)])
def test_rows_must_be_cut_without_a_rest(shape):
    with pytest.raises(ValueError, match=r"quantize: .*groups of 32.*got shape \("):
        quantize(np.zeros(shape))


def test_only_matrices_of_numbers_are_rounded(rng):
    arrays = {
        "dense.weight": rng.normal(size=(3, 32)).astype("f4"),
        "dense.bias": rng.normal(size=32).astype("f4"),
        "token_type_embeddings.weight": rng.normal(size=(2, 32)).astype("f4"),
        "position_ids": np.arange(64).reshape(1, 64),
    }
    rounded = round_arrays(arrays)
    changed = [n for n in arrays if not np.array_equal(arrays[n], rounded[n])]
    assert changed == ["dense.weight"]
