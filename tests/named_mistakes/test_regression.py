"""The example's exercises: twenty faulty answers, as learners write them, are named."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
import regression
from regression import FIT_LINE, GRADIENT_STEP

import named_mistakes
from named_mistakes import Case
from named_mistakes.checking import check, verdict

SEEDS = range(5)


def fit_with(slope=None, intercept=None):
    """Fit a line with one of its two formulas replaced."""

    def fit(x, y):
        m = slope(x, y) if slope else np.cov(x, y, ddof=0)[0, 1] / np.var(x)
        return m, intercept(x, y, m) if intercept else np.mean(y) - m * np.mean(x)

    return fit


def step_with(error="X @ w - y", gradient="2 / n * e @ X", after="w - rate * g"):
    """Step with one of its three lines replaced."""
    text = f"def step(X, y, w, rate):\n    n, d = X.shape\n    e = {error}\n"
    text += f"    g = {gradient}\n    return {after}\n"
    space = {"np": np}
    exec(text, space)
    return space["step"]


def by_loops(x, y):
    top = bottom = 0.0
    for a, b in zip(x, y, strict=True):
        top += (a - sum(x) / len(x)) * (b - sum(y) / len(y))
        bottom += (a - sum(x) / len(x)) ** 2
    return top / bottom, sum(y) / len(y) - top / bottom * sum(x) / len(x)


def by_matrices(x, y):
    table = np.column_stack([x, np.ones(len(x))])
    return tuple(np.linalg.solve(table.T @ table, table.T @ y))


def step_by_loops(features, target, weights, rate):
    new = weights.copy()
    for row, y in zip(features, target, strict=True):
        new -= rate * 2 * (sum(row * weights) - y) * row / len(target)
    return new


RIGHT = [
    (FIT_LINE, by_loops),
    (FIT_LINE, by_matrices),
    (FIT_LINE, fit_with()),
    (FIT_LINE, lambda x, y: list(np.linalg.lstsq(np.c_[x, 0 * x + 1], y)[0])),
    (GRADIENT_STEP, step_by_loops),
    (GRADIENT_STEP, step_with()),
    (GRADIENT_STEP, step_with("y - X @ w", after="w + rate * g")),
]
FAULTY_LINES = {
    "not-centered": fit_with(lambda x, y: x @ y / (x @ x)),
    "through-the-origin": lambda x, y: (np.dot(x, y) / np.dot(x, x), 0),
    "two-ways-to-divide": fit_with(lambda x, y: np.cov(x, y)[0, 1] / np.var(x)),
    "divided-by-y": fit_with(lambda x, y: np.cov(x, y)[0, 1] / np.var(y, ddof=1)),
    "upside-down": fit_with(lambda x, y: np.var(x, ddof=1) / np.cov(x, y)[0, 1]),
    "correlation": fit_with(lambda x, y: np.corrcoef(x, y)[0, 1]),
    "mean-of-ratios": fit_with(
        lambda x, y: np.mean((y - y.mean()) / (x - x.mean())),
    ),
    "two-points-only": fit_with(lambda x, y: (y[-1] - y[0]) / (x[-1] - x[0])),
    "x-and-y-exchanged": lambda x, y: tuple(np.polyfit(y, x, 1)),
    "intercept-sign": fit_with(intercept=lambda x, y, m: m * x.mean() + y.mean()),
    "slope-forgotten": fit_with(intercept=lambda x, y, m: y.mean()),
    "order-swapped": lambda x, y: tuple(np.polynomial.polynomial.polyfit(x, y, 1)),
}
FAULTY_STEPS = {
    "uphill": step_with("y - X @ w"),
    "two-forgotten": step_with(gradient="X.T @ e / n"),
    "sum-for-mean": step_with(gradient="2 * (X.T @ e)"),
    "divided-by-columns": step_with(gradient="2 * X.T @ e / d"),
    "error-squared": step_with("(X @ w - y) ** 2"),
    "rate-forgotten": step_with(after="w - g"),
    "gradient-returned": step_with(after="g"),
    "features-forgotten": step_with(gradient="2 * e.mean() * np.ones(d)"),
}
FAULTY = [
    *((FIT_LINE, code, function) for code, function in FAULTY_LINES.items()),
    *((GRADIENT_STEP, code, function) for code, function in FAULTY_STEPS.items()),
]


@pytest.mark.parametrize(("exercise", "answer"), RIGHT)
def test_right_answers_pass(exercise, answer):
    for seed in SEEDS:
        report = verdict(exercise, answer, np.random.default_rng(seed))
        assert report.passed, report


@pytest.mark.parametrize(("exercise", "code", "answer"), FAULTY)
def test_faulty_answers_are_named(exercise, code, answer):
    for seed in SEEDS:
        report = verdict(exercise, answer, np.random.default_rng(seed))
        assert [finding.code for finding in report.findings] == [code], report


@pytest.mark.parametrize("exercise", [FIT_LINE, GRADIENT_STEP])
def test_every_line_of_the_tables_names_itself(exercise):
    names = list(exercise.draw(np.random.default_rng(0))[0].inputs)
    for mistake in exercise.mistakes:

        def answer(*inputs, steps=mistake.steps):
            case = Case("", dict(zip(names, inputs, strict=True)))
            several = exercise.mistaken(case, steps)
            return several if len(several) > 1 else several[0]

        report = verdict(exercise, answer, np.random.default_rng(0))
        assert [finding.code for finding in report.findings] == [mistake.code], report


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
