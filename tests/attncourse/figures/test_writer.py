"""The live figure of the page on writing: the page's decoder is attnlib's."""

import numpy as np
import pytest

from attncourse.figures.writer import live
from attncourse.figures.writer.written import random_numbers
from attncourse.toys.writer.heads import weights_of
from attncourse.toys.writer.stored import writer
from attncourse.toys.writer.stories import WORDS
from attncourse.toys.writer.training import held_out_texts
from attncourse.toys.writer.writing import continue_text, multiplications, read
from attnlib import KVCache, generate, token_probabilities
from tests.attncourse.figures.conftest import in_node

pytestmark = pytest.mark.slow

SIZES = {"nLayers": 2, "nHeads": 2}
EVERY = {"temperature": 1, "topK": len(WORDS), "topP": 1}
GREEDY = {**EVERY, "temperature": 0}
LENGTHS = range(1, 48, 8)
PROMPTS = [row[:n].tolist() for row, n in zip(held_out_texts(6), LENGTHS, strict=True)]
CHOICES = [
    {"temperature": 1.0, "top_k": 37, "top_p": 1.0},
    {"temperature": 0.0, "top_k": 37, "top_p": 1.0},
    {"temperature": 2.0, "top_k": 5, "top_p": 0.8},
    {"temperature": 0.1, "top_k": 37, "top_p": 0.05},
    {"temperature": 1.0, "top_k": 37, "top_p": 0.5},
]


LOGITS = [
    [1.0, 1.0],  # the first half is top-p 0.5 to the last digit
    [0.0, 1.0, 1.0, -2.0, 0.5],
    np.random.default_rng(1).normal(size=37).round(2).tolist(),
]


@pytest.fixture(scope="module")
def panel():
    return live.panel()


# The same again, longer, shorter, another word in the middle, and the first once more.
IN_A_ROW = [
    [PROMPTS[1], []],
    [PROMPTS[1], [0.5] * 5],
    [PROMPTS[1][:2], []],
    [[*PROMPTS[1][:1], 5, *PROMPTS[1][2:]], [0.5] * 3],
    [PROMPTS[1], [0.5] * 5],
]


def own(choice):
    """The choice by the page's names."""
    return {"topK": choice["top_k"], "topP": choice["top_p"], **choice}


def calls(numbers):
    """What to ask of the page, by name."""
    yield "greedy", ["continueText", PROMPTS[1], [0.5] * 200, GREEDY, SIZES]
    yield "few", ["multiplications", 2, 1, 9]
    yield "many", ["multiplications", 2, 9, 9]
    for i, ids in enumerate(PROMPTS):
        yield f"prompt {i}", ["continueText", ids, [], EVERY, SIZES]
    for j, choice in enumerate(CHOICES):
        how = own(choice)
        yield f"choice {j}", ["continueText", PROMPTS[2], numbers[j], how, SIZES]
        for i, logits in enumerate(LOGITS):
            yield f"chances {i} {j}", ["probabilities", logits, how]
    for text in ("A dog ate. Then", "a wolf", " "):
        yield f"read {text}", ["read", text, list(WORDS)]
    for i, state in enumerate(live.panel().view.data["chance"]):
        yield f"draws {i}", ["draws", state, 80]
    yield "largest", ["largest", [0.1, 0.7, 0.1, 0.2], 3]
    yield "grouped", ["grouped", 1234567]
    yield "one after the other", ["oneAfterTheOther", IN_A_ROW, GREEDY, SIZES]
    for i, (ids, draws) in enumerate(IN_A_ROW):
        yield f"alone {i}", ["continueText", ids, draws, GREEDY, SIZES]


@pytest.fixture(scope="module")
def from_page(panel):
    """All that the page computes, in one start of node."""
    data = panel.view.data
    asked = dict(calls([random_numbers(i + 1).tolist() for i in range(len(CHOICES))]))
    text = {
        "packed": data["packed"],
        "parts": data["parts"],
        "calls": [*asked.values()],
    }
    found = in_node("writer", text)
    return dict(zip(asked, found, strict=True))


def test_logits_and_weights_are_those_of_attnlib(from_page):
    for i, ids in enumerate(PROMPTS):
        steps = from_page[f"prompt {i}"]["steps"]
        got = np.array([step["logits"] for step in steps])
        np.testing.assert_allclose(got, writer()(ids), rtol=0, atol=1e-10)
        wanted = weights_of(writer(), np.array(ids))
        for place, step in enumerate(steps):
            seen = wanted[:, :, place, : place + 1]
            np.testing.assert_allclose(step["weights"], seen, rtol=0, atol=1e-10)


def test_chance_is_that_of_numpy(from_page):
    for i in range(6):
        assert from_page[f"draws {i}"] == random_numbers(i + 1).tolist()


def test_greedy_writing_is_that_of_attnlib(from_page):
    wanted = generate(writer(), PROMPTS[1], 200, temperature=0)
    assert from_page["greedy"]["ids"] == wanted.tolist()


@pytest.mark.parametrize("i", range(len(CHOICES)))
def test_the_same_numbers_write_the_same(from_page, i):
    numbers = random_numbers(i + 1)
    wanted, _ = continue_text(writer(), PROMPTS[2], numbers, **CHOICES[i])
    assert from_page[f"choice {i}"]["ids"] == wanted


@pytest.mark.parametrize("i", range(len(LOGITS)))
@pytest.mark.parametrize("j", range(len(CHOICES)))
def test_probabilities_are_those_of_attnlib(from_page, i, j):
    wanted = token_probabilities(np.array(LOGITS[i]), **CHOICES[j])
    np.testing.assert_allclose(from_page[f"chances {i} {j}"], wanted, atol=1e-14)


def test_reading_and_counting(from_page):
    assert from_page["read A dog ate. Then"] == {"ids": read("A dog ate. Then")}
    assert from_page["read a wolf"] == {"ids": [], "unknown": "wolf"}
    assert from_page["read  "] == {"ids": []}
    assert from_page["few"] == multiplications(1, 9)
    assert from_page["many"] == multiplications(9, 9)
    assert from_page["largest"] == [1, 3, 0]
    assert from_page["grouped"] == "1,234,567"


def test_the_cache_is_as_large_as_said():
    caches = [KVCache(), KVCache()]
    writer()(read(live.BEGINNING), caches=caches)
    said = live.panel().compute().cache_bytes
    assert sum(cache.n_bytes for cache in caches) == said


def test_what_the_page_remembers_changes_nothing(from_page):
    for i, found in enumerate(from_page["one after the other"]):
        alone = from_page[f"alone {i}"]
        assert found["ids"] == alone["ids"]
        for one, other in zip(found["steps"], alone["steps"], strict=True):
            assert one["logits"] == other["logits"]
            assert one["weights"] == other["weights"]
