"""The live figure of the page on latent rows and states: what comes back."""

import traitlets

from attncourse.toys import recall

from ..kit.panel import LABEL, Panel, View, choice
from ..kit.widgets import ipywidgets
from . import still


class RecallView(View, beside=__file__):
    """The shares that come back, by number of pairs, written once and twice."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    pairs = traitlets.List(traitlets.Int()).tag(sync=True)
    shares = traitlets.List().tag(sync=True)
    n_pairs = traitlets.Int().tag(sync=True)
    twice = traitlets.Bool().tag(sync=True)


def panel(n_pairs=16, *, twice=False):
    """Return the live figure of the page on latent rows and states.

    Parameters
    ----------
    n_pairs : int
        How many pairs are written: a power of two from 4 to 256.
    twice : bool
        Whether each key is written a second time, with a new value.

    Returns
    -------
    Panel
        ``compute()`` gives for each rule the mean share that comes back in 100 draws,
        and half of its 95% interval: what `attncourse.toys.recall.measure` returns.

    Raises
    ------
    ValueError
        If there is no such number of pairs, or twice is neither True nor False.
    """
    if isinstance(n_pairs, bool) or n_pairs not in recall.PAIRS:
        rule = f"n_pairs must be one of {recall.PAIRS}"
        raise ValueError(f"recall: {rule}, got {n_pairs!r}")
    if not isinstance(twice, bool):
        raise ValueError(f"recall: twice must be True or False, got {twice!r}")
    stored = recall.load()
    view = RecallView(
        names=list(recall.RULES),
        pairs=list(recall.PAIRS),
        shares=[
            [list(stored[times][str(n)].values()) for n in recall.PAIRS]
            for times in ("once", "twice")
        ],
        n_pairs=recall.PAIRS.index(n_pairs),
        twice=twice,
    )
    controls = {
        "n_pairs": choice("Pairs written", recall.PAIRS, n_pairs),
        "twice": ipywidgets.Checkbox(
            value=twice,
            description="Write each key a second time, with a new value",
            indent=False,
            style=LABEL,
        ),
    }
    return Panel(
        view,
        controls,
        still=lambda: still.shares(n_pairs, twice, _compute(n_pairs, twice)),
        compute=_compute,
    )


def _compute(n_pairs, twice):
    return recall.load()["twice" if twice else "once"][str(n_pairs)]
