"""What no attention should do, and what plain attention does not.

That a model reproduces all calls is one question; that it is right is another.
"""

from collections.abc import Iterator
from typing import Any

from attncheck.claim import Claim, Claimed, Regimes, differing
from attncheck.facts import FACTS
from attncheck.model.fields import read_rows
from attncheck.words import describe_claim

TOLD = {  # fields that a fact above tells
    *("scale", "window", "alignment", "softcap", "normalized", "rotary", "grouping"),
    *("slopes", "sink", "relative"),
}


def unlike_plain(facts: dict[str, Any], claim: Claimed, told: set[str]) -> list[str]:
    """Return the facts that plain attention does not have, and what no fact tells.

    What is a problem already, by its code in `told`, is not said again.
    """
    found = [
        f"{key.replace('_', ' ')} {facts[key]}"
        for key, fact in FACTS.items()
        if fact.plain and facts[key] not in (None, *fact.plain)
        if key.replace("_", "-") not in told
    ]
    more = any(set(differing(part.base)) - TOLD or part.values for part in claim.parts)
    if more and not told and not isinstance(claim, Regimes):
        found.append(describe_claim(claim))
    return found


# Fields of a model, where they are not those of plain attention; a code, and words.
TABLE = """
    fill | mask-leaks | hidden keys get a score, and some weight
    order | mask-leaks | hidden keys get a score, and some weight
    squash | softcap | scores are clipped: no tanh bends them
    rounded | few-bits | numbers are right to few bits only
    places | no-rule | the mask, or what is added by position, follows no known rule
    heads | heads | query heads read other key or value heads than their own
    layout | layout | heads and tokens are taken for each other
"""
FIELDS = {field: (code, words) for field, code, words in read_rows(TABLE, 3)}


def never(claim: Claimed) -> Iterator[tuple[str, str]]:
    """Yield a code and words for what no attention should do."""
    if isinstance(claim, Regimes):
        yield "two-rules", f"where {claim.words}, it computes something else"
    for part in claim.parts:
        yield from _in_part(part)
        yield from ((value.field, value.words) for value in part.values if value.never)


def _in_part(claim: Claim) -> Iterator[tuple[str, str]]:
    model = claim.base.change(**dict(claim.fitted))
    if model.picture is not None and model.picture.never:
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
    for key, fact in FACTS.items():
        if facts.get(key) in fact.never and expected.get(key) != facts[key]:
            yield key.replace("_", "-"), fact.never[facts[key]]
