"""The checks: what each computes of a bug, or of no bug, and whether it says so."""

from functools import cache

import numpy as np

from attncheck import ask
from attncourse.toys.writer.floor import floor_of_texts
from attncourse.toys.writer.model import forward
from attncourse.toys.writer.stories import WORDS
from attncourse.toys.writer.training import N_TOKENS, held_out_texts

from .program import Cache, Program, attend, read

SAME = 1e-6  # logits that differ by less are the same
SHORT, LONG = 6, 40  # words
PROMPT = "a small dog ate the food because it was very hungry . then the"
OTHER = "a horse stole the cheese because it was fresh . then the"
LONGER = f"{OTHER} cheese was gone . " * 4 + PROMPT


def loss(bug, params, trained):
    """Compare the training's last loss with the least that can be expected."""
    return trained["loss"] < floor_of_texts(N_TOKENS) - 0.02


def ids(bug, params, trained):
    """Give both programs the same text, and compare the ids."""
    return bug.writing.words != WORDS


def future(bug, params, trained):
    """Change the last word that training reads, and see whether rows before it move."""
    text = held_out_texts(1)[:, :LONG]
    other = text.copy()
    other[:, -1] = (text[:, -1] + 1) % len(WORDS)
    rows, others = (forward(params, one, bug.training)[0] for one in (text, other))
    return _differ(rows[:, :-1], others[:, :-1])


def programs(bug, params, trained):
    """Let both programs read a whole text, and compare their logits."""
    text = held_out_texts(1)[:, :LONG]
    return _differ(forward(params, text, bug.training)[0], _read(bug, params, text))


def short(bug, params, trained):
    """Read a short text at once, and word by word."""
    return _by_word(bug, params, SHORT)


def long(bug, params, trained):
    """Read a long text at once, and word by word."""
    return _by_word(bug, params, LONG)


def batch(bug, params, trained):
    """Read a text alone, and beside a longer one."""
    alone = Program(params, bug.writing).logits([PROMPT])
    beside = Program(params, bug.writing).logits([PROMPT, LONGER])
    return _differ(alone[0], beside[0])


def again(bug, params, trained):
    """Read a text first, and after another one."""
    first, second = (Program(params, bug.writing) for _ in range(2))
    second.write([OTHER], 5)
    return _differ(first.logits([PROMPT]), second.logits([PROMPT]))


def asked(bug, params, trained):
    """Ask the attention of the program that writes what it computes."""
    return bool(said(bug))


def said(bug):
    """Return the code of the problem that `ask` finds in a bug's attention, or ""."""
    return "" if bug.writing.attend is attend else _said(bug.writing.attend)


@cache
def _said(function):
    problems = ask(function, expected=_facts()).problems
    return problems[0].code if problems else ""


@cache
def _facts():
    return ask(attend).facts


CHECKS = {
    "the loss is not below the floor": loss,
    "both programs turn a text into the same ids": ids,
    "a later word changes no earlier row": future,
    "both programs read a whole text alike": programs,
    "a short text word by word is the text at once": short,
    "a long text word by word is the text at once": long,
    "a text beside a longer one is the text alone": batch,
    "a text after another is the text on its own": again,
    "`ask` has nothing to say": asked,
}


def _differ(a, b):
    return bool(np.abs(a - b).max() > SAME)


def _read(bug, params, text):
    return read(params, text, bug.writing)


def _by_word(bug, params, n):
    text, cache = held_out_texts(1)[:, :n], Cache()
    rows = [read(params, text[:, i : i + 1], bug.writing, cache) for i in range(n)]
    return _differ(np.concatenate(rows, axis=1), _read(bug, params, text))
