"""Write one small file to hand in: ``python -m attncourse.teach.hand_in NOTEBOOK…``.

It holds your answers as text, what `check` says of each, and the versions. It holds
nothing else of the notebook. Each answer is also run as it will be graded, where there
are no files, no network and few imports; what is right here and not there is said.
"""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attncourse
import attnlib
from attncourse.teach.handed_in import FORMAT, VERSION, Answer, counted
from attncourse.teach.notebooks import given as in_notebook
from attncourse.teach.regrade import regrade
from attncourse.teach.starters import is_untouched
from attncourse.teach.worker import FAILS, USUAL, judged

THERE = (
    "! There it finds no files and no network, and can import NumPy, attnlib and "
    f"{', '.join(USUAL.split())}. You can still change it."
)


def as_file(student: str, found: list[Answer], verdicts: list[Any]) -> dict[str, Any]:
    """Return what is written, as `attncourse.teach.handed_in` describes it."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "student": student,
        "saved_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {
            "attnlib": attnlib.__version__,
            "attncourse": attncourse.__version__,
        },
        "answers": [
            {
                "lesson": one.lesson,
                "exercise": one.exercise,
                "function": one.function,
                "source": one.source,
                "verdict": said,
            }
            for one, said in zip(found, verdicts, strict=True)
        ],
    }


def said_of(i: int, answer: Answer) -> dict[str, Any]:
    """Run one's own answer, here, and say what `check` would say."""
    told = judged({"index": i, **vars(answer)})
    codes = [
        f"{code}: {message}"[:200] if code == FAILS else code
        for code, message in told["findings"]
    ]
    return {"passed": told["passed"], "findings": codes}


def refused(found: list[Answer], verdicts: list[Any]) -> list[str]:
    """Run what is right here as it is graded; say what is not right there, and why."""
    right = [one for one, said in zip(found, verdicts, strict=True) if said["passed"]]
    if sys.platform == "win32":
        return [
            "On Windows it cannot be tried here what is refused while it is graded."
        ]
    try:
        graded = regrade(tuple(right)).graded if right else []
    except OSError as error:
        return [f"It cannot be tried here what is refused while it is graded: {error}."]
    lost = [one for one in graded if one.state != "right"]
    told = [
        f"! {one.answer.lesson} {one.answer.exercise}: right here, but not where it is "
        f"graded: {'; '.join(one.tried) or [*one.findings, ('', one.state)][0][1]}"
        for one in lost
    ]
    return [*told, THERE] if told else []


def main(arguments: list[str] | None = None) -> int:
    """Collect, run, write; return an exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m attncourse.teach.hand_in", description=__doc__
    )
    parser.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--student", required=True, help="your name or number")
    parser.add_argument("--to", type=Path, help="the file (default: STUDENT.json)")
    given = parser.parse_args(arguments)
    try:
        every = [one for path in given.notebooks for one in in_notebook(path)]
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    found = [one for one in every if not is_untouched(one)]
    for one in every:
        if one not in found:
            print(
                f"○ {one.lesson} {one.exercise}: {one.function} is as the lesson has it"
            )
    if not found:
        print("No answers: no cell calls check(…) on your function.", file=sys.stderr)
        return 1
    verdicts = [said_of(i, one) for i, one in enumerate(found)]
    plain = "".join(c if c.isalnum() or c in "-_." else "_" for c in given.student)
    to = given.to or Path(f"{plain}.json")
    text = json.dumps(
        as_file(given.student, found, verdicts), indent=1, ensure_ascii=False
    )
    to.write_text(text + "\n", encoding="utf-8")
    for one, said in zip(found, verdicts, strict=True):
        mark = "✓" if said["passed"] else "✗" if said["findings"] else "○"
        print(mark, one.lesson, one.exercise, *said["findings"])
    for line in refused(found, verdicts):
        print(line)
    print(
        f"Hand in {to}: {counted(len(found), 'answer')}, {len(text.encode()):,} bytes."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
