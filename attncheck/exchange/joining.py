"""The reports of all probes, put together to one."""

from __future__ import annotations

from attncheck.report import Problem, Report

LARGE = {"far", "large", "low"}  # the probes whose scores are not of ordinary size


def join(reports: dict[str, Report], missing: list[str]) -> Report:
    """Make one report: each problem once, with the probes that show it."""
    whole = Report("This program")
    if not reports:
        whole.unexplained = "There are no outputs to read."
        return whole
    _join_problems(whole, reports)
    _join_facts(whole, reports)
    known = "unknown" not in {problem.code for problem in whole.problems}
    unclear = {n: r.unexplained for n, r in reports.items() if known and r.unexplained}
    whole.unexplained = "; ".join(f"{n}: {words}" for n, words in unclear.items())
    right = [name for name, report in reports.items() if report.status == 0]
    if right:
        words = "These show nothing wrong" if whole.problems else "Right"
        whole.sentences.append(f"{words}: {', '.join(right)}.")
    if missing:
        whole.notes.append(f"No output was found for: {', '.join(missing)}.")
    pages = {name: report.as_dict() for name, report in reports.items()}
    whole.details["probes"] = pages
    return whole


def _join_problems(whole: Report, reports: dict[str, Report]) -> None:
    """Gather equal sentences; what is NaN or unknown becomes one problem each."""
    shown: dict[str, tuple[Problem, list[str]]] = {}
    places: dict[str, dict[str, str]] = {"nan": {}, "unknown": {}}
    last = sorted(reports.items(), key=lambda item: item[0] == "one")
    for name, report in last:
        for problem in report.problems:
            if problem.code in places:
                places[problem.code][name] = report.details["wrong"]
                continue
            if name == "one" and problem.code in {p.code for p, _ in shown.values()}:
                continue  # a single query fits several alignments
            shown.setdefault(problem.sentence, (problem, []))[1].append(name)
    for problem, names in shown.values():
        numbers = {"probes": names, **problem.numbers}
        whole.problems.append(Problem(problem.code, problem.sentence, numbers))
    _add_nan(whole, places["nan"])
    _add_unknown(whole, places["unknown"])


def _add_nan(whole: Report, places: dict[str, str]) -> None:
    words = "It gives NaN."
    if places and places.keys() <= LARGE:
        words = (
            "It gives NaN where scores are large, and nowhere else: the largest score "
            "of each row is not subtracted before exp, or numbers overflow."
        )
    if places:
        whole.add("nan", words, **places)


def _add_unknown(whole: Report, places: dict[str, str]) -> None:
    if places:
        shown = "; ".join(f"{name}: {where}" for name, where in places.items())
        words = f"No known mistake explains what is wrong. {shown}."
        whole.problems.append(Problem("unknown", words, {"probes": list(places)}))


def _join_facts(whole: Report, reports: dict[str, Report]) -> None:
    """Take each fact from the probe that can tell it."""
    first = next(iter(reports.values()))
    whole.facts = dict(first.facts)
    sources = {"alignment": "wide", "window": "wide", "empty_row": "tall"}
    sources |= {"grouping": "groups", "large_scores": "large"}
    for fact, name in sources.items():
        report = reports.get(name)
        if report is not None and report.facts[fact] is not None:
            whole.facts[fact] = report.facts[fact]
