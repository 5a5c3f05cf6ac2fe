"""Symptoms of each bug: how well it trains, and how well it writes.

Five trainings take a while, so this is stored; `tools/debugging.py` computes it again.
"""

import json
from pathlib import Path

import numpy as np

from attncourse.toys.writer.stories import words_right, write_story

from .bugs import BUGS, Bug
from .checks import LONGER
from .program import Program

STORED = Path(__file__).with_suffix(".json")
SEEDS = range(3)
N_TEXTS, N_NEW, N_LAST, N_SHOWN = 100, 40, 50, 14
CASES = {"none": Bug("", "", ""), **BUGS}


def prompts():
    """Draw beginnings of stories up to "then the", each with the noun that follows."""
    rng, found = np.random.default_rng(5), []
    for _ in range(N_TEXTS):
        story = write_story(rng)
        at = story.index("then") + 2
        found.append((" ".join(story[:at]), story[at]))
    return found


def measure(bug, params, losses):
    """Return what one sees of a bug after a training.

    Returns
    -------
    dict
        ``loss``: the mean of the last 50 losses that the training reports. ``words``:
        how many of 41 words stand where they may, before the first that does not, the
        mean of 100 texts. ``alone``, ``batch``, ``later``: in how many of 100 stories
        the noun is right that is written after "then the"; alone, beside a longer text,
        and one after another. ``text``: what the first of the texts begins with.
    """
    new = Program(params, bug.writing).write(
        ["a"] * N_TEXTS, N_NEW, 0.5, np.random.default_rng(0)
    )
    right = np.mean([words_right(f"a {text}".split()) for text in new])
    found = {"loss": np.mean(losses[-N_LAST:]), "words": right}
    found: dict = {name: round(float(number), 3) for name, number in found.items()}
    found["text"] = " ".join(["a", *new[0].split()[: N_SHOWN - 1]])
    one = Program(params, bug.writing)
    found["alone"] = found["batch"] = found["later"] = 0
    for text, noun in prompts():
        alone, batch = (Program(params, bug.writing) for _ in range(2))
        found["alone"] += alone.write([text], 1)[0] == noun
        found["batch"] += batch.write([text, LONGER], 1)[0] == noun
        found["later"] += one.write([text], 1)[0] == noun
    return found


def load():
    """Return what is stored of each bug and of "none": a dict for each seed."""
    return json.loads(STORED.read_text(encoding="utf-8"))["seen"]


def said():
    """Return the code of what `attncheck.ask` found in each bug, as stored."""
    return json.loads(STORED.read_text(encoding="utf-8"))["said"]
