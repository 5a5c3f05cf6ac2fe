"""One claim, its checker, and the verdict.

A checker recomputes what a post claims and never looks at the claimed value. The
verdict comes from comparing the two:

============  ==================================================================
holds         every number lies within half a unit of its last printed digit
rounded       not so, but it does when each step is rounded as the post prints it
wrong         neither
unverifiable  the post gives nothing from which the value could be recomputed
============  ==================================================================
"""

import tomllib
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

CLAIMS_FILE = Path(__file__).with_name("claims.toml")
CHECKS: dict[str, Any] = {}


def flat(value):
    """Yield the numbers (or the one value) of a claim."""
    if isinstance(value, list):
        for entry in value:
            yield from flat(entry)
    elif value is not None:
        yield value


@dataclass(frozen=True)
class Claim:
    """What a post says, where, and what we expect to find."""

    id: str
    post: int
    where: str
    kind: str
    says: str
    verdict: str
    lessons: list
    claimed: Any = None  # numbers are Decimals: they keep the digits printed
    unit: str = ""  # what the number counts, where it needs saying
    slip: str = ""  # the likely slip, for claims that are wrong or rounded
    note: str = ""  # what else there is to know, for the others
    short: str = ""  # what a lesson's badge says beside the post's number

    @property
    def digits(self):
        """Count the decimals that the post prints."""
        numbers = [Decimal(n) for n in flat(self.claimed) if not isinstance(n, str)]
        return max((-int(n.as_tuple().exponent) for n in numbers), default=0)

    @property
    def tolerance(self):
        """Half a unit of the last printed digit."""
        return 0.5 * 10.0**-self.digits


@dataclass(frozen=True)
class Found:
    """What a checker found."""

    value: Any  # recomputed from the post's inputs; None: nothing to recompute
    rounded: object = None  # the same, rounding each step as the post prints it
    again: object = None  # what the likely slip gives when made on purpose
    facts: dict = field(default_factory=dict)  # numbers that slip or note quotes


@dataclass(frozen=True)
class Result:
    """A claim beside what we get."""

    claim: Claim
    found: Found
    verdict: str

    @property
    def off(self):
        """Return the largest difference, or None where none can be taken."""
        claimed, value = self.claim.claimed, self.found.value
        if value is None or isinstance(claimed, str | bool):
            return None
        if np.shape(claimed) != np.shape(value):
            return None
        return float(np.max(np.abs(gap(claimed, value))))


def checks(post, functions):
    """Register checkers, by the ends of their claims' ids."""
    for end, function in functions.items():
        claim_id = f"{post}-{end.replace('_', '-')}"
        if claim_id in CHECKS:
            raise ValueError(f"checks: claim {claim_id!r} already has a checker")
        CHECKS[claim_id] = function


def checks_in(module):
    """Register a module's functions, but for those that it hides: by their names."""
    post = module.__name__.rpartition(".")[2].partition("_")[0]
    functions = {
        name: x
        for name, x in vars(module).items()
        if getattr(x, "__module__", "") == module.__name__ and name[0] != "_"
    }
    checks(post, functions)


def load_claims():
    """Read the claims, in the order of the file."""
    text = CLAIMS_FILE.read_text(encoding="utf-8")
    return [Claim(**row) for row in tomllib.loads(text, parse_float=Decimal)["claim"]]


def recompute(claim):
    """Run the checker of one claim."""
    found = CHECKS[claim.id]()
    found = found if isinstance(found, Found) else Found(found)
    plain = found.value.item() if isinstance(found.value, np.generic) else found.value
    return replace(found, value=plain)


def gap(claimed, value):
    """Return claimed minus found, as ordinary floats."""
    return np.asarray(claimed, dtype=float) - np.asarray(value, dtype=float)


def agrees(claim, value):
    """Tell whether rounding `value` to the digits claimed gives the claimed value."""
    if isinstance(claim.claimed, str | bool):
        return claim.claimed == value
    if np.shape(claim.claimed) != np.shape(value):
        return False
    off = np.abs(gap(claim.claimed, value))
    return bool(np.all(off <= claim.tolerance + 1e-9))


def judge(claim, found):
    """Compare claimed and found; return the verdict."""
    if found.value is None:
        return "unverifiable"
    if agrees(claim, found.value):
        return "holds"
    if found.rounded is not None and agrees(claim, found.rounded):
        return "rounded"
    return "wrong"


def check_all():
    """Recompute every claim, in the order of the file."""
    results = []
    for claim in load_claims():
        found = recompute(claim)
        results.append(Result(claim, found, judge(claim, found)))
    return results
