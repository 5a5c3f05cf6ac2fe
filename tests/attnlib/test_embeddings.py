""""""

import array_api_strict as strict
import numpy as np
import pytest

from attnlib import Embedding, Vocabulary, tokenize

TABLE = np.arange(35.0).reshape(7, 5)
TOKENS = ["This", "is", "book", "I", "am", "good", "."]


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0), (2, 3, 1)])
def test_lookup_gives_the_rows(xp, shape):
    ids = np.arange(np.prod(shape, dtype=int)).reshape(shape) * 5 % 7
    rows = Embedding(xp.asarray(TABLE))(xp.asarray(ids))
    assert rows.shape == (*shape, 5)
    for index in np.ndindex(shape):
        np.testing.assert_array_equal(np.asarray(rows)[index], TABLE[ids[index]])


def test_one_hot_product_is_the_lookup(xp):
    embedding = Embedding(xp.asarray(TABLE, dtype=xp.float32))
    ids = xp.asarray([[3, 0], [6, 6], [1, 2]])
    one_hot = embedding.one_hot(ids)
    assert one_hot.shape == (3, 2, 7)
    assert one_hot.dtype == xp.float32
    np.testing.assert_array_equal(np.asarray(xp.sum(one_hot, axis=-1)), 1)
    product = np.asarray(one_hot @ embedding.table)
    np.testing.assert_array_equal(product, np.asarray(embedding(ids)))


@pytest.mark.parametrize(
    "tokens", ["book", ["I", "am", "good"], [["I", "am"], ["good", "."]]]
)
def test_tokens_are_looked_up_by_their_ids(tokens):
    vocabulary = Vocabulary(TOKENS)
    embedding = Embedding(TABLE, vocabulary)
    ids = vocabulary.encode(tokens)
    np.testing.assert_array_equal(embedding(tokens), TABLE[ids])
    np.testing.assert_array_equal(embedding(np.array(tokens)), TABLE[ids])
    np.testing.assert_array_equal(embedding.one_hot(tokens), np.eye(7)[ids])


def test_no_tokens_give_no_rows():
    embedding = Embedding(TABLE, Vocabulary(TOKENS))
    assert embedding([]).shape == (0, 5)


def test_numpy_ids_join_the_library_of_the_table():
    rows = Embedding(strict.asarray(TABLE))(np.array([1, 2]))
    assert isinstance(rows, type(strict.asarray(0)))
    rows = Embedding(TABLE)(strict.asarray([1, 2]))
    np.testing.assert_array_equal(np.asarray(rows), TABLE[1:3])


def test_repr():
    assert repr(Embedding(TABLE)) == "Embedding(vocab_size=7, d_model=5, float64)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e: e([7]), r"^Embedding: ids must be integers from 0 to 6, got ids 7"),
        (lambda e: e([-1]), r"^Embedding: ids must be integers .* got ids -1"),
        (lambda e: e([1.0]), r"^Embedding: ids must be .* got dtype float64"),
        (lambda e: e([True]), r"^Embedding: ids must be .* got dtype bool"),
        (lambda e: e([[1], [1, 2]]), r"^Embedding: ids must be an array or evenly"),
        (lambda e: e(None), r"^Embedding: ids must hold real numbers"),
        (lambda e: e(["cat"]), r"^Embedding: tokens must be among the 7 .*'cat'"),
        (lambda e: e.one_hot(["cat"]), r"^Embedding.one_hot: tokens must .*'cat'"),
        (lambda e: e.one_hot([9]), r"^Embedding.one_hot: ids must be integers .* 9"),
        (lambda e: Embedding(TABLE)(["I"]), r"^Embedding: tokens need .* vocab.*'I'"),
        (lambda e: Embedding(TABLE[0]), r"^Embedding: table must be a matrix.*\(5,\)"),
        (lambda e: Embedding(TABLE[:, :0]), r"^Embedding: table must be .*\(7, 0\)"),
        (lambda e: Embedding(TABLE, ["I"]), r"^Embedding: vocabulary must be a Voc"),
        (lambda e: Embedding(TABLE, Vocabulary(["I"])), "^Embedding: vocabulary must"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call(Embedding(TABLE, Vocabulary(TOKENS)))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("This is book", ["This", "is", "book"]),
        ("I am good", ["I", "am", "good"]),
        ("perform complex tasks.", ["perform", "complex", "tasks", "."]),
        ("Don't stop: top-notch!", ["Don't", "stop", ":", "top-notch", "!"]),
        ("  spaces\tand\nlines ", ["spaces", "and", "lines"]),
        ("Größe naïve 3.5", ["Größe", "naïve", "3", ".", "5"]),
        ("cafe\u0301 noir", ["cafe\u0301", "noir"]),  # a mark of the letter before
        ("हिन्दी भाषा।", ["हिन्दी", "भाषा", "।"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("I \u2764\ufe0f it", ["I", "\u2764\ufe0f", "it"]),
        ("naï\u0308ve-ish's", ["naï\u0308ve-ish's"]),
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
def test_errors_vocabulary(call, message):
    with pytest.raises(ValueError, match=message):
        call(Vocabulary(["dog", "food"]))
