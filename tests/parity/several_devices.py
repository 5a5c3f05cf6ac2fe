"""Attention on PyTorch, on JAX, and on JAX arrays spread over four devices."""

from functools import partial

import jax
import numpy as np
import torch
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from attnlib import blockwise_attention, scaled_dot_product_attention

EXCHANGES = ("all-gather", "all-reduce", "all-to-all", "collective-permute")


def main():
    jax.config.update("jax_num_cpu_devices", 4)  # the processor plays four devices
    rng, mesh = np.random.default_rng(0), Mesh(jax.devices(), ("device",))
    arrays = [rng.normal(size=(8, 4, 64, 32)).astype(np.float32) for _ in range(3)]
    for function in (scaled_dot_product_attention, blockwise_attention):
        attend = partial(function, is_causal=True)
        same = partial(np.testing.assert_allclose, desired=attend(*arrays), atol=1e-5)
        for xp in (torch, jax.numpy):
            same(attend(*map(xp.asarray, arrays)))
            print(f"{function.__name__} on {xp.__name__}: the numbers of NumPy")
        for i, name in enumerate(("sequences", "heads", "tokens", "features")):
            layout = PartitionSpec(*[None] * i, "device")
            placed = jax.device_put(arrays, NamedSharding(mesh, layout))
            # What each device computes and what they exchange, XLA works out by itself.
            program = jax.jit(attend).lower(*placed).compile()
            same(output := program(*placed))
            assert len(output.sharding.device_set) == 4
            share = output.addressable_shards[0].data.shape
            text = program.as_text()
            exchanged = [e for e in EXCHANGES if f" {e}(" in text] or ["nothing"]
            print(f"  4 devices share the {name}: {share} each, exchange", *exchanged)


if __name__ == "__main__":
    main()
