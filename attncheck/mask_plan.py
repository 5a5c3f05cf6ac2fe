"""MASKS: the calls with a mask, a table as PLAN is."""

from __future__ import annotations

from typing import NamedTuple

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
)
