"""Every right answer passes, and every wrong one is named; `answers` has them."""

import importlib
from pathlib import Path

import pytest

from attncourse.practice import EXERCISES
from named_mistakes import check
from tests.attncourse.practice import answers
from tests.attncourse.practice.judging import kept

for file in sorted(Path(answers.__file__).parent.glob("[!_]*.py")):
    importlib.import_module(f"{answers.__name__}.{file.stem}")


def tried():
    """Yield all answers; `make quick` has every fourth mistake once, and the right."""
    for name, several in answers.ANSWERS.items():
        seen = set()
        for i, (codes, answer, says, seeds) in enumerate(several):
            told = getattr(answer, "__name__", "made").strip("<>")
            expected = "+".join(codes) or "right"
            again = len(codes) > 1 or (codes and expected in seen)
            seen.add(expected)
            left_out = again or (codes and len(seen) % 4)
            marks = [pytest.mark.slow] if left_out else []
            label = f"{name}-{i}-{expected}-{told}"
            how = name, codes, answer, says, seeds or (i % 2,)
            yield pytest.param(*how, id=label, marks=marks)


@pytest.mark.parametrize(("name", "codes", "answer", "says", "seeds"), [*tried()])
def test_answer(name, codes, answer, says, seeds):
    for seed in seeds:
        report = check(kept(name), answer, seed=seed)
        assert {finding.code for finding in report.findings} == {*codes}, report
        assert report.passed == (not codes)
        assert says in repr(report)


def test_each_exercise_has_right_and_wrong_answers():
    assert set(answers.ANSWERS) == set(EXERCISES)
    for name in EXERCISES:
        kinds = {bool(codes) for codes, *_ in answers.ANSWERS[name]}
        assert kinds == {True, False}, name
