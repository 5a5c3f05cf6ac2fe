"""PLAN and MASKS: the calls, two tables. Each row says what it is there to show."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from attncheck.model.fields import read_rows


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
    mask: str = ""  # the axes of the mask that is passed; "1" is one for all
    hides: str = "some"  # of the pairs, or a key of HIDES
    right: str = ""  # of a vector: keywords of what is right
    shows: str = ""


def read_calls(table: str) -> Iterator[Call]:
    """Read `id | b h g n m d d_v | what it shows | other fields`.

    d is 64, and d_v is d, unless said.
    """
    for id, sizes, shows, *more in read_rows(table, 4):
        b, h, g, n, m, *widths = map(int, sizes.split())
        widths = widths or [64]
        fields = eval(f"dict({', '.join(more)})")
        yield Call(id, b, h, g, n, m, widths[0], widths[-1], shows=shows, **fields)


LENGTHS = (
    *(2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 21, 24, 27, 29, 31, 32, 33),
    *(35, 40, 41, 47, 48, 49, 53, 57, 61, 63, 64, 65, 72, 79, 80, 85, 95, 96, 97),
    *(112, 127, 128, 129, 144, 160, 192, 200, 255, 256, 257),
)
FEW = (3, 16, 33, 64, 128, 129, 200, 256)
EACH = "".join(
    f"    length-{n} | 1 2 2 {n} {n} | every kind of length | few={n in FEW}\n"
    for n in LENGTHS
)
PLAN = tuple(
    read_calls(f"""
    plain | 2 3 3 13 13 | ordinary sizes, three heads, two batch items
    more-keys | 1 2 2 12 31 | the alignment of queries and keys
    more-queries | 1 2 2 20 12 | queries past the last key
    d-32 | 3 2 2 37 37 32 | another d: the rule of the scale
    one-query | 1 4 4 1 24 | a step of decoding
    few-queries | 1 2 2 5 24 | a step of several tokens
    one-head | 1 1 1 64 64 | one head; a full block
    shared | 1 6 2 14 14 | which query heads share a key head
    shared-by-all | 1 6 1 14 14 | one key head for all
    shared-longer | 2 4 2 5 33 | sharing and a cache together
    shared-eight | 1 8 2 16 16 | four in a group: tile or repeat
    shared-batch | 3 4 2 12 12 | sharing, and several batch items
    shared-by-all-long | 1 4 1 9 40 | one key head for all, and a cache
    d-77 | 1 2 2 16 16 77 | an odd d, no multiple of 8
    d-96 | 1 2 2 18 18 96 | a d between powers of 2
    d-128 | 1 2 2 18 30 128 | a d written down as 64
    d-256 | 1 1 1 19 19 256 | a large d
    d-48 | 1 2 2 23 23 48 | a d of three 16s | few=False
    d-8 | 1 2 2 11 11 8 | a small d
    d-4 | 1 2 2 6 6 4 | four columns | few=False
    narrow-values | 1 2 2 16 16 64 32 | d_v < d
    wide-values | 1 2 2 16 20 32 64 | d_v > d
    wide-square | 1 2 2 16 16 32 64 | d_v > d, and nothing else
    narrow-cache | 1 2 2 12 31 64 32 | d_v < d with a cache | few=False
    odd-values | 2 2 2 9 9 64 21 | an odd d_v | few=False
    large-10 | 1 2 2 33 33 | scores of 30: caps | size=10
    large-60 | 1 2 2 25 25 | scores of 100: exp overflows | size=60
    large-300 | 1 2 2 17 17 | scores of 1000 | size=300
    small-scores | 1 2 2 15 15 | scores of 0.1: no cap bends | size=0.1
    low | 1 2 2 13 13 | every score far below 0 | size=40, kind="low"
    lower | 1 2 2 11 11 | every score below −100,000 | size=400, kind="low"
    low-300 | 1 2 2 300 300 | the same: masked blocks | size=40, kind="low"
    low-256 | 1 2 2 256 256 | the same: full blocks | size=40, kind="low"
    low-cache | 1 2 2 7 70 | the same with a cache | size=40, kind="low"
    even | 1 2 2 40 40 | queries of 0: keys weigh the same | kind="even"
    rows-far | 1 2 2 32 48 | rows around −60 … 60 | kind="far"
    long | 1 2 2 300 300 | blocks, buffers and tables that end
    long-keys | 1 2 2 128 300 | a long cache
    longer | 1 1 1 520 520 | past 512
    one-long | 1 2 2 1 400 | a step of decoding with a long cache
    six | 6 2 2 9 9 | six batch items
    twelve-heads | 5 12 12 9 9 | no power of two; five batch items
    five-heads | 1 5 5 11 22 | an odd number of heads
    eight-heads | 1 8 8 10 10 | slopes as published
    tiles-64 | 1 2 2 64 128 | whole tiles, and a cache
    tiles-128 | 1 2 2 128 128 128 | whole tiles of d 128
    tiles-shared | 1 8 2 128 256 128 | whole tiles, heads shared
    tiles-batch | 2 4 4 192 192 128 | whole tiles, two batch items
    keys-16 | 1 2 2 4 16 | few queries, where blocks end | few=False
    keys-32 | 1 2 2 4 32 | few queries, where blocks end | few=False
    keys-64 | 1 2 2 4 64 | few queries, where blocks end | few=False
    keys-65 | 1 2 2 4 65 | few queries, where blocks end | few=False
    keys-96 | 1 2 2 4 96 | few queries, where blocks end
    keys-128 | 1 2 2 4 128 | few queries, where blocks end | few=False
    keys-130 | 1 2 2 4 130 | few queries, where blocks end | few=False
    keys-256 | 1 2 2 4 256 | few queries, where blocks end | few=False
    queries-16 | 1 2 2 16 10 | more queries than keys | few=False
    queries-33 | 1 2 2 33 10 | more queries than keys
{EACH}    one-token | 1 1 1 1 1 | one query and one key
    one-shared | 2 8 2 1 48 | a step of decoding, heads shared
    one-longer | 1 2 2 1 1040 | a cache past 1,024
    products | 1 2 2 12 12 | query · key past 65,504, float16's largest
     | size=280, kind="alike", only="float16"
    sum | 1 1 1 1 5000 | a sum past 2,048, to which float16 adds no 1
     | kind="summed", only="float16"
    many-items | 33 2 2 7 7 | more than 32 batch items
    again | 2 3 3 13 13 | the first call again | again="plain"
