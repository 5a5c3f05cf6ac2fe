"""Each entry of the list of references is cited on a page."""

import re
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
ENTRIES = re.findall(
    r"^@\w+\{([^,]+),", (BOOK / "references.bib").read_text(encoding="utf-8"), re.M
)
CITED = {
    entry
    for page in (*BOOK.rglob("*.ipynb"), *BOOK.rglob("*.md"))
    for cited in re.findall(r"\{cite:\w+\}`([^`]+)`", page.read_text(encoding="utf-8"))
    for entry in re.split(r"\s*,\s*", cited)
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_it_is_cited(entry):
    assert entry in CITED  # a section that was lost takes its citation along
