"""What else holds for attention_gradient, beside its answers."""

import numpy as np
import pytest

from attncourse.practice import check

pytestmark = [pytest.mark.slow, pytest.mark.long]


def differences(loss, x, step=1e-6):
    """Central differences, one number at a time, in plain Python."""
    gradient = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        sides = []
        for sign in (1, -1):
            moved = x.copy()
            moved[at] += sign * step
            sides.append(loss(moved))
        gradient[at] = (sides[0] - sides[1]) / (2 * step)
    return gradient


def plain_attention(query, key, value):
    """Attention of one sentence with loops alone."""
    output = []
    for q in query:
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) for k in key]
        scaled = [s / len(q) ** 0.5 for s in scores]
        powers = [np.exp(s - max(scaled)) for s in scaled]
        weights = [p / sum(powers) for p in powers]
        columns = zip(*value, strict=True)
        output.append(
            [sum(w * v for w, v in zip(weights, c, strict=True)) for c in columns]
        )
    return np.array(output)


def by_differences(query, key, value, grad_output):
    if query.ndim > 2:
        parts = [
            by_differences(*four)
            for four in zip(query, key, value, grad_output, strict=True)
        ]
        return tuple(np.stack(part) for part in zip(*parts, strict=True))
    three = [query, key, value]

    def loss_of(i):
        def loss(x):
            inputs = [x if j == i else three[j] for j in range(3)]
            return np.sum(plain_attention(*inputs) * grad_output)

        return loss

    return tuple(differences(loss_of(i), three[i]) for i in range(3))


def test_a_slow_right_answer_is_not_called_endless():
    report = check("attention_gradient", by_differences, seed=0)
    assert "never-ended" not in [finding.code for finding in report.findings]
