"""What no attention should do, and what plain attention does not.

That a model reproduces all calls is one question; that it is right is another.
"""

from collections.abc import Iterator
from typing import Any

from attncheck.claim import Claim, Claimed, Regimes, differing
from attncheck.model import WRONG
from attncheck.words import describe_claim

PLAIN: dict[str, tuple[Any, ...]] = {
    "scale_name": ("1/√d_k",),
    "alignment": ("none", "start", "end"),
    "window": (None,),
    "normalized": ("keys",),
    "softcap": (None,),
    "position": (None,),
    "large_scores": ("fine",),
    "grouping": ("repeat", "refused"),
}
TOLD = {  # fields that a fact above tells
    *("scale", "window", "corner", "softcap", "normalized", "rotary", "grouping"),
    *("slopes", "sink", "relative"),
}


def unlike_plain(facts: dict[str, Any], claim: Claimed, told: set[str]) -> list[str]:
    """Return the facts that plain attention does not have, and what no fact tells.

    What is a problem already, by its code in `told`, is not said again.
    """
    found = [
        f"{key.replace('_', ' ')} {facts[key]}"
        for key, plain in PLAIN.items()
        if facts[key] not in (None, *plain) and key.replace("_", "-") not in told
    ]
    more = any(set(differing(part.base)) - TOLD or part.values for part in claim.parts)
    if more and not told and not isinstance(claim, Regimes):
        found.append(describe_claim(claim))
    return found


# Values of DOMAIN: a field, and the names of those that nobody means (all, if None).
VALUES: dict[str, tuple[str, ...] | None] = {
    "lost": None,
    "masked": None,
    "fill": None,
    "order": None,
    "gives": None,
    "takes": None,
    "roles": None,
    "values": None,
    "adds": None,
    "pad": None,
    "columns": None,
    "grouping": ("first", "by count"),
    "product": ("reshaped", "halves", "reversed"),
    "scale": ("0", "after the softmax", "1/√n_queries"),
    "softcap": ("not multiplied", "not divided"),
    "lowest": None,
}
SUMS = ("keys", "sink", "queries", "sigmoid", "linear", "relu")  # not merged wrongly
HALVES = {"only", "late", "values", "apart", "laid", "conjugate"}
# A fact, and what nobody means by it; expecting it makes it right.
FACTS: dict[str, dict[Any, str]] = {
    "alignment": {
        "one-too-many": "a causal mask one key too wide: query i sees key i + 1",
        "inverted": "queries see later keys, and none before their own",
        "strict": "no query sees its own key",
    },
    "normalized": {
        "no": "the weights of a query do not add up to 1",
        "queries": "softmax runs over the queries: the weights of a key add up to 1",
    },
    "large_scores": {
        "nan": "scores past the range of exp give NaN or 0: their row's largest score "
        "is not subtracted"
    },
    "empty_row": {"other": "fully masked rows get one thing here, and another there"},
}


LEAKS = "mask-leaks", "hidden keys get a score, and some weight"
# Fields of a model, where they are not those of plain attention.
FIELDS = {
    "fill": LEAKS,
    "order": LEAKS,
    "rounded": ("few-bits", "numbers are right to few bits only"),
    "places": (
        "no-rule",
        "who sees whom, or what is added by place, follows no known rule",
    ),
    "heads": ("heads", "query heads read other key or value heads than their own"),
    "layout": ("layout", "heads and tokens are taken for each other"),
}


def never(claim: Claimed) -> Iterator[tuple[str, str]]:
    """Yield a code and words for what no attention should do."""
    if isinstance(claim, Regimes):
        yield "two-rules", f"where {claim.words}, it computes something else"
    for part in claim.parts:
        yield from _in_part(part)
        for value in part.values:
            names = VALUES.get(value.field, ())
            merged = value.field == "normalized" and value.name not in SUMS
            if names is None or value.name in names or merged:
                yield value.field, value.words


def _in_part(claim: Claim) -> Iterator[tuple[str, str]]:
    model = claim.base
    if HALVES & set(model.rotary or {}):
        yield "rotary", "a half of the rotation is wrong"
    if model.picture is not None and model.picture.kind in WRONG:
        yield "mask", "the causal mask has the wrong offset"
    if "d_v" in str(dict(claim.fitted).get("scale", "")):
        yield "value-columns", "the scale depends on the columns of the values"
    if claim.format:
        yield FIELDS["rounded"]
    yield from (FIELDS[name] for name in differing(model) if name in FIELDS)


def never_facts(
    facts: dict[str, Any], expected: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield a code and words for facts that nobody means, unless they are expected."""
    for key, values in FACTS.items():
        if facts.get(key) in values and expected.get(key) != facts[key]:
            yield key.replace("_", "-"), values[facts[key]]
