"""PLAN and MASKS: the calls, two tables. Each row says what it is there to show."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np


class Call(NamedTuple):
    """One call: its sizes, how large its scores are, and what it shows."""

    id: str
    b: int
    h: int
    g: int  # key heads
    n: int
    m: int
    d: int = 64
    d_v: int = 64
    size: float = 1.0  # of the queries
    kind: str = "normal"  # or a key of `runs.KINDS`
    again: str = ""  # the id of a call that it repeats
    few: bool = True  # asked where each shape is compiled, too
    only: str = ""  # the format in which alone it is asked
    shows: str = ""


def row(id: str, sizes: tuple[int, ...], shows: str, **more: object) -> Call:
    """Return a call; d is 64, and d_v is d, unless said."""
    b, h, g, n, m, *rest = sizes
    d = rest[0] if rest else 64
    d_v = rest[1] if len(rest) > 1 else d
    return Call(id, b, h, g, n, m, d, d_v, shows=shows, **more)  # type: ignore[arg-type]


LENGTHS = (
    *(2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 21, 24, 27, 29, 31, 32, 33),
    *(35, 40, 41, 47, 48, 49, 53, 57, 61, 63, 64, 65, 72, 79, 80, 85, 95, 96, 97),
    *(112, 127, 128, 129, 144, 160, 192, 200, 255, 256, 257),
)
FEW = (3, 16, 33, 64, 128, 129, 200, 256)
PLAN = (
    row("plain", (2, 3, 3, 13, 13), "ordinary sizes, three heads, two batch items"),
    row("more-keys", (1, 2, 2, 12, 31), "the alignment of queries and keys"),
    row("more-queries", (1, 2, 2, 20, 12), "queries past the last key"),
    row("d-32", (3, 2, 2, 37, 37, 32), "another d: the rule of the scale"),
    row("one-query", (1, 4, 4, 1, 24), "a step of decoding"),
    row("few-queries", (1, 2, 2, 5, 24), "a step of several tokens"),
    row("one-head", (1, 1, 1, 64, 64), "one head; a full block"),
    row("shared", (1, 6, 2, 14, 14), "which query heads share a key head"),
    row("shared-by-all", (1, 6, 1, 14, 14), "one key head for all"),
    row("shared-longer", (2, 4, 2, 5, 33), "sharing and a cache together"),
    row("shared-eight", (1, 8, 2, 16, 16), "four in a group: tile or repeat"),
    row("shared-batch", (3, 4, 2, 12, 12), "sharing, and several batch items"),
    row("shared-by-all-long", (1, 4, 1, 9, 40), "one key head for all, and a cache"),
    row("d-77", (1, 2, 2, 16, 16, 77), "an odd d, no multiple of 8"),
    row("d-96", (1, 2, 2, 18, 18, 96), "a d between powers of 2"),
    row("d-128", (1, 2, 2, 18, 30, 128), "a d written down as 64"),
    row("d-256", (1, 1, 1, 19, 19, 256), "a large d"),
    row("d-48", (1, 2, 2, 23, 23, 48), "a d of three 16s", few=False),
    row("d-8", (1, 2, 2, 11, 11, 8), "a small d"),
    row("d-4", (1, 2, 2, 6, 6, 4), "four columns", few=False),
    row("narrow-values", (1, 2, 2, 16, 16, 64, 32), "d_v < d"),
    row("wide-values", (1, 2, 2, 16, 20, 32, 64), "d_v > d"),
    row("wide-square", (1, 2, 2, 16, 16, 32, 64), "d_v > d, and nothing else"),
    row("narrow-cache", (1, 2, 2, 12, 31, 64, 32), "d_v < d with a cache", few=False),
    row("odd-values", (2, 2, 2, 9, 9, 64, 21), "an odd d_v", few=False),
    row("large-10", (1, 2, 2, 33, 33), "scores of 30: caps", size=10.0),
    row("large-60", (1, 2, 2, 25, 25), "scores of 100: exp overflows", size=60.0),
    row("large-300", (1, 2, 2, 17, 17), "scores of 1000", size=300.0),
    row("small-scores", (1, 2, 2, 15, 15), "scores of 0.1: no cap bends", size=0.1),
    row("low", (1, 2, 2, 13, 13), "every score far below 0", size=40.0, kind="low"),
    row(
        "lower", (1, 2, 2, 11, 11), "every score below −100,000", size=400.0, kind="low"
    ),
    row(
        "low-300", (1, 2, 2, 300, 300), "the same: masked blocks", size=40.0, kind="low"
    ),
    row("low-256", (1, 2, 2, 256, 256), "the same: full blocks", size=40.0, kind="low"),
    row("low-cache", (1, 2, 2, 7, 70), "the same with a cache", size=40.0, kind="low"),
    row("even", (1, 2, 2, 40, 40), "queries of 0: keys weigh the same", kind="even"),
    row("rows-far", (1, 2, 2, 32, 48), "rows around −60 … 60", kind="far"),
    row("long", (1, 2, 2, 300, 300), "blocks, buffers and tables that end"),
    row("long-keys", (1, 2, 2, 128, 300), "a long cache"),
    row("longer", (1, 1, 1, 520, 520), "past 512"),
    row("one-long", (1, 2, 2, 1, 400), "a step of decoding with a long cache"),
    row("six", (6, 2, 2, 9, 9), "six batch items"),
    row("twelve-heads", (5, 12, 12, 9, 9), "no power of two; five batch items"),
    row("five-heads", (1, 5, 5, 11, 22), "an odd number of heads"),
    row("eight-heads", (1, 8, 8, 10, 10), "slopes as published"),
    row("tiles-64", (1, 2, 2, 64, 128, 64), "whole tiles, and a cache"),
    row("tiles-128", (1, 2, 2, 128, 128, 128), "whole tiles of d 128"),
    row("tiles-shared", (1, 8, 2, 128, 256, 128), "whole tiles, heads shared"),
    row("tiles-batch", (2, 4, 4, 192, 192, 128), "whole tiles, two batch items"),
    *(
        row(f"keys-{m}", (1, 2, 2, 4, m), "few queries, where blocks end", few=m == 96)
        for m in (16, 32, 64, 65, 96, 128, 130, 256)
    ),
    *(
        row(f"queries-{n}", (1, 2, 2, n, 10), "more queries than keys", few=n == 33)
        for n in (16, 33)
    ),
    *(
        row(f"length-{n}", (1, 2, 2, n, n), "every kind of length", few=n in FEW)
        for n in LENGTHS
    ),
    row("one-token", (1, 1, 1, 1, 1), "one query and one key"),
    row("one-shared", (2, 8, 2, 1, 48), "a step of decoding, heads shared"),
    row("one-longer", (1, 2, 2, 1, 1040), "a cache past 1,024"),
    row(
        *("products", (1, 2, 2, 12, 12), "query · key past 65,504, float16's largest"),
        size=280.0,
        kind="alike",
        only="float16",
    ),
    row(
        *("sum", (1, 1, 1, 1, 5000), "a sum past 2,048, to which float16 adds no 1"),
        kind="summed",
        only="float16",
    ),
    row("many-items", (33, 2, 2, 7, 7), "more than 32 batch items"),
    row("again", (2, 3, 3, 13, 13), "the first call again", again="plain"),
)


# What a mask hides of pairs, beside those drawn: where, and whether it is seen there.
HIDES: dict[str, tuple[tuple[Any, bool], ...]] = {
    "some": (),
    "no": ((np.s_[0], True),),
    "row": ((np.s_[-1, ..., 5, :], False),),
    "first row": ((np.s_[..., 0, :], False),),
    "head": ((np.s_[:, 5, 5], False),),
    "item": ((np.s_[-1], False),),
    "but one": ((np.s_[..., ::3, 1:], False),),
    "first": ((np.s_[..., :64], False),),
    "block": ((np.s_[0], True), (np.s_[0, ..., 16:32], False)),
    "rows": ((np.s_[..., :32, 32:], False), (np.s_[..., 32:, :32], False)),
}
NAMES = ("mask", "attn_mask", "attention_mask", "key_padding_mask")


class MaskCall(NamedTuple):
    """One call with a mask: its shape, how it is passed, and what it hides."""

    id: str
    shape: tuple[int, int, int, int]  # of the mask
    b: int
    h: int
    shows: str
    form: str = "bhnm"  # or "nm", or "bm": a row of keys for each batch item
    hides: str = "some"  # or a key of HIDES
    g: int = 0  # key heads, where they are shared
    size: float = 1.0  # of the queries

    def call(self, d: int) -> Call:
        """Return its sizes; a mask of keys alone says nothing of queries."""
        n = 9 if self.form == "bm" else self.shape[2]
        sizes = (self.b, self.h, self.g or self.h, n, self.shape[3], d)
        return row(self.id, sizes, self.shows, size=self.size)


MASKS = (
    MaskCall("mask", (1, 1, 12, 12), 2, 2, "one mask for all"),
    MaskCall("mask-pairs", (1, 1, 12, 12), 2, 2, "two axes alone", "nm"),
    MaskCall("mask-batch", (3, 1, 12, 20), 3, 2, "a mask for each batch item"),
    MaskCall("mask-heads", (1, 4, 9, 9), 2, 4, "a mask for each head"),
    MaskCall("mask-all", (2, 3, 9, 11), 2, 3, "a mask for each of both"),
    MaskCall("mask-shared", (2, 4, 9, 9), 2, 4, "heads that share keys", g=2),
    MaskCall("mask-one-query", (1, 1, 1, 24), 1, 2, "one query"),
    MaskCall("mask-more-keys", (1, 1, 6, 40), 1, 2, "fewer queries than keys"),
    MaskCall("mask-empty", (2, 1, 16, 16), 2, 2, "a fully masked row", hides="row"),
    MaskCall("mask-one-key", (1, 1, 10, 10), 2, 2, "rows of one key", hides="but one"),
    MaskCall("mask-block", (2, 1, 8, 48), 2, 2, "a block of one item", hides="block"),
    MaskCall("mask-long", (1, 1, 80, 80), 1, 1, "whole blocks hidden", hides="first"),
    MaskCall("mask-rows", (1, 1, 64, 64), 1, 2, "whole blocks of rows", hides="rows"),
    MaskCall("keys", (3, 1, 1, 20), 3, 2, "a row of keys for each item", "bm"),
    MaskCall("keys-whole", (2, 1, 1, 12), 2, 2, "an item without padding", "bm", "no"),
    MaskCall("keys-block", (2, 1, 1, 40), 2, 2, "a block of one item", "bm", "block"),
    MaskCall("keys-square", (4, 1, 1, 4), 4, 2, "items as many as keys", "bm"),
    MaskCall("keys-empty", (2, 1, 1, 14), 2, 2, "an item of padding", "bm", "item"),
    MaskCall("mask-eight", (1, 8, 9, 9), 2, 8, "a row of one head", hides="head"),
    MaskCall("mask-other", (1, 1, 12, 12), 2, 2, "another mask of an earlier shape"),
    MaskCall("mask-items", (1, 1, 3, 20), 3, 2, "queries as many as items", "nm"),
    MaskCall(
        "mask-first", (1, 1, 32, 32), 1, 2, "a block's first row", hides="first row"
    ),
    MaskCall("mask-large", (1, 1, 12, 12), 1, 2, "large scores hidden", size=1000.0),
)


LETTERS = ("b", "h", "g", "n", "m", "d", "d_v")
Shapes = Mapping[str, Any]  # a letter's size, or the sizes that it may have
MOST = 1040  # that `shapes` may name


def check_shapes(shapes: Shapes) -> dict[str, tuple[int, ...]]:
    """Return the sizes that each letter may have, in order."""
    if unknown := set(shapes) - set(LETTERS):
        rule = f"shapes names sizes: {', '.join(LETTERS)}"
        raise ValueError(f"ask: {rule}; got {', '.join(map(repr, sorted(unknown)))}")
    found = {}
    for letter, x in shapes.items():
        taken = (x,) if isinstance(x, int) else x
        if not isinstance(taken, Container):
            rule = "a size is an integer, or a range or list of them"
            raise ValueError(f"ask: {rule}; got {x!r}")
        found[letter] = tuple(size for size in range(1, MOST + 1) if size in taken)
        if not found[letter]:
            raise ValueError(f"ask: shapes[{letter!r}] has no size up to {MOST}: {x!r}")
    return found


def fit(plan: Sequence[Call], shapes: Shapes) -> tuple[list[Call], list[Call]]:
    """Bring calls to the nearest sizes that are taken; tell which are not asked."""
    if not shapes:
        return list(plan), []
    taken = check_shapes(shapes)
    near = {call: _near(call, taken) for call in plan}
    calls: dict[Any, Call] = {}
    for call in near.values():
        if call.h % call.g == 0:
            calls.setdefault(call[1:11], call)
    return [*calls.values()], [call for call, other in near.items() if call != other]


def _near(call: Call, taken: Mapping[str, tuple[int, ...]]) -> Call:
    sizes = ((x, getattr(call, x)) for x in LETTERS)
    near: dict[str, Any] = {x: nearest(n, taken.get(x, ())) for x, n in sizes}
    for letter, like in (("d_v", "d"), ("g", "h")):
        if letter not in taken and getattr(call, letter) == getattr(call, like):
            near[letter] = near[like]
    return call._replace(**near)


def nearest(size: int, taken: Iterable[int]) -> int:
    """Return the size that is taken which is nearest, if there is any."""
    return min(taken, key=lambda x: (abs(x - size), x), default=size)
