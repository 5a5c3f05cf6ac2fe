"""The softmax: what it sums over, and how blocks of keys are put together."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from attncheck.model.domain.value import Fields, Value, always
from attncheck.model.fields import Model, Sizes
from attncheck.model.softmax import BLOCKS

SUMS = {
    "queries": "softmax runs over the queries",
    "heads": "softmax runs over the heads",
    "all": "softmax runs over all pairs of queries and keys",
    "no": "weights are exp(score), divided by nothing",
    "no, less the largest": "weights are exp(score − largest), divided by nothing",
    "sigmoid": "weights are sigmoids",
    "twice": "softmax is taken twice",
    "relu": "weights are the positive scores, divided by their sum",
    "linear": "weights are the scores: there is no softmax",
    "hard": "the largest score takes all the weight",
    "key maximum": "the largest score of each key is subtracted, not that of each "
    "query",
    "maximum of another": "from the scores of key j, the largest of query j is "
    "subtracted: an axis is missing",
}
SOURCES = {
    "sigmoid": "Ramapuram et al. 2024",
    "linear": "linear attention (Katharopoulos et al. 2020)",
    "relu": "Wortsman et al. 2023",
}
RUNNING = {
    "all not rescaled": "the running output and the running sum are not rescaled when "
    "the maximum rises",
    "output not rescaled": "the running output is not rescaled when the maximum rises",
    "sum not rescaled": "the running sum is not rescaled when the maximum rises",
}
APART = "each {} has a softmax of its own, and "
MERGED = {
    "averaged": f"{APART}the outputs are averaged",
    "added": f"{APART}the outputs are added up",
    "by maximum": f"{APART}the outputs are weighed by the largest scores, not the sums",
    "by sum": "the largest score of each {} is subtracted in it, and never made up for "
    "when the sums are put together",
}
TWICE = {
    "ends": "the first key of each block of {} but the first is counted twice",
    "overlap": "some keys before the last block of {} are counted twice, as when it is "
    "moved back to be full",
    "clamped": "some keys are counted twice and the last are not seen, as when the "
    "last block of {} is read from an earlier key on, but as many as were left",
}
ONLINE = (
    "online softmax (Milakov and Gimelshein 2018), FlashAttention (Dao et al. 2022)"
)


def softmaxes() -> Iterator[Value]:
    """Yield the values of normalized, sink and pad."""
    for name, words in SUMS.items():
        source = SOURCES.get(name, "another axis, or a step left out")
        yield Value("normalized", name, words, partial(_summed, name, 0), source)
    words = "1 is added to every sum (a sink of 0)"
    source = "off by one (Miller 2023); sinks of gpt-oss (2025); dropped: vllm#52156"
    yield Value("normalized", "sink", words, _sink, source)
    for block in (8, 16, 32, 64, 128):
        words, sets = f"keys of 0 that fill a block of {block} are attended to", _padded
        source = "padding that takes part"
        name = f"blocks of {block}"
        yield Value("pad", name, words, partial(sets, block), source, True)
    for name in BLOCKS:
        what, number = name.split(", ")
        size = int(number)
        words, sets = _words(what, size), partial(_summed, name, size)
        yield Value("normalized", name, words, sets, ONLINE, True)


def _words(what: str, size: int) -> str:
    """Say what a name of `BLOCKS` stands for."""
    if what in RUNNING:
        blocks = "one key at a time" if size == 1 else f"blocks of {size} keys"
        return f"{RUNNING[what]} ({blocks})"
    if what in TWICE:
        return TWICE[what].format(size)
    merge, _, parts = what.partition(" in ")
    part = f"of {size} {parts} of the keys" if parts else f"block of {size} keys"
    return MERGED[merge].format(part)


def _summed(name: str, least: int, model: Model, s: Sizes) -> Fields | None:
    square = s.n == s.m or name != "maximum of another"
    fits = name != model.normalized and square and s.m > least
    return {"normalized": name, "sink": None} if fits else None


def _sink(model: Model, s: Sizes) -> Fields | None:
    new = model.sink is None
    return {"normalized": "sink", "sink": np.zeros(1)} if new else None


def _padded(block: int, model: Model, s: Sizes) -> Fields | None:
    return {"pad": block} if s.m % block else None


STARTS: dict[str, tuple[Fields, str]] = {
    "no maximum subtracted": (
        {"normalized": "keys, no maximum"},
        "the largest score of a row is not subtracted",
    ),
    "−50,000": ({"lowest": -5e4}, "the running maximum starts at −50,000, not at −∞"),
    "0": ({"lowest": 0.0}, "the running maximum starts at 0, not at −∞"),
}
ZEROED = "zeroed heads: Dao-AILab/flash-attention#2082"
# What ordinary scores do not show.
LARGE = tuple(
    Value("lowest", name, words, partial(always, fields), ZEROED)
    for name, (fields, words) in STARTS.items()
)
