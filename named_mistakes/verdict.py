"""A report with a remark of its own in the headline, and functions to show it."""

from __future__ import annotations

from dataclasses import dataclass

from named_mistakes import display
from named_mistakes.report import Finding, Report


@dataclass(frozen=True, repr=False)
class Verdict(Report):
    """A report with a remark of its own in the headline.

    Parameters
    ----------
    said : str
        The remark after the verdict.
    """

    said: str = ""

    @property
    def headline(self) -> tuple[str, str]:
        """The verdict, and the remark after it."""
        if self.passed:
            return f"✓ {self.name}: right.", self.said
        if self.findings:
            return f"✗ {self.name}: not yet.", self.said
        return f"○ {self.name}: still open.", self.said


def show_open(name: str, said: str) -> Verdict:
    """Show what is still to be done."""
    return _shown(Verdict(name, False, said=said))


def show_wrong(name: str, code: str, message: str, example: str = "") -> Verdict:
    """Show the one thing that is wrong."""
    return _shown(Verdict(name, False, (Finding(code, message, example),)))


def show_right(name: str, said: str) -> Verdict:
    """Show that it is right, with a remark."""
    return _shown(Verdict(name, True, said=said))


def _shown(verdict: Verdict) -> Verdict:
    display.show(verdict)
    return verdict
