"""Mistakes in what is used as what: queries, keys, values, and heads."""

from __future__ import annotations

from collections.abc import Iterator

from attncheck.mistakes.mistake import Mistake, Sizes
from attncheck.model import Model

ROLES = {
    "qvk": "keys and values are exchanged",
    "qkk": "keys are used as values",
    "qvv": "values are used as keys",
    "kqv": "queries and keys are exchanged",
    "kkv": "keys are used as queries",
    "qqv": "queries are used as keys",
    "qkq": "queries are used as values",
}
VALUES = {
    "reversed": "the values are read in reversed order",
    "one later": "each weight goes to the value after its own",
    "one earlier": "each weight goes to the value before its own",
}


def roles() -> Iterator[Mistake]:
    """Yield the mistakes in what is used as what."""
    for roles, words in ROLES.items():

        def change(model: Model, s: Sizes, roles: str = roles) -> Model | None:
            square = s.n == s.m and s.n_heads == s.n_kv_heads
            if s.d != s.d_v and "v" in roles[:2] + ("" if roles[2] == "v" else "v"):
                return None
            if not square and (roles[0] == "k" or "q" in roles[1:]):
                return None
            return model.change(roles=roles)

        yield Mistake(f"roles: {roles}", "roles", words, change)
    for values, words in VALUES.items():

        def reorder(model: Model, s: Sizes, values: str = values) -> Model | None:
            return None if s.m == 1 else model.change(values=values)

        yield Mistake(f"values: {values}", "values", words, reorder)
    words = "the weights are transposed before the product with the values"
    yield Mistake("values: transposed weights", "values", words, _turned, alone=True)
    yield Mistake(
        "grouping: tile", "heads", "query heads share key heads in turn (tile)", _tile
    )
    words = "all query heads read the first key head"
    yield Mistake("grouping: first", "heads", words, _first)
    words = "query head h reads key head h ÷ n_kv_heads, not h ÷ (n_heads ÷ n_kv_heads)"
    yield Mistake("grouping: by count", "heads", words, _by_count)
    yield from _inputs()
    yield from _shifted()
    for gives, words in OUTPUTS.items():

        def given(model: Model, s: Sizes, gives: str = gives) -> Model | None:
            by_head = gives.startswith(("heads", "not transposed"))
            needs = s.n_heads if by_head else min(s.n, s.d_v)
            return model.change(gives=gives) if needs > 1 else None

        yield Mistake(f"output: {gives}", "output", words, given)
    yield from _added()


OUTPUTS = {
    "columns one later": "the output's columns are one too late",
    "columns one earlier": "the output's columns are one too early",
    "heads reversed": "the output's heads are in reversed order",
    "heads one later": "each head's output stands where the next head's belongs",
    "heads one earlier": "each head's output stands where the head before it belongs",
    "heads exchanged in pairs": "the outputs of heads 0 and 1, 2 and 3 … are exchanged",
    "not transposed": "the output's heads are put side by side without a transpose",
    "not transposed back": "the output is read as if tokens came before heads",
    "last query 0": "the output of the last query is 0",
}


INPUTS = {
    "not transposed": "heads are split off by a reshape without a transpose",
    "queries one head later": "each head reads the queries of the head before it",
    "queries one head earlier": "each head reads the queries of the head after it",
    "values of reversed heads": "the heads of the values are in reversed order",
}


def _inputs() -> Iterator[Mistake]:
    for takes, words in INPUTS.items():

        def change(model: Model, s: Sizes, takes: str = takes) -> Model | None:
            heads = s.n_kv_heads if takes.startswith("values") else s.n_heads
            return model.change(takes=takes) if heads > 1 else None

        yield Mistake(f"heads: {takes}", "heads", words, change, alone=True)


SHIFTED = {
    "keys one later": "keys stand one place too late: the first is 0, the last is lost",
    "keys one earlier": "keys stand one place too early: the first is lost, the last "
    "is 0",
    "values one later": "values stand one place too late: the first is 0, the last is "
    "lost",
    "values one earlier": "values stand one place too early: the first is lost, the "
    "last is 0",
}


def _shifted() -> Iterator[Mistake]:
    for takes, words in SHIFTED.items():

        def change(model: Model, s: Sizes, takes: str = takes) -> Model | None:
            return model.change(takes=takes) if s.m > 1 else None

        group = takes.partition(" ")[0]
        yield Mistake(f"{group}: {takes}", "values", words, change, alone=True)


def _turned(model: Model, s: Sizes) -> Model | None:
    square = s.n == s.m and s.n > 1
    return model.change(values="of transposed weights") if square else None


ADDED = {"q": "queries", "k": "keys", "v": "values"}


def _added() -> Iterator[Mistake]:
    for role, name in ADDED.items():

        def change(model: Model, s: Sizes, role: str = role) -> Model | None:
            as_wide = role == "v" or s.d == s.d_v
            as_long = role == "q" or s.n == s.m
            return model.change(adds=role) if as_wide and as_long else None

        words = f"the {name} are added to the output"
        yield Mistake(f"added: {role}", "added", words, change, alone=True)


def _first(model: Model, s: Sizes) -> Model | None:
    return None if s.n_kv_heads == 1 else model.change(grouping="first")


def _by_count(model: Model, s: Sizes) -> Model | None:
    few = s.n_kv_heads == 1 or s.n_heads == s.n_kv_heads**2
    return None if few else model.change(grouping="by count")


def _tile(model: Model, s: Sizes) -> Model | None:
    plain = s.n_kv_heads in (1, s.n_heads)
    return None if plain or model.grouping == "tile" else model.change(grouping="tile")
