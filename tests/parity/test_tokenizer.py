"""Our WordPiece against the tokenizer that the model was published with."""

import json
import random

import make_characters
import pytest
from tokenizers import Tokenizer

from attncourse.real_model import files
from attncourse.real_model.wordpiece import CHARACTERS, WordPiece

FEW = [chr(code) for code in range(0x20000, 0x110000, 97)]
SPECIAL = ["[SEP]", "[CLS]", "[MASK]", "[UNK]", "[PAD]", "[sep]", "[[SEP]", "[ SEP ]"]


@pytest.fixture(scope="module")
def folder():
    return files.find_folder()


@pytest.fixture(scope="module")
def published(folder):
    """A function: texts to the tokens that the published tokenizer makes of them."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda texts: [one.tokens for one in tokenizer.encode_batch(texts)]


@pytest.fixture(scope="module")
def differing(folder, published):
    """A function: texts to those of them that we cut into other tokens."""
    pieces = WordPiece.from_file(folder / files.VOCABULARY)

    def compare(texts):
        pairs = zip(texts, published(texts), strict=True)
        return [text for text, tokens in pairs if pieces.tokenize(text) != tokens]

    return compare


def test_the_table_is_what_the_script_makes():
    made = {k: make_characters.ranges(v) for k, v in make_characters.find().items()}
    assert made == json.loads(CHARACTERS.read_text("utf-8"))


def test_every_character(differing):
    """Between letters and alone, whatever Python's own Unicode is.

    From the second plane on, where ideographs and empty planes lie, each 97th.
    """
    characters = (c for c in make_characters.CHARACTERS if c < "\U00020000")
    assert differing([f"dog{c}cat {c}" for c in (*characters, *FEW)]) == []


def test_texts_put_together_at_random(differing):
    dice, plain = random.Random(0), "abcdeé ΣAÖ.,'[]-!中 犬\t"
    every = make_characters.CHARACTERS[:0x20000]
    strings = [
        "".join(
            dice.choice(every)
            if dice.random() < 0.3
            else dice.choice([*plain, *SPECIAL])
            for _ in range(dice.randint(0, 25))
        )
        for _ in range(20_000)
    ]
    assert differing(strings) == []


def test_long_words_and_long_texts(differing):
    words = ["x" * n for n in (99, 100, 101)] + ["é" * 100, "İ" * 60, "犬" * 300]
    assert differing([*words, "word " * 300, "", " "]) == []
