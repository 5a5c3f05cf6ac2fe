import numpy as np
import pytest

from attnlib import Vocabulary, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("This is book", ["This", "is", "book"]),
        ("I am good", ["I", "am", "good"]),
        ("perform complex tasks.", ["perform", "complex", "tasks", "."]),
        ("Don't stop: top-notch!", ["Don't", "stop", ":", "top-notch", "!"]),
        ("  spaces\tand\nlines ", ["spaces", "and", "lines"]),
        ("Größe naïve 3.5", ["Größe", "naïve", "3", ".", "5"]),
        ("", []),
    ],
)
def test_tokenize_splits_words_and_marks_and_keeps_case(text, tokens):
    assert tokenize(text) == tokens


def test_tokenize_wants_a_string():
    with pytest.raises(ValueError, match=r"tokenize: text must be a string, got.*3"):
        tokenize(3)


def test_ids_follow_first_appearance():
    vocabulary = Vocabulary(["the", "dog", "ate", "the", "food"])
    assert list(vocabulary) == ["the", "dog", "ate", "food"]
    assert len(vocabulary) == 4
    assert vocabulary.encode("food") == 3
    assert vocabulary.encode([["the", "dog"], ["ate", "food"]]) == [[0, 1], [2, 3]]
    assert vocabulary.decode(np.array([[0, 1], [2, 3]])) == [
        ["the", "dog"],
        ["ate", "food"],
    ]
    assert vocabulary.decode(2) == "ate"


def test_contains():
    vocabulary = Vocabulary(["dog"])
    assert "dog" in vocabulary
    assert "Dog" not in vocabulary


def test_repr_shows_the_first_tokens():
    assert repr(Vocabulary(["a", "b"])) == "Vocabulary(2 tokens: 'a', 'b')"
    assert repr(Vocabulary(map(str, range(9)))).endswith("'7', …)")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda v: v.encode("cat"), r"encode: tokens must be among the 2 .*'cat'"),
        (lambda v: v.encode(["dog", 1]), r"encode: tokens must be .* got token 1"),
        (lambda v: v.decode(2), r"decode: ids must be integers from 0 to 1, got ids 2"),
        (lambda v: v.decode(-1), r"decode: ids must be .* got ids -1"),
        (lambda v: v.decode([0.5]), r"decode: ids must be .* got dtype float64"),
        (lambda v: Vocabulary("dog"), r"Vocabulary: tokens must be a list .*'dog'"),
        (lambda v: Vocabulary(3), r"Vocabulary: tokens must be a list .*3"),
        (lambda v: Vocabulary(["a", 3]), r"Vocabulary: tokens must .* got token 3"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call(Vocabulary(["dog", "food"]))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("cafe\u0301 noir", ["cafe\u0301", "noir"]),
        ("हिन्दी भाषा।", ["हिन्दी", "भाषा", "।"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("I \u2764\ufe0f it", ["I", "\u2764\ufe0f", "it"]),
        ("naï\u0308ve-ish's", ["naï\u0308ve-ish's"]),
    ],
)
def test_marks_belong_to_the_letter_before(text, tokens):
    assert tokenize(text) == tokens
