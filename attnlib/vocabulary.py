"""Tokens: a text becomes words, and words become numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from attnlib._arrays import as_arrays, as_integers
from attnlib._checks import require

# A word, with apostrophes and hyphens inside it, or one punctuation mark. Characters
# that belong to the one before (accents, vowel signs, joiners) are replaced by MARK.
MARK = "\uffff"
TOKEN = re.compile(rf"[\w{MARK}]+(?:['’-][\w{MARK}]+)*|[^\w\s]{MARK}*")
JOINERS = "\u200c\u200d"


def tokenize(text: str) -> list[str]:
    """Split a text into words and punctuation marks, keeping case.

    Large models use subword tokenizers; whole words are enough to follow the math.
    An accent or vowel sign that is a separate character stays with its letter.

    Examples
    --------
    >>> tokenize("Smart robots perform complex tasks.")
    ['Smart', 'robots', 'perform', 'complex', 'tasks', '.']
    """
    require(isinstance(text, str), "tokenize", "text must be a string", text=text)
    marked = "".join(
        MARK if c in JOINERS or unicodedata.category(c).startswith("M") else c
        for c in text
    )
    return [text[match.start() : match.end()] for match in TOKEN.finditer(marked)]


class Vocabulary:
    """Number the tokens: token ↔ id, in the order of their first appearance.

    Parameters
    ----------
    tokens : iterable of str
        Repeated tokens count once.

    Examples
    --------
    >>> vocabulary = Vocabulary(tokenize("the dog ate the food"))
    >>> len(vocabulary), "dog" in vocabulary
    (4, True)
    >>> vocabulary.encode(["dog", "food"])
    [1, 3]
    >>> vocabulary.decode([1, 3])
    ['dog', 'food']
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        rule = "tokens must be a list of strings; split a text with tokenize"
        listed = isinstance(tokens, Iterable) and not isinstance(tokens, str | bytes)
        require(listed, "Vocabulary", rule, tokens=tokens)
        self._tokens = tuple(dict.fromkeys(tokens))
        for token in self._tokens:
            require(isinstance(token, str), "Vocabulary", rule, token=token)
        self._ids = {str(token): i for i, token in enumerate(self._tokens)}

    def encode(self, tokens: Any) -> Any:
        """Turn a token into its id, and nested lists of tokens into lists of ids."""
        if isinstance(tokens, Iterable) and not isinstance(tokens, str):
            return [self.encode(token) for token in tokens]
        rule = f"tokens must be among the {len(self)} of the vocabulary"
        known = isinstance(tokens, str) and tokens in self._ids
        require(known, "Vocabulary.encode", rule, token=tokens)
        return self._ids[tokens]

    def decode(self, ids: Any) -> Any:
        """Turn an id into its token, and nested lists of ids into lists of tokens."""
        if getattr(ids, "ndim", 0) or isinstance(ids, list | tuple | range):
            return [self.decode(i) for i in ids]
        _, (i,) = as_arrays("Vocabulary.decode", ids=ids)
        as_integers("Vocabulary.decode", "ids", i, len(self) - 1)
        return self._tokens[int(i)]

    def __len__(self) -> int:
        return len(self._tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._tokens)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self._tokens[:8])) + ", …" * (len(self) > 8)
        return f"Vocabulary({len(self)} tokens: {shown})"
