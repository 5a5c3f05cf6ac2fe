"""The README: what it shows is done, word by word."""

import re
import sys
from pathlib import Path

import regression
from regression import FIT_LINE

import named_mistakes
from named_mistakes.checking import check

README = Path(named_mistakes.__file__).with_name("README.md").read_text("utf-8")
EXERCISE, TABLE, CELL = re.findall(r"```(?:python|text)\n(.*?)```", README, re.DOTALL)


def test_its_exercise_works_as_it_stands(tmp_path, monkeypatch, capsys):
    (tmp_path / "slope.py").write_text(EXERCISE, encoding="utf-8")
    (tmp_path / "slope.mistakes").write_text(TABLE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    exec(CELL, {})
    said = capsys.readouterr().out
    assert said.startswith("✗ slope: not yet.\n  not-centered: ")
    slope = sys.modules.pop("slope").SLOPE
    assert check(slope, lambda x, y: slope.reference(x, y)).passed
    by_count = check(slope, lambda x, y: (x - x.mean()) @ y / len(x))
    assert [finding.code for finding in by_count.findings] == ["divided-by-the-count"]


def test_the_verdict_that_it_quotes_is_what_is_said():
    def not_centered(x, y):
        slope = (x * y).sum() / (x**2).sum()
        return slope, y.mean() - slope * x.mean()

    quoted = re.findall(r"^> (.*)", README, re.MULTILINE)
    said = repr(check(FIT_LINE, not_centered, seed=1))
    assert " ".join(quoted).replace("`", "").split() == said.split()


def test_it_counts_the_mistakes_of_the_example():
    exercises = [getattr(regression, name) for name in regression.__all__]
    assert f"{sum(len(one.mistakes) for one in exercises)} mistakes" in README
