"""WordPiece: words cut into the longest pieces that a vocabulary has."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from attncourse.checks import require

LONGEST = 100  # characters: a longer word is unknown, as in BERT
START, STOP, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
SPECIAL = re.compile(r"(\[(?:CLS|SEP|UNK|PAD|MASK)\])")  # typed like this, they stay
# What each character is to the published tokenizer, whose Unicode is that of 2015: see
# tools/make_characters.py. In ranges of code points; wordpiece.js reads the same file.
CHARACTERS = Path(__file__).with_name("characters.json")


def read_characters() -> dict[str, re.Pattern[str]]:
    """Read the table: for each kind a pattern that finds one such character."""
    kinds = json.loads(CHARACTERS.read_text("utf-8"))
    return {kind: re.compile(f"[{_in_brackets(r)}]") for kind, r in kinds.items()}


def _in_brackets(ranges: str) -> str:
    ends = (part.split("-") for part in ranges.split())
    return "".join("-".join(rf"\U{int(e, 16):08x}" for e in pair) for pair in ends)


IS = read_characters()
SURROGATE = re.compile("[\ud800-\udfff]")  # alone it is no character


class WordPiece:
    """Turn text into tokens and ids, as the uncased BERT models do.

    Parameters
    ----------
    tokens : iterable of str
        The vocabulary: a token's id is its place. Pieces that go on within a word
        begin with ``##``. Must hold [CLS], [SEP] and [UNK].

    Examples
    --------
    >>> pieces = WordPiece(["[UNK]", "[CLS]", "[SEP]", "un", "##know", "##able", "!"])
    >>> pieces.tokenize("Unknowable!")
    ['[CLS]', 'un', '##know', '##able', '!', '[SEP]']
    >>> pieces.ids(["un", "##able"])
    [3, 5]

    References
    ----------
    Devlin et al. (2019), BERT, section 3; Wu et al. (2016), section 4.1.
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        self.vocabulary = {token: i for i, token in enumerate(tokens)}
        missing = [t for t in (START, STOP, UNKNOWN) if t not in self.vocabulary]
        rule = "the vocabulary must hold [CLS], [SEP] and [UNK]"
        require(not missing, "WordPiece", rule, missing=missing)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> WordPiece:
        """Read a vocab.txt: one token a line."""
        text = Path(path).read_text(encoding="utf-8")
        return cls(text.removesuffix("\n").split("\n"))

    def tokenize(self, text: str) -> list[str]:
        """Cut text into tokens, between [CLS] and [SEP].

        A special token that the text spells out, such as [SEP], is that token.
        """
        require(isinstance(text, str), "WordPiece", "text must be a string", text=text)
        parts = SPECIAL.split(text)  # text and special tokens by turns
        return [START, *(p for part in parts for p in self._pieces_of(part)), STOP]

    def _pieces_of(self, part: str) -> list[str]:
        if SPECIAL.fullmatch(part) and part in self.vocabulary:
            return [part]
        return [piece for word in split_words(part) for piece in self.pieces(word)]

    def pieces(self, word: str) -> list[str]:
        """Cut one word: again and again the longest piece that the vocabulary has."""
        found, start = [], 0
        while start < len(word) <= LONGEST:
            ends = range(len(word), start, -1)
            candidates = (("##" if start else "") + word[start:end] for end in ends)
            piece = next((p for p in candidates if p in self.vocabulary), None)
            if piece is None:
                break
            found.append(piece)
            start += len(piece) - (2 if start else 0)
        return found if start == len(word) else [UNKNOWN]

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """Look up the ids of tokens; those of no vocabulary get [UNK]'s."""
        unknown = self.vocabulary[UNKNOWN]
        return [self.vocabulary.get(token, unknown) for token in tokens]


def split_words(text: str) -> list[str]:
    """Split at spaces and around punctuation, in lower case and without accents.

    Characters are lowered one at a time, so a final sigma is a sigma like any other.
    """
    whole = IS["dropped"].sub("", SURROGATE.sub("", text))
    spaced = IS["ideographs"].sub(r" \g<0> ", whole)
    plain = IS["accents"].sub("", unicodedata.normalize("NFD", spaced))
    return IS["marks"].sub(r" \g<0> ", "".join(c.lower() for c in plain)).split()
