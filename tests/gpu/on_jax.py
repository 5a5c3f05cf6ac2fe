"""JAX in 64 bits; its arrays lie on the GPU where there is one.

On a GPU, JAX multiplies float32 with 10 bits behind the point unless told otherwise.
"""

import jax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")

from jax.numpy import *  # noqa: E402, F403
