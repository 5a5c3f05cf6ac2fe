"""Names, comments and sentences are spelled as American English spells them."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = [
    *("attnlib", "attnconfig", "attncheck", "named_mistakes", "course"),
    *("sphinx-nokernel", "book", "tests", "tools", "benchmarks", "."),
]
WRITTEN = {".py", ".js", ".mjs", ".css", ".md", ".ipynb", ".toml", ".mistakes", ".html"}
# Parts of words: names run words together.
WORDS = """
    behaviour colour favour flavour honour humour labour neighbour rumour
    centre centred centring fibre theatre grey licence defence artefact judgement
    labelled labelling modelled modelling cancelled cancelling travelled levelled
    signalled misspelt learnt whilst analysed analysing analyser
    normalis organis recognis optimis summaris initialis minimis maximis generalis
    realis visualis standardis factoris vectoris tokenis quantis serialis customis
    utilis stabilis
"""
HTML = "aria-labelledby"  # an attribute, spelled so everywhere
STANDARD = "perception of colour"  # the name of a clause of EN 301 549
NOT_OURS = {
    "tests/rooms/test_spelling.py",  # the list itself
    "tests/site/test_own_sentence.py",  # a word that the model knows, and is asked of
}
NOT_WRITTEN = {"_build", "node_modules", ".venv"}


def british(text):
    text = text.lower().replace(HTML, "").replace(STANDARD, "")
    return [word for word in WORDS.split() if word in text]


def written(room):
    """Yield the files that somebody wrote: those of the root, or all below a folder."""
    folder = ROOT / room
    for path in folder.glob("*") if room == "." else folder.rglob("*"):
        name = path.relative_to(ROOT).as_posix()
        ours = name not in NOT_OURS and not NOT_WRITTEN & set(path.parts)
        if ours and path.suffix in WRITTEN and path.is_file():
            yield name, path.read_text(encoding="utf-8")


@pytest.mark.parametrize("room", ROOMS)
def test_spelling_is_american(room):
    files = dict(written(room))
    assert files
    found = {name: british(f"{name}\n{text}") for name, text in files.items()}
    assert {name: words for name, words in found.items() if words} == {}
