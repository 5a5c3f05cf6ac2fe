"""Ask the published model's own tokenizer what each character is to it.

It knows Unicode as of 2015: accents and punctuation that came later are letters to it.
So the table is written down, and neither Python's Unicode nor the browser's decides.
Needs the package `tokenizers` (requirements-parity.txt). Run it again only for another
tokenizer; a parity test compares.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from tokenizers import normalizers, pre_tokenizers

import attncourse.real_model

TARGET = Path(attncourse.real_model.__file__).with_name("characters.json")
CHARACTERS = [chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
NOTHING = {
    "clean_text": False,
    "handle_chinese_chars": False,
    "strip_accents": False,
    "lowercase": False,
}


def normalizer(**steps):
    """Return the tokenizer's normalizer with only some of its steps."""
    return normalizers.BertNormalizer(**{**NOTHING, **steps}).normalize_str


def find():
    """Return the characters of each kind."""
    clean = normalizer(clean_text=True)
    strip = normalizer(strip_accents=True)
    spread = normalizer(handle_chinese_chars=True)
    split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    between = {c: f"a{c}b" for c in CHARACTERS}
    return {
        "dropped": [c for c, text in between.items() if clean(text) == "ab"],
        "accents": [c for c, text in between.items() if strip(text) == "ab"],
        "ideographs": [c for c, text in between.items() if len(spread(text)) == 5],
        "marks": [c for c, text in between.items() if len(split(text)) == 3],
    }


def ranges(characters: Iterable[str]) -> str:
    """Write characters as ranges of code points: "61-7a e9"."""
    found = []
    for code in map(ord, characters):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return " ".join(f"{a:x}" if a == b else f"{a:x}-{b:x}" for a, b in found)


def main():
    """Write the table."""
    table = {kind: ranges(found) for kind, found in find().items()}
    TARGET.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
