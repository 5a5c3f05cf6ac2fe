"""Generation: a decoder continues a sequence, one token at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import join, to_numpy
from attnlib._types import A, ArrayLike, Int
from attnlib.cache import KVCache
from attnlib.decoder import Decoder
from attnlib.embeddings import find_ids
from attnlib.sampling import check_choice, probabilities_of, sample


def generate(
    decoder: Decoder,
    ids: Int[ArrayLike[A], "... n_tokens"],
    n_new: int,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    rng: np.random.Generator | None = None,
) -> Any:
    """Continue a sequence: choose a token, append it, and ask the decoder again.

    Keys and values are cached, so that the decoder processes every token once.

    Parameters
    ----------
    decoder : Decoder
    ids : array of int, (..., n_tokens)
        The sequences to continue.
    n_new : int
        How many tokens to append.
    temperature : number
        Divides the logits. 0 chooses the most likely token every time; 1 samples from
        the decoder's own probabilities.
    top_k : int, optional
        Sample from the top_k most likely tokens only.
    top_p : number, optional
        Above 0, at most 1: sample from the fewest most likely tokens that together
        have at least this probability, up to rounding.
    rng : numpy.random.Generator, optional
        A new one by default.

    Returns
    -------
    array of int, (..., n_tokens + n_new)
        The given ids and the new ones.

    Raises
    ------
    ValueError
        If an id is not in the vocabulary, temperature is negative, top_k is less than
        1, or top_p is not above 0 and at most 1.

    Examples
    --------
    >>> import numpy as np
    >>> decoder = Decoder.random(2, 20, 12, 3, 48, rng=np.random.default_rng(0))
    >>> generate(decoder, [[3, 1, 4], [1, 5, 9]], 2, temperature=0).shape
    (2, 5)

    References
    ----------
    Fan et al. (2018), Hierarchical Neural Story Generation, section 5.1, for top_k.
    Holtzman et al. (2020), The Curious Case of Neural Text Degeneration, section 3.1,
    for top_p.
    """
    operation = "generate"
    check.kind(operation, "decoder", Decoder, decoder)
    n_new = check.count(operation, "n_new", n_new, minimum=0)
    choice = check_choice(operation, temperature, top_k, top_p)
    rng = np.random.default_rng() if rng is None else rng
    check.generator(operation, rng)
    _, ids = find_ids(operation, decoder.embedding, ids)
    caches, new = [KVCache() for _ in decoder.layers], ids
    found = [to_numpy(ids)]
    for _ in range(n_new):
        logits = decoder(new, caches=caches)[..., -1, :]
        probabilities = probabilities_of(np.asarray(to_numpy(logits), float), *choice)
        found.append(sample(probabilities, rng)[..., None])
        new = join(operation, found[-1], ids)
    return join(operation, np.concatenate(found, axis=-1), ids)
