"""What of a claim plain attention, causal or not, does not do."""

from typing import Any

from attncheck.claim import Claim, Claimed, Regimes, differing
from attncheck.words import describe_claim, describe_field

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


def unexpected(claim: Claim, expected: Claim) -> list[tuple[str, str]]:
    """Return a code and words for each field that is not as it was expected."""
    found = [(value.field, value.words) for value in claim.values]
    of, wanted = differing(claim.base), differing(expected.base)
    banded = claim.base.window != (None, None) and claim.base.picture is None
    for name in {**of, **wanted}:
        if getattr(claim.base, name) is not getattr(expected.base, name):
            told = "window" if banded and name == "corner" else name
            code = "few-bits" if name == "rounded" else told
            found.append((code, describe_field(told, claim)))
    fitted = [(name, describe_field(name, claim)) for name, _ in claim.fitted]
    found += [pair for pair in fitted if pair[1]]  # a cap's number tells its kind too
    if claim.format:
        found.append(("few-bits", describe_claim(claim)))
    return found
