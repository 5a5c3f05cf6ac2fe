"""When an answer is run again: on other draws, on other numbers, in changed copies."""

import builtins
import pathlib
import sys
import time

import numpy as np
import pytest

from named_mistakes import limit, near_miss
from named_mistakes.answer import Answer
from named_mistakes.effects import has_effects
from tests.named_mistakes.toys import check, softmax

pytestmark = pytest.mark.slow

SEEN = []


def kept(x):
    SEEN.append(x.shape)
    return x / x.sum(axis=0)


def counted(x):
    global SEEN
    SEEN = [*SEEN, 1]
    return softmax(x)


def stored(x):
    np.save("x.npy", x)
    return softmax(x)


def opened(x):
    with builtins.open("x.txt", "w") as file:
        file.write("x")
    return softmax(x)


def fetched(x):
    import urllib.request

    urllib.request.urlopen("http://example.org")
    return softmax(x)


def helped(x):
    return kept(x)


def touched(x):
    pathlib.Path("x").touch()
    return softmax(x)


@pytest.mark.parametrize(
    "answer", [kept, counted, stored, opened, fetched, helped, touched]
)
def test_what_does_more_than_compute_is_known(answer):
    assert has_effects(Answer(answer))


def printing(x):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        print(row)
        rows.append(np.exp(row - row.max()))
    rows = np.insert(np.array(rows), 0, 0, axis=0)[1:]
    return softmax(x) + 0 * softmax(x)


@pytest.mark.parametrize("answer", [softmax, printing])
def test_what_only_computes_and_prints_is_known(answer):
    assert not has_effects(Answer(answer))


CALLS = []


def half_of(query, key, value):
    CALLS.append(1)
    return softmax(query @ key.mT / 3) @ value


def half(query, key, value):
    print("looked")
    return softmax(query @ key.mT / 3) @ value


def test_changed_copies_of_an_answer_that_keeps_things_are_not_run(monkeypatch):
    made = []
    whole = near_miss.compiled
    monkeypatch.setattr(near_miss, "compiled", lambda *a: made.append(1) or whole(*a))
    CALLS.clear()
    check("attention", half_of, seed=0)
    assert CALLS
    assert not made
    (finding,) = check("attention", half, seed=0).findings
    assert made
    assert finding.code == "constant-number"


def test_copies_do_not_print(capsys):
    report = check("attention", half, seed=0)
    assert report.printed.endswith("\nlooked")
    assert capsys.readouterr().out.count("looked") == 1


def test_a_number_written_down_is_quoted():
    (finding,) = check("attention", half, seed=0).findings
    assert "`query @ key.mT / 3`" in finding.message
    assert "3 stands there whatever the inputs are" in finding.message


CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")


class Clock:
    """Every clock there is: each look at it costs so many seconds."""

    def __init__(self, monkeypatch, seconds):
        self.seconds, self.looks = seconds, 0
        own = [
            m for name, m in sys.modules.items() if name.startswith("named_mistakes")
        ]
        for name in CLOCKS:
            real = getattr(time, name)
            ns = getattr(time, f"{name}_ns")
            for module in (time, *own):
                for key, value in list(vars(module).items()):
                    if value is real:
                        monkeypatch.setattr(module, key, self.look)
                    if value is ns:
                        monkeypatch.setattr(module, key, lambda: int(1e9 * self.look()))

    def look(self):
        self.looks += 1
        return self.looks * self.seconds


def test_no_clock_decides(monkeypatch):
    """Of hours that pass during a check nothing is said, nor of no time at all.

    But one call may not go on for ever, and how often it looks at the clock depends on
    what Python has imported: here that limit looks, and lets all pass.
    """
    said = check("attention", half, seed=0).findings
    assert [finding.code for finding in said] == ["constant-number"]  # of many copies
    with monkeypatch.context() as patch:
        clock = Clock(patch, 0.05)
        patch.setattr(limit, "_check_time", lambda _deadline: time.perf_counter())
        assert check("attention", half, seed=0).findings == said
        assert clock.look() > 60
    with monkeypatch.context() as patch:
        Clock(patch, 0.0)
        assert check("attention", half, seed=0).findings == said


def test_what_one_copy_may_run_is_counted(monkeypatch):
    monkeypatch.setattr(near_miss, "LINES", 3)
    assert [f.code for f in check("attention", half, seed=0).findings] == [
        "wrong-numbers"
    ]


def shares_by_place(query, key, value):
    n = key.shape[-2]
    shares = np.broadcast_to(np.arange(1, 1 + n), (*query.shape[:-1], n))
    return 2 * shares / (n * n + n) @ value


def test_inputs_that_make_no_difference_are_named():
    for seed in range(3):
        (finding,) = check("attention", shares_by_place, seed=seed).findings
        assert finding.code == "input-ignored"
        assert "whatever numbers query and key hold" in finding.message


def test_two_mistakes_at_once_are_not_said_of_each_alone():
    def both(query, key, value):
        return softmax(-(query @ key.mT)) @ value

    first, second = check("attention", both, seed=0).findings
    assert {first.code, second.code} == {"missing-scale", "sign-flipped"}
    assert "exactly what you get from two mistakes at once. One is" in first.message
    assert second.message.startswith("The other is")


def test_a_crash_that_follows_from_a_mistake_is_not_said_again():
    def not_turned(query, key, value):
        return softmax(query @ key / query.shape[-1] ** 0.5) @ value

    (finding,) = check("attention", not_turned, seed=0).findings
    assert finding.code == "key-not-transposed"
