"""What is used as what: queries, keys, values, heads, and the output's order."""

from __future__ import annotations

from collections.abc import Iterator

from attncheck.model.domain.value import Change, Fits, Sizes, Value, each
from attncheck.model.fields import Model

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
INPUTS = {
    "not transposed": "heads are split off by a reshape without a transpose",
    "not transposed back": "the inputs are read as if tokens came before heads",
    "values not transposed": "the values alone are reshaped without a transpose",
    "queries one head later": "each head reads the queries of the head before it",
    "queries one head earlier": "each head reads the queries of the head after it",
    "values of reversed heads": "the heads of the values are in reversed order",
    "keys one later": "keys stand one place too late: the first is 0, the last is lost",
    "keys one earlier": "keys stand one place too early: the first is lost, the last "
    "is 0",
    "values one later": "values stand one place too late: the first is 0, the last is "
    "lost",
    "values one earlier": "values stand one place too early: the first is lost, the "
    "last is 0",
    "queries one place later": "queries stand one place too late: the first is 0",
}
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
ADDED = {"q": "queries", "k": "keys", "v": "values"}
GROUPS = {
    "tile": "query heads share key heads in turn (tile)",
    "first": "all query heads read the first key head",
    "by count": "query head h reads key head h ÷ n_kv_heads, not h ÷ (n_heads ÷ "
    "n_kv_heads)",
}
GQA = "GQA (Ainslie et al. 2023): repeat"


def roles() -> Iterator[Value]:
    """Yield the values of roles, values, grouping, takes, gives, adds and layout."""
    for name, words in ROLES.items():
        yield from each("roles", {name: ({"roles": name}, words)}, "names", _fits(name))
    values = {name: ({"values": name}, words) for name, words in VALUES.items()}
    yield from each("values", values, "an index that is off", lambda _, s: s.m > 1)
    words = "the weights are transposed before the product with the values"
    turned = {"transposed weights": ({"values": "of transposed weights"}, words)}
    yield from each("values", turned, "one transpose too many", _square, rare=True)
    for name, words in GROUPS.items():
        yield Value("grouping", name, words, _grouped(name), GQA)
    for name, words in INPUTS.items():
        yield Value("takes", name, words, _taken(name), "heads or rows shifted", True)
    for name, words in OUTPUTS.items():
        yield Value("gives", name, words, _given(name), "heads or columns moved")
    for role, many in ADDED.items():
        words = f"the {many} are added to the output"
        yield Value("adds", role, words, _added(role), "a residual sum inside")
    words = "heads and tokens are exchanged: arrays are read as (batch, tokens, heads)"
    layout = {"bnhd": ({"layout": "bnhd"}, words)}
    yield from each("layout", layout, "mlx#3585", _layouts, True)


def _square(model: Model, s: Sizes) -> bool:
    return s.n == s.m and s.n > 1


def _layouts(model: Model, s: Sizes) -> bool:
    unmasked = model.allowed is None and model.bias is None
    return s.n_heads > 1 and s.n == s.m and unmasked


def _fits(name: str) -> Fits:
    """Say for which sizes arrays may take each other's places."""

    def fits(model: Model, s: Sizes) -> bool:
        square = s.n == s.m and s.n_heads == s.n_kv_heads
        if s.d != s.d_v and "v" in name[:2] + ("" if name[2] == "v" else "v"):
            return False
        return square or not (name[0] == "k" or "q" in name[1:])

    return fits


def _grouped(name: str) -> Change:
    def change(model: Model, s: Sizes) -> Model | None:
        same = s.n_kv_heads == 1 or model.grouping == name
        same |= name != "first" and s.n_kv_heads == s.n_heads
        same |= name == "by count" and s.n_heads == s.n_kv_heads**2
        return None if same else model.change(grouping=name)

    return change


def _taken(name: str) -> Change:
    def change(model: Model, s: Sizes) -> Model | None:
        by_place = name.startswith(("keys", "values one", "queries one place"))
        heads = s.n_kv_heads if name.startswith("values") else s.n_heads
        return model.change(takes=name) if (s.m if by_place else heads) > 1 else None

    return change


def _given(name: str) -> Change:
    def change(model: Model, s: Sizes) -> Model | None:
        by_head = name.startswith(("heads", "not transposed"))
        needs = s.n_heads if by_head else min(s.n, s.d_v)
        return model.change(gives=name) if needs > 1 else None

    return change


def _added(role: str) -> Change:
    def change(model: Model, s: Sizes) -> Model | None:
        as_wide = role == "v" or s.d == s.d_v
        as_long = role == "q" or s.n == s.m
        return model.change(adds=role) if as_wide and as_long else None

    return change
