"""Show results: a table for reading, and the same numbers as plain text."""

from html import escape

import numpy as np

from .posts import POSTS

LABELS = {
    "holds": "holds",
    "rounded": "holds after rounding",
    "wrong": "wrong",
    "unverifiable": "nothing to check",
}
FOLDED = {
    "holds": "hold",
    "rounded": "after rounding",
    "wrong": "wrong",
    "unverifiable": "with nothing to check",
}
MARKS = {"holds": "✓", "rounded": "≈", "wrong": "✗", "unverifiable": "–"}
COLUMNS = ("Claim", "The post", "We get", "Verdict", "Likely slip, or note")


def write(value, digits, kind=""):
    """Write a value with so many decimals; Decimals keep the digits they came with."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | np.ndarray):
        parts = [write(entry, digits) for entry in value]
        return " × ".join(parts) if kind == "shape" else f"[{', '.join(parts)}]"
    if isinstance(value, float | np.floating):
        return f"{round(float(value), digits) + 0.0:.{digits}f}"
    return str(value)


def finer(claim):
    """Choose the decimals for what we get: two more than the post prints."""
    return claim.digits + 2 if claim.digits else 0


def claimed(result):
    """Write what the post claims."""
    return write(result.claim.claimed, 0, result.claim.kind)


def found(result):
    """Write what we get, with two digits more than the post prints."""
    return write(result.found.value, finer(result.claim), result.claim.kind)


def verdict(result):
    """Write the verdict, and by how much a wrong number is off."""
    label = LABELS[result.verdict]
    if result.verdict != "wrong" or result.off is None or result.claim.kind == "shape":
        return label
    return f"{label}, off by {write(result.off, finer(result.claim))}"


def fill(text, result):
    """Put the computed numbers into a sentence of claims.toml."""
    numbers = {
        name: write(getattr(result.found, name), result.claim.digits)
        for name in ("again", "rounded")
    }
    return text.format(**numbers, **result.found.facts)


def why(result):
    """Return the likely slip, or the note."""
    return fill(result.claim.slip or result.claim.note, result)


def unit(result):
    """Say what the claim's number counts, where that needs saying."""
    return fill(result.claim.unit, result)


def place(claim):
    """Say where the claim stands and which lessons it belongs to."""
    lessons = ", ".join(map(str, claim.lessons))
    return f"{claim.where} · lesson{'s' * (len(claim.lessons) > 1)} {lessons}"


class ClaimTable:
    """The results of one post, a row for each claim; its id is the row's anchor."""

    def __init__(self, results, post):
        self.post = post
        self.results = [result for result in results if result.claim.post == post]

    def __repr__(self):
        return "\n\n".join(self._lines(result) for result in self.results)

    def _lines(self, result):
        lines = [
            f"{result.claim.id}: {result.claim.says}",
            *[f"  measure  {unit(result)}"] * bool(unit(result)),
            f"  where    {place(result.claim)}",
            f"  post     {claimed(result)}",
            f"  we get   {found(result)}",
            f"  verdict  {verdict(result)}",
        ]
        label = "slip" if result.claim.slip else "note"
        return "\n".join(lines + [f"  {label}     {why(result)}"] * bool(why(result)))

    def _repr_html_(self):
        heads = "".join(
            f'<th role="columnheader" scope="col">{c}</th>' for c in COLUMNS
        )
        rows = "".join(self._row(result) for result in self.results)
        caption = f"Post {self.post}, {POSTS[self.post]}: {len(self.results)} claims"
        return (
            f'<details class="aw-fold"><summary>{self._summary()}</summary>'
            '<table class="aw-claims" role="table">'
            f"<caption>{escape(caption)}</caption>"
            f'<thead role="rowgroup"><tr role="row">{heads}</tr></thead>'
            f'<tbody role="rowgroup">{rows}</tbody></table></details>'
        )

    def _summary(self):
        verdicts = [result.verdict for result in self.results]
        counts = [
            f"{verdicts.count(name)} {label}"
            for name, label in FOLDED.items()
            if name in verdicts
        ]
        return f"{len(verdicts)} claims: {', '.join(counts)}"

    def _row(self, result):
        claim, mark = result.claim, MARKS[result.verdict]
        label = f'<span aria-hidden="true">{mark}</span> {escape(verdict(result))}'
        texts = [escape(text(result)) for text in (claimed, found, why)]
        texts.insert(2, f'<span class="aw-{result.verdict}">{label}</span>')
        cells = "".join(
            f'<td role="cell" data-label="{name}">{text}</td>'
            for name, text in zip(COLUMNS[1:], texts, strict=True)
        )
        return (
            f'<tr role="row" class="aw-claim" id="{claim.id}" data-post="{claim.post}"'
            f' data-verdict="{result.verdict}"><th role="rowheader" scope="row">'
            f"{self._heading(result)}</th>{cells}</tr>"
        )

    def _heading(self, result):
        counts = f'<small class="aw-unit">{escape(unit(result))}</small>'
        where = f"<small>{escape(place(result.claim))}</small>"
        return escape(result.claim.says) + counts * bool(unit(result)) + where
