"""Run the answers of a file again, in a process apart, and believe only numbers.

What the process prints is a claim. An answer counts as right if the arrays that it gave
for inputs drawn here, from a seed that it cannot know, are the right ones; they are
compared in this process, which runs no line of any answer. Who grades a class in
several threads draws the inputs once, before the first of them begins.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attncourse.practice.catalogue import EXERCISES, named
from attncourse.teach.grade import Asked, drawn
from attncourse.teach.handed_in import Answer
from attncourse.teach.worker import decoded
from named_mistakes.compare import judge
from named_mistakes.exercise import Case
from named_mistakes.runner import Outcome

RUNS = 4  # an answer that is stopped costs the process; the next ones get a new one
LATE = "It was stopped"
QUIET = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}


@dataclass(frozen=True)
class Limits:
    """What one file may cost."""

    seconds: int = 20
    seconds_each: int = 2
    memory: int = 2**30


@dataclass
class Graded:
    """What became of one answer.

    Parameters
    ----------
    answer : Answer
    state : str
        "right", "wrong", "open" (nothing written), "stopped" (time, memory or worse),
        "forged" (said to pass, but the numbers are not right), "unknown" (no such
        exercise) or "not run".
    findings : list of (code, message)
    tried : list of str
        What it tried and was refused: files, sockets, processes, imports.
    by : str
        The function of the library that did the work of a right answer, if one did.
    """

    answer: Answer
    state: str = "not run"
    findings: list[tuple[str, str]] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    by: str = ""


@dataclass
class Run:
    """All answers of a file, and the walls that stood around them."""

    graded: list[Graded]
    walls: list[str] = field(default_factory=list)


def regrade(
    answers: tuple[Answer, ...],
    limits: Limits | None = None,
    asked: dict[str, Asked] | None = None,
) -> Run:
    """Run every answer of one file again; a hostile one costs at most this file.

    Parameters
    ----------
    answers : tuple of Answer
    limits : Limits, optional
    asked : dict of str to Asked, optional
        What the whole class is judged by, from `drawn`. Without it, it is drawn here.
    """
    limits = limits or Limits()
    asked = drawn(one.exercise for one in answers) if asked is None else asked
    run = Run([Graded(one) for one in answers])
    for one in run.graded:
        if one.answer.exercise not in EXERCISES:
            one.state = "unknown"
    for _ in range(RUNS):
        left = {i: x for i, x in enumerate(run.graded) if x.state == "not run"}
        if not left:
            break
        _run_once(run, left, limits, asked)
    return run


def _run_once(
    run: Run, left: dict[int, Graded], limits: Limits, asked: dict[str, Asked]
) -> None:
    began = None
    lines, ended = _printed(_task(left, limits, asked), limits, len(left))
    for line in lines:
        run.walls = run.walls or _texts(line.get("walls"))
        began = line["began"] if line.get("began") in left else began
        one = left.get(line["index"]) if _is_index(line.get("index")) else None
        if one and one.state == "not run":
            _note(one, line, asked[one.answer.exercise])
    stopped = left.get(began) if began is not None else None
    if stopped is None or stopped.state != "not run":
        return
    if ended.startswith(LATE) and began != next(iter(left)):
        return  # others may have used up the time: it begins the next run
    stopped.state, stopped.findings = "stopped", [("stopped", ended)]


def _is_index(x: Any) -> bool:
    return isinstance(x, int)


def _texts(x: Any) -> list[str]:
    return [str(one)[:200] for one in x[:20]] if isinstance(x, list) else []


def _task(left: dict[int, Graded], limits: Limits, asked: dict[str, Asked]) -> str:
    names = {one.answer.exercise for one in left.values()}
    return json.dumps(
        {
            "seconds": limits.seconds + limits.seconds_each * len(left),
            "memory": limits.memory,
            "cases": {name: asked[name].sent for name in names},
            "answers": [
                {
                    "index": i,
                    "exercise": one.answer.exercise,
                    "function": one.answer.function,
                    "source": one.answer.source,
                }
                for i, one in left.items()
            ],
        }
    )


def _printed(task: str, limits: Limits, n_answers: int) -> tuple[list[dict], str]:
    """Run the process; return the lines that it printed, and how it ended."""
    own = Path(tempfile.mkdtemp(prefix="grade-"))
    try:
        own.chmod(0o755)
        empty, out = own / "empty", own / "out"
        empty.mkdir(mode=0o755)
        (own / "task.json").write_text(task, encoding="utf-8")
        with out.open("wb") as file:
            ended = _waited(
                own, empty, file, limits.seconds + limits.seconds_each * n_answers
            )
        return _lines(out), ended
    finally:
        shutil.rmtree(own, ignore_errors=True)


def _waited(own: Path, empty: Path, out: Any, seconds: int) -> str:
    start = (
        f"import sys; sys.path[:0] = {sys.path!r}; "
        "from attncourse.teach.worker import main; main(*sys.argv[1:])"
    )
    process = subprocess.Popen(
        [sys.executable, "-I", "-B", "-c", start, str(own / "task.json"), str(empty)],
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.DEVNULL,
        cwd=empty,
        env={**QUIET, "PATH": os.defpath},
        start_new_session=True,
    )
    try:
        code = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        code = None
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if code is None or code == -signal.SIGXCPU:
        return f"{LATE}: {seconds} seconds are over."
    return f"It ended the process that ran it (exit status {code})."


def _lines(path: Path) -> list[dict]:
    """Read the lines that are JSON objects; an answer may have printed anything."""
    lines = []
    for text in path.read_bytes().split(b"\n"):
        if text.startswith(b"{"):
            with contextlib.suppress(ValueError, RecursionError):
                line = json.loads(text)
                lines += [line] if isinstance(line, dict) else []
    return lines


def _note(one: Graded, line: dict, asked: Asked) -> None:
    found = line.get("findings")
    one.tried = _texts(line.get("tried"))
    one.findings = [
        (str(code)[:60], str(message)[:1000])
        for code, message in (found if isinstance(found, list) else [])[:5]
    ]
    if line.get("passed") is not True:
        one.state = "wrong" if one.findings else "open"
    elif _confirmed(one.answer.exercise, asked.cases, line.get("given")):
        one.state, one.by = "right", str(line.get("by", ""))[:100]
    else:
        one.state = "forged"
        one.findings = [("forged", "Said to be right, but its numbers are not.")]


def _confirmed(name: str, cases: tuple[Case, ...], given: Any) -> bool:
    """Compare what an answer gave for our cases with what is right."""
    exercise = named(name)
    try:
        for case, values in zip(cases, given, strict=True):
            arrays = tuple(decoded(x) for x in values)
            if len(arrays) != len(exercise.returns):
                return False
            if not judge(exercise, Outcome(case, arrays)).right:
                return False
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        return False
    return True
