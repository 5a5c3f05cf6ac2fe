"""Right answers are graded right, whoever else is graded at the same time."""

import json
import time
from dataclasses import replace

import made_up_class
import pytest
from made_up_class import RIGHT

from attncourse.practice.catalogue import EXERCISES, named
from attncourse.teach import regrade
from attncourse.teach.class_of import grade
from attncourse.teach.worker import _case, encoded

FILES, TIMES, WORKERS = 200, 10, 8


def answered(task, limits, n_answers):
    """Print what a process would that runs right answers, and start none."""
    work, lines = json.loads(task), []
    for answer in work["answers"]:
        exercise = named(answer["exercise"])
        cases = [_case(one) for one in work["cases"][exercise.name]]
        given = [[encoded(x) for x in exercise.wanted(case)] for case in cases]
        lines.append({"index": answer["index"], "passed": True, "given": given})
    return lines, ""


def drawn_slowly(exercise):
    """Let other threads in while the inputs are drawn."""

    def draw(rng):
        time.sleep(0.002)
        return exercise.draw(rng)

    return replace(exercise, draw=draw)


@pytest.mark.slow
def test_two_thousand_right_answers_and_none_forged(tmp_path, monkeypatch):
    names = list(RIGHT)
    for name in names:
        monkeypatch.setitem(EXERCISES, name, drawn_slowly(EXERCISES[name]))
    monkeypatch.setattr(regrade, "_printed", answered)
    for i in range(FILES):
        name = names[i % len(names)]
        one = made_up_class.answer(name, RIGHT[name])
        made_up_class.put(tmp_path, f"student{i:03}", [one])
    graded = [grade(tmp_path, workers=WORKERS) for _ in range(TIMES)]
    states = [one.state for of in graded for x in of.files for one in x.run.graded]
    assert states == ["right"] * FILES * TIMES
