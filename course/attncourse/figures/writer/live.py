"""The live figure of the page on writing: a decoder that runs in the page."""

import re

import numpy as np

from attncourse.toys.writer.model import N_HEADS, N_LAYERS
from attncourse.toys.writer.stored import bytes_and_scales
from attncourse.toys.writer.stories import WORDS

from ..kit.controls import Fixed, Slider, Text
from ..kit.declared import Figure
from ..kit.described import Line, Matrix, Table
from ..kit.panel import letters
from ..kit.picture import MUTED, WEIGHTS, panels
from .written import HEADS, MOST_ADDED, chance, written

MOST = 6


def next_word(written):
    """Draw what the next word may be, and whom the word that looks looks at.

    Parameters
    ----------
    written : SimpleNamespace
        Of `attncourse.figures.writer.written`.
    """
    figure, (left, right) = panels(1, 2, size=(8.4, 3.2), width_ratios=(1, 1.6))
    likely = sorted(written.probabilities, key=written.probabilities.get)[-MOST:]
    chances = [written.probabilities[word] for word in likely]
    left.barh(likely, chances, color=WEIGHTS)
    left.set(xlim=(0, 1), title="Next word")
    words = written.words[-20:]
    rows = written.weights.reshape(len(HEADS), -1)[:, -20:]
    right.pcolormesh(rows, cmap=_fading(), vmin=0, vmax=1, edgecolor=MUTED, lw=0.3)
    right.set_yticks(np.arange(len(rows)) + 0.5, [f"head {name}" for name in HEADS])
    right.set_xticks(np.arange(len(words)) + 0.5, words, rotation=90)
    right.invert_yaxis()
    right.tick_params(length=0)
    right.set_title("Where the last word looks")
    return figure


def _fading():
    from matplotlib.colors import LinearSegmentedColormap

    clear = (*(int(WEIGHTS[i : i + 2], 16) / 255 for i in (1, 3, 5)), 0.0)
    return LinearSegmentedColormap.from_list("weights", [clear, WEIGHTS])


MOST_BACK, N_TRIES, LONGEST = 40, 6, 40
BEGINNING = "a dog ate the food because it was hungry . then the"
WORD = "|".join(re.escape(word) for word in WORDS if word != ".")
EXACT = {"place": "exact"}


def _stored():
    """Return what the page needs to compute: bytes, their shapes and scales, words."""
    arrays, scales = bytes_and_scales()
    parts = [[k, *np.atleast_2d(x).shape, scales[k]] for k, x in arrays.items()]
    joined = np.concatenate([x.ravel() for x in arrays.values()])
    return {
        "packed": packed(joined),
        "parts": parts,
        "sizes": {"nLayers": N_LAYERS, "nHeads": N_HEADS},
        "words": list(WORDS),
        "heads": HEADS,
        "chance": [_state(chance(i + 1)) for i in range(N_TRIES)],
    }


def packed(numbers):
    """Return whole numbers from -127 to 127 as a text that a host makes short.

    Of 0, -1, 1, -2 … in that order, first the remainders by 85, a letter each, then the
    quotients, of which most are 0, a letter for four.
    """
    parts = np.abs(2 * numbers.astype(int) + 0.5).astype(int)
    quotients = np.pad(parts // 85, (0, -len(parts) % 4)).reshape(-1, 4)
    return letters(parts % 85) + letters(quotients @ 3 ** np.arange(4))


def _state(rng):
    """Return where a generator stands, as `decoder.js` goes on from there."""
    return [hex(one) for one in rng.bit_generator.state["state"].values()]


def _some_words(rng):
    return " ".join(rng.choice(WORDS, rng.integers(1, 9)))


panel = Figure(
    __file__,
    look="aw-many",
    heaviest=33_000,
    pictured=False,
    folded_as="How it chooses, and whose look is shown",
    controls={
        "beginning": Text(
            "Beginning",
            BEGINNING,
            rf"\s*(?:(?:(?:{WORD})(?=[\s.]|$)|\.)\s*){{1,{LONGEST}}}",
            f"1 to {LONGEST} of the {len(WORDS)} words it knows",
            _some_words,
        ),
        "added": Slider("Words it adds", 0, 0, MOST_ADDED, 1),
        "temperature": Slider("Temperature", 1.0, 0.0, 2.0, 0.1, **EXACT),
        "top_k": Slider("Top-k", len(WORDS), 1, len(WORDS), 1, **EXACT),
        "top_p": Slider("Top-p", 1.0, 0.05, 1.0, 0.05, **EXACT),
        "attempt": Slider("Attempt", 1, 1, N_TRIES, 1, **EXACT),
        "back": Slider("Steps back", 0, 0, MOST_BACK, 1, **EXACT),
        "head": Fixed("Head", 2, tuple(range(len(HEADS)))),
    },
    data=_stored,
    compute=written,
    still=lambda state, now: next_word(now),
    title="A decoder that writes, word by word",
    summary=(
        "“{text}”",
        "Next word: {next.0} {drawn.0:.2f}, {next.1} {drawn.1:.2f}, "
        "{next.2} {drawn.2:.2f}.",
        "“{asks}” looks most: "
        + "; ".join(
            f"head {name} at “{{most.{i}}}” {{peak.{i}:.2f}}"
            for i, name in enumerate(HEADS)
        )
        + ".",
    ),
    tables=(
        Table(
            "The next word",
            "next",
            Line("probability", "own"),
            Line("with these settings", "drawn"),
        ),
        Matrix("Where the word looks, by head", "heads", "seen", "looks"),
    ),
    said=(
        "{ending}",
        "next {next.0} {drawn.0:.2f}, {next.1} {drawn.1:.2f}",
        "head {heads.$head}: “{asks}” looks at “{most.$head}” {peak.$head:.2f}",
        "{n_words} words in the cache, {cache_bytes:,} bytes",
    ),
)
