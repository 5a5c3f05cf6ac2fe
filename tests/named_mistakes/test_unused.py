"""What is certain from the text of an answer: a result that nobody takes."""

import numpy as np
import pytest

from tests.named_mistakes.toys import check


def exponentials_dropped(x):
    np.exp(x)
    return x / x.sum(-1, keepdims=True)


def copy_dropped(x):
    x.clip(0, 1)
    return x


@pytest.mark.parametrize(
    ("answer", "quoted"),
    [(exponentials_dropped, "`np.exp(x)`"), (copy_dropped, "`x.clip(0, 1)`")],
)
def test_a_new_array_that_is_dropped(answer, quoted):
    findings = {one.code: one.message for one in check("softmax", answer).findings}
    line = answer.__code__.co_firstlineno + 1
    assert findings["result-unused"].startswith(f"Line {line}, {quoted}, has no effect")


def in_place(x):
    np.subtract(x, 1, out=(out := x.copy()))
    out.fill(0.5)
    return out


def test_what_is_called_for_its_effect_is_not():
    codes = [one.code for one in check("softmax", in_place).findings]
    assert codes
    assert "result-unused" not in codes
