"""The shut-in process: runs every answer of one file, one after the other.

It prints a line of JSON when an answer begins and one when it has been judged. An
answer shares this process with what judges it, and could print such lines itself. So
they carry what the answer gave for inputs of the grader's choosing, and the grader
compares these numbers in its own process (`regrade`).
"""

import base64
import json
import linecache
import math
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import attnlib
from attncourse.practice.catalogue import named
from attncourse.teach.borrowed import Watched
from attncourse.teach.limits import shut_in, tried
from named_mistakes.checking import verdict
from named_mistakes.exercise import Case
from named_mistakes.formula import read_formulas
from named_mistakes.limit import LINES, LineBudget, NeverEnds, count_as_library, limited
from named_mistakes.report import Finding, Report
from named_mistakes.runner import run_all

GIVEN = {
    "np": np,
    "numpy": np,
    "math": math,
    **{name: getattr(attnlib, name) for name in attnlib.__all__},
}
# Imports that answers make: here before the door is shut.
USUAL = "collections dataclasses fractions functools itertools operator random typing"
TOLD = 5  # findings
FAILS = "does-not-run"


def main(task: str, folder: str) -> None:
    """Judge the answers of a task, a JSON file, and print what came of each."""
    with open(task, encoding="utf-8") as file:
        work = json.load(file)
    # Lines of ours are none of the answer's.
    count_as_library(os.path.dirname(__file__))
    _warm_up()
    for name in work["cases"]:
        read_formulas(named(name))
    tell = _line_by_line()
    tell({"walls": shut_in(folder, work["seconds"], work["memory"])})
    for answer in work["answers"]:
        tell({"began": answer["index"]})
        cases = [_case(one) for one in work["cases"][answer["exercise"]]]
        tell({"index": answer["index"], **judged(answer, cases)})


def _line_by_line() -> Callable[[dict], None]:
    """Return a way to print that an answer's own printing does not mix with."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")

    def tell(what: dict) -> None:
        out.write("\n" + json.dumps(what) + "\n")
        out.flush()

    return tell


def _warm_up() -> None:
    """Import all that a verdict may need: later there are no files."""
    for module in USUAL.split():
        __import__(module)
    rng = np.random.default_rng(0)
    for wrong in ("def f(x):\n    return x.nothing", "def f(x):\n    return x[0"):
        for name in ("softmax", "causal_mask"):
            judged({"index": -1, "exercise": name, "function": "f", "source": wrong})
    verdict(named("softmax"), lambda x: np.exp(x) / np.exp(x).sum(), rng)
    tried.clear()


def judged(answer: dict, cases: list[Case] | None = None) -> dict[str, Any]:
    """Say what is wrong with one answer, and what it gives for the grader's cases."""
    before, exercise = len(tried), named(answer["exercise"])
    given, by = None, ""
    try:
        function = _function(answer)
        report = verdict(exercise, function, np.random.default_rng())
        if report.passed and cases:
            watched = Watched(function, exercise)
            given = [_encoded(x.values) for x in run_all(exercise, watched, cases)]
            by = watched.by
    except (Exception, SystemExit, NeverEnds) as error:
        said = f"{type(error).__name__}: {str(error)[:200]}"
        report = Report(exercise.name, False, (Finding(FAILS, said),))
    return {
        "passed": report.passed,
        "findings": [[x.code, x.message[:1000]] for x in report.findings[:TOLD]],
        "given": given,
        "by": by,
        "tried": list(dict.fromkeys(tried[before:])),
    }


def _function(answer: dict) -> Any:
    """Run an answer's text, and return the function that it defines."""
    name, text = f"<answer {answer['index']}>", answer["source"]
    lines = text.splitlines(keepends=True)
    linecache.cache[name] = (len(text), None, lines, name)
    space = {**GIVEN, "__name__": "answer"}
    limited(exec, compile(text, name, "exec"), space, budget=LineBudget(LINES))
    if answer["function"] not in space:
        raise NameError(f"the answer defines no {answer['function']}")
    return space[answer["function"]]


def _case(one: dict) -> Case:
    inputs = {name: _given(x) for name, x in one["inputs"].items()}
    return Case(one["label"], inputs, is_large=one["is_large"])


def _given(x: Any) -> Any:
    """Read an input: an array, or what JSON holds as it is, such as a configuration."""
    return decoded(x) if isinstance(x, dict) and "dtype" in x else x


def _encoded(values: tuple[np.ndarray, ...] | None) -> list | None:
    return None if values is None else [encoded(x) for x in values]


def encoded(x: Any) -> Any:
    """Write an array as JSON; leave a number, None or a dict of such as it is."""
    if not isinstance(x, np.ndarray | np.generic):
        return x
    data = base64.b64encode(np.ascontiguousarray(x).tobytes()).decode()
    return {"dtype": str(x.dtype), "shape": list(x.shape), "data": data}


DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8"),
    *("float16", "float32", "float64", "complex128"),
)
LARGEST = 8 * 2**20  # bytes of one array


def decoded(x: Any) -> Any:
    """Read an array again; refuse what is none, whoever wrote it."""
    if not isinstance(x, dict):
        return x
    if x["dtype"] not in DTYPES or len(x["data"]) > LARGEST:
        raise ValueError(f"no array of {str(x['dtype'])[:20]} is expected")
    array = np.frombuffer(base64.b64decode(x["data"]), x["dtype"])
    return array.reshape([int(n) for n in x["shape"]]).copy()


if __name__ == "__main__":
    main(*sys.argv[1:])
