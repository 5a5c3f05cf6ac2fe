"""wordpiece.js cuts a text into the same tokens as wordpiece.py."""

import random

import pytest

pytestmark = pytest.mark.slow

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


def test_texts_of_many_kinds(compare):
    assert compare([*FIXED, *strings()]) == []


def test_every_character(compare):
    """Between letters and alone: dropped, kept, a space, an accent or a word."""
    texts = [f"dog{c}cat {c}" for c in characters()]
    assert len(texts) > 60_000
    assert compare(texts) == []
