"""The script that shares attention among four devices, and the output recorded."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
# Seven tokens cannot be shared by four devices, so a mask cannot lie as its inputs do.
AS_THEY_COME = """
import jax, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from attnlib import padding_mask, scaled_dot_product_attention as attend

jax.config.update("jax_num_cpu_devices", 4)
mesh = Mesh(jax.devices(), ("device",))
x = np.random.default_rng(0).normal(size=(8, 7, 5)).astype(np.float32)
placed = jax.device_put(x, NamedSharding(mesh, PartitionSpec("device")))
some = padding_mask([7, 6, 5, 4, 3, 2, 1, 0], 7)
for how in ({"is_causal": True}, {"mask": some}):
    got = attend(placed, placed, placed, **how)
    assert len(got.sharding.device_set) == 4
    np.testing.assert_allclose(got, attend(x, x, x, **how), atol=1e-5)
"""


def run(*arguments):
    # In a process of its own: once JAX has counted the devices, their number stands.
    here = {**os.environ, "PYTHONPATH": str(HERE.parent.parent)}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_prints_what_is_recorded():
    recorded = (HERE / "several_devices.txt").read_text()
    assert run(HERE / "several_devices.py") == recorded


def test_without_compiling_too():
    run("-c", AS_THEY_COME)