""")
)


# What a mask hides of pairs, beside those drawn: where, and whether it is seen there.
HIDES: dict[str, tuple[tuple[Any, bool], ...]] = {
    "some": (),
    "no": ((np.s_[0], True),),
    "row": ((np.s_[-1, ..., 5, :], False),),
    "second row": ((np.s_[..., 1, :], False),),
    "first row": ((np.s_[..., 0, :], False),),
    "head": ((np.s_[:, 5, 5], False),),
    "item": ((np.s_[-1], False),),
    "but one": ((np.s_[..., ::3, 1:], False),),
    "first": ((np.s_[..., :64], False),),
    "block": ((np.s_[0], True), (np.s_[0, ..., 16:32], False)),
    "rows": ((np.s_[..., :32, 32:], False), (np.s_[..., 32:, :32], False)),
}
NAMES = ("mask", "attn_mask", "attention_mask", "key_padding_mask")
MASKS = tuple(
    read_calls("""
    mask | 2 2 2 12 12 | one mask for all | mask="11nm"
    mask-pairs | 2 2 2 12 12 | two axes alone | mask="nm"
    mask-batch | 3 2 2 12 20 | a mask for each batch item | mask="b1nm"
    mask-heads | 2 4 4 9 9 | a mask for each head | mask="1hnm"
    mask-all | 2 3 3 9 11 | a mask for each of both | mask="bhnm"
    mask-shared | 2 4 2 9 9 | heads that share keys | mask="bhnm"
    mask-one-query | 1 2 2 1 24 | one query | mask="11nm"
    mask-more-keys | 1 2 2 6 40 | fewer queries than keys | mask="11nm"
    mask-empty | 2 2 2 16 16 | a fully masked row | mask="b1nm", hides="row"
    mask-one-key | 2 2 2 10 10 | rows of one key | mask="11nm", hides="but one"
    mask-block | 2 2 2 8 48 | a block of one item | mask="b1nm", hides="block"
    mask-long | 1 1 1 80 80 | whole blocks hidden | mask="11nm", hides="first"
    mask-rows | 1 2 2 64 64 | whole blocks of rows | mask="11nm", hides="rows"
    keys | 3 2 2 9 20 | a row of keys for each item | mask="bm"
    keys-whole | 2 2 2 9 12 | an item without padding | mask="bm", hides="no"
    keys-block | 2 2 2 9 40 | a block of one item | mask="bm", hides="block"
    keys-square | 4 2 2 9 4 | items as many as keys | mask="bm"
    keys-empty | 2 2 2 9 14 | an item of padding | mask="bm", hides="item"
    mask-eight | 2 8 8 9 9 | a row of one head | mask="1hnm", hides="head"
    mask-other | 2 2 2 12 12 | another mask of an earlier shape | mask="11nm"
    mask-items | 3 2 2 3 20 | queries as many as items | mask="nm"
    mask-first | 1 2 2 32 32 | a block's first row | mask="11nm", hides="first row"
    mask-large | 1 2 2 12 12 | large scores hidden | mask="11nm", size=1000
""")
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
