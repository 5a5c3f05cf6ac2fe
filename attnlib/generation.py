"""Generation: logits become probabilities, and a decoder continues a sequence."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import as_floats, join, to_numpy
from attnlib._checks import require
from attnlib._types import A, AnyLike, ArrayLike, Float, Int
from attnlib.cache import KVCache
from attnlib.decoder import Decoder
from attnlib.embeddings import find_ids
from attnlib.probabilities import stable_softmax


def token_probabilities(
    logits: Float[AnyLike, "... vocab_size"],
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Float[np.ndarray, "... vocab_size"]:
    """Turn logits into the probabilities that tokens are sampled with.

    Parameters
    ----------
    logits : array, (..., vocab_size)
    temperature, top_k, top_p
        As in `generate`.

    Returns
    -------
    NumPy array of float64, (..., vocab_size)
        Every row sums to 1, up to rounding.

    Examples
    --------
    >>> token_probabilities([0.0, 1.0, 2.0], temperature=0.5, top_k=2).round(4)
    array([0.    , 0.1192, 0.8808])
    """
    operation = "token_probabilities"
    choice = check_choice(operation, temperature, top_k, top_p)
    _, (rows,) = as_floats(operation, logits=logits)
    rule = "logits must have shape (..., vocab_size) with vocab_size of at least 1"
    require(rows.ndim > 0 and rows.shape[-1] > 0, operation, rule, logits=rows)
    return probabilities_of(np.asarray(to_numpy(rows), float), *choice)


def probabilities_of(
    logits: Float[np.ndarray, "... vocab_size"],
    temperature: float,
    top_k: int | None,
    top_p: float | None,
) -> Float[np.ndarray, "... vocab_size"]:
    """Do what `token_probabilities` does, without checks."""
    if temperature == 0:
        certain: np.ndarray = np.eye(logits.shape[-1])[np.argmax(logits, axis=-1)]
        return certain
    logits = logits - np.max(logits, axis=-1, keepdims=True)
    likely = np.argsort(-logits, axis=-1, kind="stable")
    with np.errstate(over="ignore"):  # a small temperature: −∞, so probability 0
        scaled = np.take_along_axis(logits, likely, axis=-1) / temperature
    if top_k is not None:
        scaled[..., top_k:] = -np.inf
    probabilities = stable_softmax(scaled)
    if top_p is not None:
        before = np.cumsum(probabilities, axis=-1) - probabilities
        rounding = probabilities.shape[-1] * np.finfo(float).eps
        enough = before >= top_p * (1 - rounding)
        probabilities = np.where(enough, 0, probabilities)
        probabilities /= probabilities.sum(axis=-1, keepdims=True)
    result: np.ndarray = np.empty_like(probabilities)
    np.put_along_axis(result, likely, probabilities, axis=-1)
    return result


def sample(
    probabilities: Float[np.ndarray, "... vocab_size"], rng: np.random.Generator
) -> Any:
    """Choose the first token whose cumulative probability exceeds a random number."""
    cumulative = np.cumsum(probabilities, axis=-1)
    threshold = rng.random(probabilities.shape[:-1]) * cumulative[..., -1]
    return np.argmax(cumulative > threshold[..., None], axis=-1)


def check_choice(
    operation: str, temperature: Any, top_k: Any, top_p: Any
) -> tuple[float, int | None, float | None]:
    """Check how tokens are chosen; return it as numbers."""
    temperature = check.number(operation, "temperature", temperature, positive=False)
    rule = "temperature must not be negative"
    require(temperature >= 0, operation, rule, temperature=temperature)
    if top_k is not None:
        top_k = check.count(operation, "top_k", top_k)
    if top_p is not None:
        top_p = check.number(operation, "top_p", top_p, positive=True)
        require(top_p <= 1, operation, "top_p must be at most 1", top_p=top_p)
    return temperature, top_k, top_p


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
