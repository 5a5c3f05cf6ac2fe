"""What the calls did to their arguments, and what kind of array came back."""

from __future__ import annotations

from attncheck.case import Case


def ask_arguments(case: Case) -> None:
    """Say whether arguments were changed in any of the calls; the dtype, the device."""
    changed = sorted(case.subject.changed)
    if changed:
        case.report.add(
            "arguments-changed",
            f"It changes its arguments: {', '.join(changed)} after a call is not what "
            "it was before.",
            changed=changed,
        )
    gives = str(case.subject.gives).removeprefix("torch.")
    if gives != case.subject.format.stored:
        case.report.details["gives"] = gives
        case.report.notes.append(
            f"Given {case.subject.format.stored}, it gives {gives}."
        )
    given, gives = case.subject.places
    if gives != given:
        case.report.notes.append(f"Given arrays on {given}, it gives one on {gives}.")
