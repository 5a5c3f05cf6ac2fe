"""The page of findings: sentences are made from fields when it is printed.

That a model reproduces all calls is one question; that it is right is another: what no
attention should do stands below.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from textwrap import shorten
from typing import Any

from attncheck.claim import Claim, Claimed, Regimes, differing
from attncheck.facts import FACTS, compare
from attncheck.model.fields import read_rows
from attncheck.words import as_plain, bullets, describe, describe_claim, parts

CANNOT_TELL = {"unexplained", "refused"}
NEAR = 1 / 3  # of the calls: a model that explains fewer is not near
LONGEST = 60  # of why a call is refused, in letters
SHOWN = 3  # of the calls that are refused
NAMES = {"empty_row": "fully masked row"}  # of facts, where the key is another


@dataclass(frozen=True)
class Problem:
    """What differs from what was expected, or what no attention should do."""

    code: str  # a short name that does not change: "scale", "mask", "unexplained" …
    sentence: str

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"


@dataclass
class Report:
    """What attention computes, in the calls that were made, and what is wrong with it.

    Its `facts` have always the same keys, and are all None where no model explains all
    calls; its `calls` are a row each: id, sizes, mask, explained, and where not.
    """

    name: str
    facts: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(FACTS))
    calls: list[dict[str, Any]] = field(default_factory=list)
    claim: Claimed | None = None  # the model that explains all calls, or most
    explained: bool = False  # whether it explains all
    # Facts on which two regimes differ: elsewhere, and where the condition holds.
    apart: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    expected_claim: Claim | None = None  # of runs, which are read against a model
    expected: dict[str, Any] = field(default_factory=dict)
    refused: list[tuple[str, str]] = field(default_factory=list)  # a call, and why
    unseen: list[tuple[str, str]] = field(default_factory=list)  # a call: what it shows
    # What the calls show by themselves: a code, and words.
    faults: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    n_calls: int = 0
    arrays: str = ""  # the kind that the function was called with
    device: str = ""
    of: str = "calls"  # what was judged: calls of a function, or runs

    @property
    def problems(self) -> list[Problem]:
        """What differs from what was expected, and what no attention should do."""
        found: list[tuple[str, str]] = []
        if self.explained and self.claim is not None:
            found += compare(self.facts, self.expected, self.apart)
            if self.expected_claim and isinstance(self.claim, Claim):
                found += parts(self.claim, self.expected_claim.base)
            found += [*self.faults.items(), *never(self.claim)]
            found += [*never_facts(self.facts, self.expected), *self._masks()]
        else:
            found += self.faults.items()
            if not CANNOT_TELL & set(self.faults):
                found.append(("unexplained", self._unexplained()))
        once = dict(reversed(found))  # (the first words of each code)
        return [Problem(code, once[code]) for code in dict(found)]

    @property
    def status(self) -> int:
        """0: as expected. 1: not as expected. 2: cannot tell."""
        codes = {problem.code for problem in self.problems}
        cannot = codes and codes <= CANNOT_TELL and not self.differs
        return 2 if cannot else int(bool(codes))

    @property
    def differs(self) -> bool:
        """Whether a model was expected, and the runs are not by it."""
        wrong = not self.explained or self.claim is not self.expected_claim
        return self.expected_claim is not None and bool(self.calls) and wrong

    @property
    def unlike(self) -> list[str]:
        """What of it plain attention does not do."""
        if not self.explained or self.claim is None or self.expected_claim:
            return []
        told = {problem.code for problem in self.problems}
        found = [
            f"{NAMES.get(key, key.replace('_', ' '))} {self.facts[key]}"
            for key, fact in FACTS.items()
            if fact.plain and self.facts[key] not in (None, *fact.plain)
            if key.replace("_", "-") not in told
        ]
        if not told and isinstance(self.claim, Claim):  # what no fact tells
            more = set(differing(self.claim.base)) - TOLD
            found += [describe_claim(self.claim)] * bool(more or self.claim.values)
        return found

    @property
    def verdict(self) -> str:
        """One sentence for the top of the page."""
        n = len(self.problems)
        known = self.expected or self.expected_claim is not None
        found = f"{n} problem{'s' * (n > 1)}" if n else "as expected" * bool(known)
        found = "cannot tell" if self.status == 2 else found
        words = ["" if known else "no expectation given", found]
        return f"{self.name}: {'; '.join(filter(None, words))}."

    @property
    def computes(self) -> str:
        """What it computes in the calls that were made, in one sentence."""
        if self.claim is None or not self.calls:
            return ""
        rows = self._rows(masked=False)
        n = len(rows)
        of = f"all {n} {self.of}" if n > 1 else f"this {self.of[:-1]}"
        if not self.explained:
            return f"No model reproduces {of}."
        over = sum(row["overflow"] for row in rows)
        past = f", but for scores past the range of exp (in {over} of them)"
        to = f"{of} to rounding{past if over else ''}"
        if isinstance(self.claim, Claim):
            return f"This model reproduces {to}: {describe_claim(self.claim)}."
        some = sum(row["model"] for row in rows)
        one, rest = map(describe_claim, (self.claim.one, self.claim.rest))
        return (
            f"Two models reproduce {to}. Where {self.claim.words} ({some} {self.of}): "
            f"{one}. Elsewhere ({n - some}): {rest}."
        )

    def _rows(self, masked: bool) -> list[dict[str, Any]]:
        return [row for row in self.calls if (row["mask"] is not None) == masked]

    def _unexplained(self) -> str:
        rows = self._rows(masked=False)
        good = sum(row["explained"] for row in rows)
        first = next((row for row in rows if not row["explained"]), None)
        if self.claim is None or first is None:
            return "no model reproduces its numbers"
        is_near = good > NEAR * len(rows)
        best = "the nearest found" if is_near else "none is near; the best"
        return (
            f"{best} ({describe_claim(self.claim)}) reproduces {good} of {len(rows)}; "
            f"the first that differs: {describe_call(first)}"
        )

    def _masks(self) -> Iterator[tuple[str, str]]:
        rows = self._rows(masked=True)
        if wrong := [row for row in rows if not row["explained"]]:
            name = f"{wrong[0]['mask']}= as {self.facts['mask']!r}"
            words = f"{name}: {len(wrong)} of {len(rows)} calls differ, first "
            yield "mask", words + describe_call(wrong[0])

    def to_json(self, **options: Any) -> str:
        """Return all of it as JSON; options are those of json.dumps."""
        made = ("verdict", "status", "computes", "unlike")
        whole = {key: getattr(self, key) for key in made}
        whole["problems"] = [vars(problem) for problem in self.problems]
        whole |= {key: x for key, x in vars(self).items() if "claim" not in key}
        return json.dumps(as_plain(whole), **{"ensure_ascii": False, **options})

    def _lines(self) -> Iterator[tuple[str, str]]:
        """Yield the bullet, or none, and the words of each paragraph."""
        yield "", f"{self.verdict} {self.computes}".strip()
        if self.unseen:
            shown = "; ".join(dict.fromkeys(words for _, words in self.unseen))
            yield "", f"Not seen: {shown}."
        if self.refused:
            yield "", self._refused()
        yield from (("- ", str(problem)) for problem in self.problems)
        if self.unlike:
            yield "", f"Unlike plain attention: {'; '.join(self.unlike)}."
        yield from (("", note) for note in self.notes)
        if self.of == "calls":
            yield "", "The backward pass is not asked."

    def _refused(self) -> str:
        reasons: dict[str, list[str]] = {}
        for id, why in self.refused:
            reasons.setdefault(shorten(why, LONGEST, placeholder=" …"), []).append(id)
        parts = [
            f"{', '.join(ids[:SHOWN])}{' …' if len(ids) > SHOWN else ''} ({why})"
            for why, ids in list(reasons.items())[:SHOWN]
        ]
        n = len(self.refused)
        return f"Refused: {n} call{'s' * (n > 1)}: {'; '.join(parts)}."

    def __str__(self) -> str:
        parts = (bullets([words], bullet) for bullet, words in self._lines())
        return "\n".join(line for part in parts for line in part)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        page = ""
        for bullet, lines in groupby(self._lines(), key=itemgetter(0)):
            kind = "li" if bullet else "p"
            parts = [f"<{kind}>{html.escape(words)}</{kind}>" for _, words in lines]
            page += f"<ul>{''.join(parts)}</ul>" if bullet else "".join(parts)
        return f'<div class="attncheck-report">{page}</div>'


def describe_call(row: dict[str, Any]) -> str:
    """Return a call, its sizes, what it shows, and where it is not explained."""
    on = f" on {row['g']}" if row["g"] != row["h"] else ""
    words = "batch {b}, {h} heads{on}, {n} queries, {m} keys, d {d}"
    shows = f" [{row['shows']}]" if row["shows"] else ""
    sizes = words.format(on=on, **row)
    return f"'{row['id']}'{shows}: {sizes}; {describe(row['where'])}"


TOLD = {  # fields that a fact above tells
    *("scale", "window", "alignment", "softcap", "normalized", "rotary", "grouping"),
    *("slopes", "sink", "relative"),
}


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
        fitted = dict(part.fitted)
        model = part.base.change(**fitted)
        if model.picture is not None and model.picture.never:
            yield "mask", "the causal mask has the wrong offset"
        if "d_v" in str(fitted.get("scale")):
            yield "value-columns", "the scale depends on the columns of the values"
        if part.format:
            yield FIELDS["rounded"]
        yield from (FIELDS[name] for name in differing(model) if name in FIELDS)
        yield from ((value.field, value.words) for value in part.values if value.never)


def never_facts(
    facts: dict[str, Any], expected: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield a code and words for facts that nobody means, unless they are expected."""
    for key, fact in FACTS.items():
        if facts.get(key) in fact.never and expected.get(key) != facts[key]:
            yield key.replace("_", "-"), fact.never[facts[key]]
