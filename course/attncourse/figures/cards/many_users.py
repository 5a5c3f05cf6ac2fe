"""The figures of the cards on what many users share."""

from functools import cache

import numpy as np

import attnconfig
from attncourse.toys.writer import ahead
from attncourse.toys.writer.drafting import counted
from attncourse.toys.writer.training import training_texts
from attnlib import scaled_dot_product_attention

from ..configuration.models import LLAMA_3_8B
from ..kit.controls import Choice, Slider
from ..kit.tabled import Bars, Curves, Grid, tabled
from . import interval, numbers

LENGTHS = tuple(2**p for p in range(4, 18))
LLAMA = attnconfig.read(LLAMA_3_8B)


@tabled(
    controls={"tokens": numbers("Tokens", 8192, LENGTHS)},
    drawn=Curves(
        "Multiplications for each byte read, by powers",
        "lengths",
        "tokens, by powers",
        {"prefill": "read", "decode": "write"},
        moves="tokens",
        form=".1f",
        log="xy",
        limit=150,
    ),
    title="What reading a question and writing a token do with each byte",
    summary="{tokens:,} tokens: prefill does {read.$at:.0f} multiplications a byte, "
    "decode {write.$at:.2f}. Below 150 (dotted) our chip waits for memory.",
    said=("prefill {read.$at:.0f}", "decode {write.$at:.2f}"),
)
def prefill(tokens):
    """Return multiplications for each byte read, of a question and of one token."""
    return {"lengths": LENGTHS, **_per_byte()}


@cache
def _per_byte():
    return {
        name: [one.per_byte for n in LENGTHS if (one := count(LLAMA, n))]
        for name, count in (("read", attnconfig.prefill), ("write", attnconfig.decode))
    }


EIGHTHS = np.arange(1, 9)


