"""Generation: a decoder continues a sequence, one token at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import join, to_numpy
from attnlib._checks import require
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
        The sequences to continue. A list of lists may have rows of different lengths.
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
        The given ids and the new ones; for rows of different lengths, a list of lists.

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
    lengths = _ragged_lengths(ids)
    if lengths is None:
        return _continue(decoder, ids, n_new, None, choice, rng)
    rule = "every row must have at least one token"
    require(min(lengths) > 0, operation, rule, lengths=lengths)
    n_padding = [max(lengths) - length for length in lengths]
    lists: Any = ids
    padded = [[row[0]] * n + [*row] for row, n in zip(lists, n_padding, strict=True)]
    rows = _continue(decoder, padded, n_new, np.asarray(n_padding), choice, rng)
    rows = to_numpy(rows).tolist()
    return [row[n:] for row, n in zip(rows, n_padding, strict=True)]


def _continue(
    decoder: Decoder,
    ids: Any,
    n_new: int,
    n_padding: np.ndarray | None,
    choice: tuple[float, int | None, float | None],
    rng: np.random.Generator,
) -> Any:
    """Append n_new tokens to sequences of one length."""
    _, ids = find_ids("generate", decoder.embedding, ids)
    caches, new = [KVCache() for _ in decoder.layers], ids
    found = [to_numpy(ids)]
    for _ in range(n_new):
        logits = decoder(new, caches=caches, n_padding=n_padding)[..., -1, :]
        probabilities = probabilities_of(np.asarray(to_numpy(logits), float), *choice)
        found.append(sample(probabilities, rng)[..., None])
        new = join("generate", found[-1], ids)
    return join("generate", np.concatenate(found, axis=-1), ids)


def _ragged_lengths(ids: Any) -> list[int] | None:
    """Return the lengths of the rows of a list of lists if they differ, else None."""
    if not isinstance(ids, list | tuple):
        return None
    if not all(isinstance(row, list | tuple) for row in ids):
        return None
    lengths = [len(row) for row in ids]
    return lengths if len({*lengths}) > 1 else None
