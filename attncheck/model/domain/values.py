"""What is used as what: queries, keys, values, heads, and the output's order."""

from collections.abc import Iterator

from attncheck.model.domain.value import Fields, Value, each
from attncheck.model.fields import Model, Sizes

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
TURNED = {
    "transposed weights": "the weights are transposed before the product with the "
    "values"
}
INPUTS = {
    "not transposed": "heads are split off by a reshape without a transpose",
    "not transposed back": "the inputs are read as if tokens came before heads",
    "queries not transposed": "the queries alone are reshaped without a transpose",
    "keys not transposed": "the keys alone are reshaped without a transpose",
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
ADDED = {
    role: f"the {many} are added to the output"
    for role, many in {"q": "queries", "k": "keys", "v": "values"}.items()
}
LAYOUTS = {
    "bnhd": "heads and tokens are exchanged: arrays are read as (batch, tokens, heads)"
}
GROUPS = {
    "tile": "query heads share key heads in turn (tile)",
    "first": "all query heads read the first key head",
    "by count": "query head h reads key head h ÷ n_kv_heads, not h ÷ (n_heads ÷ "
    "n_kv_heads)",
}
GQA = "GQA (Ainslie et al. 2023): repeat"


def roles() -> Iterator[Value]:
    """Yield the values of roles, values, grouping, takes, gives, adds and layout."""
    yield from each("roles", ROLES, _roles, "names")
    yield from each("values", VALUES, _values, "an index that is off")
    yield from each("values", TURNED, _turned, "one transpose too many", True)
    yield from each("grouping", GROUPS, _grouped, GQA)
    yield from each("takes", INPUTS, _taken, "heads or rows shifted", True)
    yield from each("gives", OUTPUTS, _given, "heads or columns moved")
    yield from each("adds", ADDED, _added, "a residual sum inside")
    yield from each("layout", LAYOUTS, _layout, "mlx#3585", True)


def _roles(name: str, model: Model, s: Sizes) -> Fields | None:
    """Let arrays take each other's places where their sizes allow it."""
    square = s.n == s.m and s.n_heads == s.n_kv_heads
    moved = "v" in name[:2] or name[2] != "v"
    fits = (s.d == s.d_v or not moved) and (
        square or not (name[0] == "k" or "q" in name[1:])
    )
    return {"roles": name} if fits else None


def _values(name: str, model: Model, s: Sizes) -> Fields | None:
    return {"values": name} if s.m > 1 else None


def _turned(name: str, model: Model, s: Sizes) -> Fields | None:
    return {"values": f"of {name}"} if s.n == s.m > 1 else None


def _grouped(name: str, model: Model, s: Sizes) -> Fields | None:
    same = s.n_kv_heads == 1
    same |= name != "first" and s.n_kv_heads == s.n_heads
    same |= name == "by count" and s.n_heads == s.n_kv_heads**2
    return None if same else {"grouping": name}


def _taken(name: str, model: Model, s: Sizes) -> Fields | None:
    by_place = name.startswith(("keys one", "values one", "queries one place"))
    heads = s.n_kv_heads if name.startswith(("keys", "values")) else s.n_heads
    return {"takes": name} if (s.m if by_place else heads) > 1 else None


def _given(name: str, model: Model, s: Sizes) -> Fields | None:
    by_head = name.startswith(("heads", "not transposed"))
    needs = s.n_heads if by_head else min(s.n, s.d_v)
    return {"gives": name} if needs > 1 else None


def _added(role: str, model: Model, s: Sizes) -> Fields | None:
    as_wide = role == "v" or s.d == s.d_v
    as_long = role == "q" or s.n == s.m
    return {"adds": role} if as_wide and as_long else None


def _layout(name: str, model: Model, s: Sizes) -> Fields | None:
    unmasked = model.allowed is None and model.bias is None
    fits = s.n_heads > 1 and s.n == s.m and unmasked
    return {"layout": name} if fits else None
