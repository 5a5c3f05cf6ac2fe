"""The exercise that CONTRIBUTING shows from start to end works as it stands there."""

import importlib.util
import re
from pathlib import Path

import numpy as np

from attncourse.practice import EXERCISES
from tests.attncourse.practice.answers import ANSWERS
from tests.attncourse.practice.judging import assert_found, assert_passes

NAME = "row_lengths"
TEXT = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_an_exercise_from_start_to_end(tmp_path, monkeypatch):
    section = TEXT.partition("\n## Add an exercise\n")[2].partition("\n## ")[0]
    module, table, answers = re.findall(r"```\w+\n(.*?)```", section, re.DOTALL)
    (tmp_path / f"{NAME}.mistakes").write_text(table, encoding="utf-8")
    (tmp_path / f"{NAME}.py").write_text(module, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(NAME, tmp_path / f"{NAME}.py")
    spec.loader.exec_module(made := importlib.util.module_from_spec(spec))
    (exercise,) = made.EXERCISES
    monkeypatch.setitem(EXERCISES, NAME, exercise)
    monkeypatch.setitem(ANSWERS, NAME, [])
    exec(answers, {"__name__": NAME})
    for codes, answer in ANSWERS[NAME]:
        if codes:
            assert_found(NAME, codes, answer)
        else:
            assert_passes(NAME, answer)
    named = {code for codes, _ in ANSWERS[NAME] for code in codes}
    assert named == {one.code for one in exercise.mistakes}
    for case in exercise.draw(np.random.default_rng(0)):
        for one in exercise.mistakes:
            assert exercise.mistaken(case, one.steps)
    lines = sum(text.count("\n") for text in (module, table, answers))
    assert lines <= 200