@tabled(
    controls={"parts": Choice("Parts of the question", 1, (1, 2, 4, 8))},
    drawn=Grid(
        "A question of 8,192 tokens, by eighths", "works", header="goes on after"
    ),
    title="Chunked prefill: when the others write",
    summary="Steps of {tokens:,} tokens: the longest has {most:.2f} of the question, "
    "none fewer than {least:.0f} multiplications a byte. Bytes in all: "
    "{again:.1f} times.",
    said=("longest step {most:.2f}", "{again:.1f} times the bytes"),
)
def chunks(parts):
    """Return when others write while a question is read, and what the parts cost."""
    ends = EIGHTHS[8 // parts - 1 :: 8 // parts]
    read = (attnconfig.prefill(LLAMA, int(n) * 1024) for n in ends)
    done = [one for one in read if one]
    steps = np.diff([0, *(one.multiplications for one in done)])
    n_bytes = [one.n_bytes for one in done]
    return {
        "rows": ["question", "other answers"],
        "columns": EIGHTHS,
        "works": np.array([np.ones(8, bool), np.isin(EIGHTHS, ends)]),
        "tokens": 8192 // parts,
        "most": steps.max() / steps.sum(),
        "least": (steps / n_bytes).min(),
        "again": sum(n_bytes) / n_bytes[-1],
    }


GROWN, TIMES = (0, 2, 4, 8), (1, 2, 4)


@cache
def _largest():
    """Draw the largest score read after each block of 128 keys, 20 times.

    In powers of two, for 32 rows: (rows, blocks) each.
    """
    rng, found = np.random.default_rng(14), []
    for _ in range(20):
        query, key = rng.standard_normal((32, 128)), rng.standard_normal((4096, 128))
        scores = query @ key.T / 128**0.5 / np.log(2)
        tops = scores.reshape(32, 32, 128).max(axis=-1)
        found.append(np.maximum.accumulate(tops, axis=1))
    return found


def _subtracted(grown, largest):
    """Return the largest score read and the score subtracted: (rows, blocks) each."""
    taken = [largest[:, 0]]
    for now in largest.T[1:]:
        taken.append(np.where(now - taken[-1] > grown, now, taken[-1]))
    return largest, np.transpose(taken)


@cache
def rescaled(grown, times):
    """Return in how many of 31 steps 32 rows are rescaled, in 20 draws, and a row.

    Of the row of the last draw that grows most often: the largest score read and the
    score subtracted, after each block.
    """
    draws = [_subtracted(grown, times * largest) for largest in _largest()]
    counts = [np.diff(taken).any(axis=0).sum() for _, taken in draws]
    largest, taken = draws[-1]
    row = (np.diff(largest) > 0).sum(axis=1).argmax()
    return np.array(counts), largest[row], taken[row]


@tabled(
    controls={
        "grown": Choice("Rescaled beyond", 0, GROWN),
        "times": Choice("Scores, times", 2, TIMES),
    },
    drawn=(
        Curves(
            "How a row has grown, in powers of 2",
            "blocks",
            "blocks of 128 keys read",
            {"largest": "largest", "subtracted": "taken"},
            form=".1f",
        ),
        Bars(
            "Rescaled, of 31 steps",
            "steps",
            "means",
            ".1f",
            half="half",
            lit="now",
        ),
    ),
    title="Rescaling that is left out",
    summary="32 rows are rescaled in {steps:.1f} of 31 steps (20 draws). In the row "
    "that is drawn no exponential exceeds {most:.0f}.",
    said=("rescaled in {steps:.1f} of 31 steps", "no more than {most:.0f}"),
)
def rescaling(grown, times):
    """Return one row of the last draw, and means over all draws by what it may grow."""
    _, largest, taken = rescaled(grown, times)
    means, half = interval(np.transpose([rescaled(g, times)[0] for g in GROWN]))
    return {
        "blocks": np.arange(1, 33),
        "largest": (largest - largest[0]).round(2),
        "taken": (taken - largest[0]).round(2),
        "names": [f"beyond {g}" for g in GROWN],
        "means": means,
        "half": half,
        "now": GROWN.index(grown),
        "most": 2 ** (largest - taken).max(),
        "steps": means[GROWN.index(grown)],
    }


N = 12


@tabled(
    controls={"changed": Slider("Token that changes", 3, 1, N, 1)},
    drawn=Grid("Rows of the cache that may stay", "stays", header="keeps"),
    title="One token changes: which rows of the cache stay",
    summary="Token {changed} changes: above the first layer {n_stay} of 12 rows stay.",
    said=("{n_stay} of 12 rows stay",),
)
def prefix(changed):
    """Return which rows of two layers' caches stay when one token changes."""
    rng = np.random.default_rng(14)
    prompt = rng.standard_normal((N, 16))
    other = prompt.copy()
    other[changed - 1] = rng.standard_normal(16)

    def above(x):
        return x + scaled_dot_product_attention(x, x, x, is_causal=True)

    rows = (prompt, other), (above(prompt), above(other))
    stays = [np.isclose(*pair).all(axis=1) for pair in rows]
    return {
        "rows": ["layer 1", "layer 2"],
        "columns": np.arange(1, N + 1),
        "stays": stays,
        "n_stay": int(stays[1].sum()),
    }


DRAFTS = np.arange(1, 17)


@tabled(
    controls={
        "drafts": Slider("Drafts a step", 4, 1, 16, 1),
        "kept": Choice("Chance that one is kept", 0.9, (0.5, 0.7, 0.8, 0.9)),
    },
    drawn=Curves(
        "Words for each step of the large model",
        "drafts_made",
        "drafts a step",
        {"words": "words", "all kept": "all"},
        moves="drafts",
        form=".1f",
    ),
    title="Drafts, and how many words a step gives",
    summary="{drafts} drafts, each kept by a chance of {kept}: {words.$at:.2f} words "
    "a step.",
    said=("{words.$at:.2f} words a step",),
)
def drafts(drafts, kept):
    """Return words a step, if each draft is kept by the same chance."""
    words = (1 - kept ** (DRAFTS + 1)) / (1 - kept)
    return {
        "drafts_made": DRAFTS,
        "words": words,
        "all": DRAFTS + 1,
    }


@cache
def mtp_kept(further):
    """Return {what a layer sees: (share of its guesses that are kept, half)}."""
    learn, new = ahead.texts()
    row, after, wanted = ahead.rows_and_words(learn, further)
    *asked, _ = ahead.rows_and_words(new, further)
    seen = {
        "the next word": ([after], asked[1:]),
        "the row": ([row], asked[:1]),
        "both": ([row, after], asked),
    }
    return {
        name: interval(ahead.kept(ahead.fitted(read, wanted, ask), further))
        for name, (read, ask) in seen.items()
    }


@tabled(
    controls={"further": Slider("Words further", 1, 1, 4, 1)},
    drawn=Bars(
        "Guesses kept (gray: at most)",
        "kept",
        "means",
        ".3f",
        half="half",
        before="most",
        before_header="own best",
    ),
    title="What a layer that guesses one word further must see",
    summary="{further} further: of guesses from the row and the next word "
    "{means.2:.2f} are kept, from the row alone {means.1:.2f}, of {best:.2f} at most.",
    said=("from both {means.2:.2f}", "from the row {means.1:.2f}"),
)
def mtp(further):
    """Return shares of guesses kept, beside what the model's own best would be."""
    found = mtp_kept(further)
    means, half = np.transpose([*found.values()])
    best = ahead.chances()[:, further:-1].max(axis=-1).mean().round(3)
    told = {"names": list(found), "means": means, "half": half}
    return told | {"most": [best] * len(found), "best": best}


CUTS = ("contiguous", "striped", "zigzag")
TOKENS = 4096


@tabled(
    controls={"cut": Choice("How the text is cut", "contiguous", CUTS)},
    drawn=Bars("Work, as a share of the mean", "work", "shares", ".3f", limit=1),
    title="One text on several devices: who works longest",
    summary="Cut {cut}: the slowest of 8 does {most:.3f} of the mean, and all "
    "wait for it.",
    said=("slowest {most:.3f} of the mean",),
)
def devices(cut):
    """Return how much of the work each of eight devices gets, beside the mean."""
    scores = np.arange(1, TOKENS + 1)  # of each query: its own key and all before
    if cut == "striped":
        work = scores.reshape(-1, 8).sum(axis=0)
    elif cut == "contiguous":
        work = scores.reshape(8, -1).sum(axis=1)
    else:
        parts = scores.reshape(16, -1).sum(axis=1)
        work = parts[:8] + parts[::-1][:8]
    shares = work / work.mean()
    names = [f"device {i + 1}" for i in range(8)]
    return {"names": names, "shares": shares.round(4), "most": shares.max()}


STEPS = np.arange(1, ahead.N_DRAFTS + 1)
SOURCES = ("low layer", "middle layer", "last row", "its own row", "words before")
WAYS = {  # what each draft is made from, the first and the later ones
    "a small model": ({"words before"}, {"words before"}),
    "Medusa": ({"last row"}, {"last row"}),
    "EAGLE": ({"last row", "words before"}, {"its own row", "words before"}),
    "EAGLE-3": ({*SOURCES} - {"its own row"}, {"its own row", "words before"}),
}


def _guesses(way, k):
    """Guess the k-th word of each draft of the new texts."""
    learn, new = ahead.texts()
    if way == "a small model":  # which counts the word that followed two
        return counted(training_texts())[new[:, k - 1 : -2], new[:, k:-1]].argmax(-1)
    if way == "Medusa":
        (row, _, wanted), asked = (ahead.rows_and_words(x, k) for x in (learn, new))
        return ahead.fitted([row], wanted, [asked[0]])
    return ahead.carried(k, own=way == "EAGLE-3")


@cache
def drafts_kept(way):
    """Return which share of each draft is kept, of each new text: (texts, drafts)."""
    return np.array([ahead.kept(_guesses(way, int(k)), int(k)) for k in STEPS]).T


@tabled(
    controls={"way": Choice("Who drafts", "EAGLE", tuple(WAYS))},
    drawn=(
        Grid("What each draft is made from", "made", header="goes into drafts"),
        Bars("Kept, of 200 texts", "kept", "means", ".3f", half="half"),
    ),
    title="Who drafts: from which rows of the large model",
    summary="{way}: {means.0:.3f} of first drafts are kept, {means.3:.3f} of fourth.",
    said=("first drafts {means.0:.3f}", "fourth {means.3:.3f}"),
)
def eagle(way):
    """Return what each draft is made from, and which share of each is kept."""
    means, half = interval(drafts_kept(way))
    first, later = WAYS[way]
    made = [[name in (later if k > 1 else first) for k in STEPS] for name in SOURCES]
    return {
        "rows": SOURCES,
        "columns": STEPS,
        "made": made,
        "names": [f"draft {k}" for k in STEPS],
        "means": means,
        "half": half,
    }
