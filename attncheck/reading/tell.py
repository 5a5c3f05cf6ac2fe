"""What is said of a run: right, a known mistake, coarse, or unknown."""

from __future__ import annotations

import numpy as np

from attncheck.formats import Format
from attncheck.model import Model
from attncheck.reading.facts import empty_row, tell_facts
from attncheck.reading.run import Run
from attncheck.reading.search import Found
from attncheck.reading.where import describe, find_wrong
from attncheck.report import Report


def tell_right(report: Report, run: Run, model: Model, share: float) -> None:
    """Say that rounding explains every number."""
    tell_facts(report, run, model)
    report.details["share_of_tolerance"] = share
    report.sentences.append(
        f"All {run.output.size:,} numbers are right: the largest error is {share:.0%} "
        f"of what rounding to {run.format.name} may do."
    )


def tell_mistakes(report: Report, run: Run, meant: Model, found: list[Found]) -> None:
    """Say which known mistakes explain every number."""
    best = found[0]
    tell_facts(report, run, best.model)
    if meant.allowed is None and meant.bias is None and best.model.masked == "before":
        report.facts["mask"] = None  # none was passed
    wrong = run.error_everywhere(meant, stop=False)
    others = [_words(other) for other in found[1:3]]
    for mistake in best.mistakes:
        report.add(
            mistake.code.partition(":")[0],
            _sentence(mistake.sentence),
            **{
                "error, in units of rounding, as meant": wrong,
                "with this mistake": best.share,
            },
        )
    report.details["mistakes"] = [mistake.code for mistake in best.mistakes]
    if "mask: may not attend" in report.details["mistakes"]:
        report.facts["mask"] = "may not attend"
    if others:
        report.notes.append("These would give the same numbers: " + "; ".join(others))
    report.details["or"] = [[m.code for m in other.mistakes] for other in found[1:]]


def _words(found: Found) -> str:
    return " and ".join(mistake.sentence for mistake in found.mistakes)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."


def tell_nan(report: Report, run: Run, meant: Model) -> None:
    """Say where it gives NaN."""
    tell_facts(report, run, meant)
    nan = np.isnan(run.output)
    report.facts["large_scores"] = "nan"
    report.add(
        "nan",
        f"It gives NaN: {describe(nan)}.",
        share=float(nan.mean()),
    )
    report.details["wrong"] = describe(nan)
    empty = empty_row(run, meant)
    if empty == "nan":
        report.facts["large_scores"] = None
        report.notes.append("Queries that may attend to nothing are NaN.")


def tell_nothing(report: Report, run: Run, meant: Model) -> None:
    """Say that every number is 0, which many mistakes would explain."""
    tell_facts(report, run, meant)
    report.add("nothing", "It gives nothing but 0.")
    report.details["wrong"] = "every number is 0"


def tell_coarse(report: Report, run: Run, meant: Model, fmt: Format) -> None:
    """Say to how many bits the numbers are right."""
    tell_facts(report, run, meant)
    report.unexplained = (
        f"The numbers are right to about {fmt.bits} bits only, and {run.format.name} "
        f"has {run.format.bits}: it computes in a narrower format (if so, dtype="
        f"'{fmt.name}' says it), or there is a small mistake that I do not know."
    )
    report.details["right_to"] = fmt.name


def tell_unknown(report: Report, run: Run, meant: Model) -> None:
    """Say where it is wrong, when no known mistake explains it."""
    tell_facts(report, run, meant)
    for fact in ("scale", "scale_name", "alignment", "normalized", "grouping"):
        report.facts[fact] = None
    wrong, worst = find_wrong(run, meant), run.error_everywhere(meant, stop=False)
    report.add(
        "unknown",
        f"No known mistake explains this; {describe(wrong)}.",
        **{"largest error, in units of rounding": worst},
    )
    report.details["wrong"] = describe(wrong)
