"""A verdict: whether an answer is right and, if not, what is known about why."""

import html
import re
from dataclasses import dataclass, field
from typing import Any

from named_mistakes import display

CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with an answer.

    Parameters
    ----------
    code : str
        The name of the mistake, such as "missing-scale". It never changes.
    message : str
        What was seen, which mistake gives exactly that, and where to look.
    example : str
        The smallest failing case, where no known mistake explains it.
    about : str
        What it explains: "" is everything, "large" the cases with large numbers; any
        other word is a part that says nothing about the rest of the answer.
    explains : tuple of str
        Codes of findings that only follow from this one, and are not shown beside it.
    """

    code: str
    message: str
    example: str = ""
    about: str = field(default="", repr=False)
    explains: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, repr=False)
class Report:
    """What `check` found out about an answer.

    Parameters
    ----------
    name : str
        The exercise.
    passed : bool
    findings : tuple of Finding
        Empty for a right answer, and for one that is not written yet.
    tried : str
        What a right answer was tried on.
    printed : str
        What a wrong answer printed, for the smallest case.
    said : str
        A remark after the verdict, in place of the usual one.
    """

    name: str
    passed: bool
    findings: tuple[Finding, ...] = ()
    tried: str = ""
    printed: str = ""
    said: str = ""

    @property
    def headline(self) -> tuple[str, str]:
        """The verdict, and the remark after it."""
        if self.passed:
            return f"✓ {self.name}: right.", self.said or f"Tried on {self.tried}."
        if self.findings:
            return f"✗ {self.name}: not yet.", self.said
        if self.said:
            return f"○ {self.name}: still open.", self.said
        open_ = f"○ {self.name}: nothing to check yet."
        return open_, "Write it, then run this again."

    def __repr__(self) -> str:
        lines = [" ".join(self.headline).strip()]
        for finding in self.findings:
            lines.append(f"  {finding.code}: {finding.message}")
            lines += [f"    {line}" for line in finding.example.splitlines()]
        lines += [f"  {line}" for line in self.printed.splitlines()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        state = "passed" if self.passed else "failed" if self.findings else "open"
        found = "".join(_item(finding) for finding in self.findings)
        verdict, more = map(html.escape, self.headline)
        return (
            f'<div class="verdict verdict-{state}">'
            f'<p class="verdict-headline"><strong>{verdict}</strong> {more}</p>'
            + (f'<ul class="verdict-findings">{found}</ul>' if found else "")
            + (_preformatted(self.printed) if self.printed else "")
            + "</div>"
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _ipython_display_(self) -> None:
        display.once(self)


def _item(finding: Finding) -> str:
    parts = [
        f"<code>{html.escape(finding.code)}</code> ",
        CODE.sub(r"<code>\1</code>", html.escape(finding.message)),
    ]
    if finding.example:
        parts.append(_preformatted(finding.example))
    return f"<li>{''.join(parts)}</li>"


def _preformatted(text: str) -> str:
    return f'<pre tabindex="0">{html.escape(text)}</pre>'


def show_open(name: str, said: str) -> Report:
    """Show what is still to be done."""
    return _shown(Report(name, False, said=said))


def show_wrong(name: str, code: str, message: str, example: str = "") -> Report:
    """Show the one thing that is wrong."""
    return _shown(Report(name, False, (Finding(code, message, example),)))


def show_right(name: str, said: str) -> Report:
    """Show that it is right, with a remark."""
    return _shown(Report(name, True, said=said))


def _shown(verdict: Report) -> Report:
    display.show(verdict)
    return verdict
