"""Take back what was fitted on single probes, and keep what was seen."""

from __future__ import annotations

from attncheck.report import Report

# Problems that one probe shows by itself, whatever else the function does.
SEEN = {"nan", "nothing", "not-the-same-twice", "arguments-changed", "refused"}
SEEN |= {"nothing-for-some", "sentences-differ", "tail-dropped", "not-a-mean"}
SEEN |= {"low-scores-lost", "values-not-used", "scores-not-used", "mixed-axes"}
SEEN |= {"heads-scrambled", "keys-values-exchanged", "heads-moved", "columns-moved"}
SEEN |= {"rows", "mask-nan", "mask-transposed", "mask-of-another-sentence"}
SEEN |= {"mask-of-some-heads", "mask-of-one-head", "mask-adds-keys", "columns"}
SEEN |= {"wrong-when-long", "zero-scores-hidden", "other-window"}
SEEN |= {"values-not-added", "values-rounded", "mask-remembered"}
SEEN |= {"keys-left-over", "queries-left-over"}
# Facts that are read off one probe each.
SEEN_FACTS = ("layout", "mask", "empty_row", "large_scores")


def withdraw(report: Report) -> None:
    """Keep what was seen, and take back what was fitted."""
    fitted = [name for name in report.facts if name not in SEEN_FACTS]
    if report.facts["mask"] is None:  # then it was read off a rule, which was fitted
        fitted.append("empty_row")
    report.facts.update(dict.fromkeys(fitted))
    report.problems = [
        problem
        for problem in report.problems
        if problem.code in SEEN and "the facts below" not in problem.sentence
    ]
    report.sentences.clear()
    report.but.clear()
    report.notes = [line for line in report.notes if line.startswith("Not asked")]
    for name in (
        "rotary",
        "slopes",
        "slopes_as_published",
        "relative_bias",
        "sinks",
        "bits",
        "scales",
        "weights_are",
        "product",
        "who_sees_whom",
        "corner_with_more_queries",
        "facts_of_tokens",
    ):
        report.details.pop(name, None)
