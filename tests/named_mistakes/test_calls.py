"""A call is kept from raising, going on for ever, printing, changing inputs."""

import os
import sys
import time

import numpy as np
import pytest

from named_mistakes import check, runner
from tests.named_mistakes.half import HALF, half, said

pytestmark = pytest.mark.long


def test_crash_in_a_helper_names_the_line_of_the_helper():
    def helper(x):
        return np.linalg.inv(x)

    def answer(x):
        return helper(x)

    (finding,) = [f for f in check(HALF, answer).findings if f.code == "crashed"]
    assert "LinAlgError" in finding.message
    assert "`return np.linalg.inv(x)`" in finding.message


def test_interrupt_gets_out():
    def answer(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(HALF, answer)
    assert sys.gettrace() is None or "limit" not in repr(sys.gettrace())


def test_changed_by_a_learners_own_shortcut():
    def answer(x):
        x /= 2
        return x

    assert said(answer) == ["inputs-changed"]


def forever(*_):
    while True:
        pass


def forever_on_one_line(*_):
    while True: pass  # noqa: E701  # fmt: skip


def forever_in_a_helper(*_):
    def helper():
        n = 0
        while n < 1:
            n -= 1

    helper()


def forever_catching(*_):
    while True:
        try:
            1 / 0  # noqa: B018
        except Exception:
            continue


def forever_in_a_generator(*_):
    return sum(1 for _ in iter(int, 1))


def forever_in_a_comprehension(*_):
    return [0 for _ in iter(int, 1) if False]


def forever_printing(*_):
    while True:
        print("still here")


def forever_with_arrays(*inputs):
    x = np.ones((3, 3))
    while not np.all(x < 0):
        x = x @ x / 3


FOREVER = [
    forever,
    forever_on_one_line,
    forever_in_a_helper,
    forever_catching,
    forever_in_a_generator,
    forever_in_a_comprehension,
    forever_printing,
    forever_with_arrays,
]


@pytest.mark.parametrize("answer", FOREVER)
def test_never_ended(answer, capsys, monkeypatch):
    """Small limits stop each of them as the real ones would."""
    monkeypatch.setattr(runner, "LINES", 10_000)
    monkeypatch.setattr(runner, "SECONDS", 0.5)
    assert said(answer) == ["never-ended"]
    assert capsys.readouterr().out.count("still here") <= 12  # in the verdict alone


def test_never_ended_within_the_real_limit():
    assert said(forever) == ["never-ended"]


def test_slow_lines_end_too(monkeypatch):
    """Where lines are few, the clock decides; here it runs fast."""
    clock = iter(range(10**9))
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    report = check(HALF, forever_with_arrays)
    assert report.findings[0].code == "never-ended"
    assert next(clock) < 100


def test_tracing_is_restored():
    def tracer(*_):
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        for answer in (half, forever, lambda x: 1 / 0, lambda x: None):
            check(HALF, answer)
            assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


def test_warnings_and_prints_are_muted(capsys):
    def answer(x):
        print("in between")
        np.log(-1.0)
        return half(x)

    assert check(HALF, answer).passed
    assert "in between" not in capsys.readouterr().out


def test_what_writes_past_print_is_not_caught(capfd):
    def answer(x):
        os.write(1, b"past print")
        return half(x)

    assert check(HALF, answer).passed
    assert "past print" in capfd.readouterr().out
