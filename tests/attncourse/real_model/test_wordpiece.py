"""A text cut into word pieces, as upstream's tokenizer cuts it."""

import pytest

from attncourse.real_model import WordPiece

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
        ("a" * 101, ["[UNK]"]),
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
