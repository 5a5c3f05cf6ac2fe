"""The file that is handed in: answers as text, by exercise.

It is one JSON object, written by `attncourse.teach.hand_in` or by a page::

    {"format": "attncourse-answers", "version": 1,
     "student": "ada", "saved_at": "2026-11-02T14:00:00+00:00",
     "versions": {"attnlib": "0.1.0", "attncourse": "0.1.0"},
     "answers": [{"lesson": "03_scaling", "exercise": "scale_scores",
                  "function": "my_scale", "source": "def my_scale(scores, d_k): …",
                  "verdict": {"passed": false, "findings": ["scaled-by-d_k"]}}]}

``source`` is Python that defines ``function``. ``np``, ``math`` and the public names of
attnlib are there already; whatever else it needs, it says itself. A verdict is what the
student saw. Nobody who grades believes it: every answer is run again.

A page that cannot run Python, opened from a folder, knows no answers: it saves its
cells as they were written, and the answers are found in them here::

    "unrun": [{"lesson": "03_scaling", "cells": [{"text": "…", "tags": []}]}]
"""

import json
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMAT, VERSION = "attncourse-answers", 1
LARGEST = 1_000_000  # bytes of a file; a hundred answers are a tenth of this
LONGEST = 20_000  # characters of one answer
MOST = 100  # answers in a file


class UnreadableError(ValueError):
    """A file that is no hand-in; the message names what was expected."""


@dataclass(frozen=True)
class Answer:
    """One answer, as text.

    Parameters
    ----------
    exercise : str
    function : str
        The name of the function in `source`.
    source : str
    lesson : str
    claimed : bool or None
        Whether the file says that it passed; for comparison only.
    """

    exercise: str
    function: str
    source: str
    lesson: str = ""
    claimed: bool | None = None


@dataclass(frozen=True)
class HandedIn:
    """What one file holds."""

    file: str
    student: str
    saved_at: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()


def read(path: Path) -> HandedIn:
    """Read one file, however it was made.

    Raises
    ------
    UnreadableError
        With what was expected and what was found.
    """
    found = _parsed(_text(path))
    _need(isinstance(found, dict), "one JSON object", found)
    _need(found.get("format") == FORMAT, f'"format": "{FORMAT}"', found.get("format"))
    version = found.get("version")
    _need(version == VERSION, f'"version": {VERSION}', version)
    answers = found.get("answers")
    _need(isinstance(answers, list), '"answers", a list', answers)
    answers = [_answer(i, one) for i, one in enumerate(answers, 1)]
    answers += _unrun(found.get("unrun", []))
    _need(len(answers) <= MOST, f"at most {MOST} answers", len(answers))
    student, versions = found.get("student"), found.get("versions")
    return HandedIn(
        path.name,
        _short(student) or path.stem[:80],
        _short(found.get("saved_at")),
        {_short(k): _short(v) for k, v in versions.items()}
        if isinstance(versions, dict)
        else {},
        tuple(answers),
    )


def _text(path: Path) -> str:
    """Read a plain file of reasonable size; never wait for a pipe, follow no link."""
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError("expected a plain file, not a link, a folder or a pipe")
    if status.st_size > LARGEST:
        raise UnreadableError(
            f"expected at most {LARGEST:,} bytes, found {status.st_size:,}"
        )
    with os.fdopen(os.open(path, os.O_RDONLY), "rb") as file:
        raw = file.read(LARGEST + 1)
    if raw[:2] in (b"PK", b"\x1f\x8b"):
        raise UnreadableError("expected JSON, found an archive; it was not unpacked")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"expected UTF-8 text: {error.reason}") from None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableError(
            f"expected JSON: {error.msg}, line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise UnreadableError("expected JSON a few levels deep") from None
    except ValueError as error:  # a number of a million digits
        raise UnreadableError(f"expected JSON: {str(error)[:80]}") from None


def _answer(i: int, one: Any) -> Answer:
    _need(isinstance(one, dict), f"answer {i} to be an object", one)
    for name in ("exercise", "function", "source"):
        text = one.get(name)
        _need(isinstance(text, str), f'answer {i}: "{name}", a text', text)
    _need(
        len(one["source"]) <= LONGEST,
        f"answer {i} to have at most {LONGEST:,} characters",
        len(one["source"]),
    )
    verdict = one.get("verdict")
    claimed = verdict.get("passed") if isinstance(verdict, dict) else None
    return Answer(
        _short(one["exercise"]),
        _short(one["function"]),
        one["source"],
        _short(one.get("lesson")),
        claimed if isinstance(claimed, bool) else None,
    )


def _unrun(pages: Any) -> list[Answer]:
    """Find the answers in the cells of pages that could not run them."""
    _need(isinstance(pages, list), '"unrun", a list', pages)
    found: list[Answer] = []
    for page in pages:
        cells: Any = page.get("cells") if isinstance(page, dict) else None
        _need(
            isinstance(cells, list) and all(map(_is_cell, cells)),
            '"unrun" to hold cells, each with a text and tags',
            cells,
        )
        try:
            found += _collected(cells, _short(page.get("lesson")))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if isinstance(error, UnreadableError):
                raise
            what = "cells that Python can read"
            raise UnreadableError(
                f"expected {what}; found {type(error).__name__}"
            ) from None
    return found


def _collected(cells: list[dict[str, Any]], lesson: str) -> list[Answer]:
    from attncourse.teach.notebooks import collected  # which needs `Answer`
    from attncourse.teach.starters import is_untouched

    found = collected([dict(one) for one in cells], lesson)
    _need(len(found) <= MOST, f"at most {MOST} answers", len(found))
    longest = max((len(one.source) for one in found), default=0)
    _need(longest <= LONGEST, f"answers of at most {LONGEST:,} characters", longest)
    return [one for one in found if not is_untouched(one)]


def _is_cell(one: Any) -> bool:
    """Tell whether an object is a cell: a text, and tags."""
    return (
        isinstance(one, dict)
        and isinstance(one.get("text"), str)
        and isinstance(one.get("tags"), list)
    )


def _need(holds: Any, what: str, found: Any) -> None:
    if not holds:
        raise UnreadableError(f"expected {what}; found {_described(found)}")


def _described(found: Any) -> str:
    """Say what was found without writing out all of it."""
    if isinstance(found, str | int | float | bool) or found is None:
        return "nothing" if found is None else repr(found)[:60]
    return f"a {type(found).__name__} of {len(found)}"


def counted(n: int, word: str) -> str:
    """Say how many there are: "1 answer", "2 answers"."""
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def _short(text: Any) -> str:
    """Return a text of one line; nothing for what is no text."""
    return " ".join(text.split())[:80] if isinstance(text, str) else ""
