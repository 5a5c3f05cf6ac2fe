"""A configuration that was read: totals, each with its equation, and its layers."""

from dataclasses import dataclass, field
from numbers import Real


@dataclass(frozen=True)
class Configuration:
    """What a configuration says of a model, or why that cannot be said.

    Attributes
    ----------
    family : str or None
    layers : tuple of Layer
    around : tuple of Part
        Embedding, last norm, output.
    refused : dict of str to str
        For each of "n_parameters", "n_active_parameters" and "cache_bytes" that cannot
        be had, a sentence that names the key it fails for. Empty when all can be had.
    """

    family: str | None
    layers: tuple = ()
    around: tuple = ()
    refused: dict = field(default_factory=dict)

    @property
    def parts(self):
        """All that is learned, layer after layer."""
        return (*self.around, *(part for layer in self.layers for part in layer.parts))

    @property
    def n_parameters(self):
        """How many numbers are learned and stored, tied ones once; or None."""
        if "n_parameters" in self.refused:
            return None
        return sum(part.n_parameters for part in self.parts)

    @property
    def n_active_parameters(self):
        """As many without the experts that a token does not go through; or None."""
        if "n_active_parameters" in self.refused:
            return None
        return sum(part.n_active_parameters for part in self.parts)

    def cache_bytes(self, n_tokens, n_bytes: float = 2):
        """Count the bytes that all layers keep after ``n_tokens`` tokens, or None.

        Parameters
        ----------
        n_tokens : int
        n_bytes : float
            Of one number: 2, 1 for eight bits, 0.5 for four.

        Raises
        ------
        ValueError
            If there is no such number of tokens or bytes.
        """
        if isinstance(n_tokens, bool) or not isinstance(n_tokens, int) or n_tokens < 0:
            raise ValueError(
                f"cache_bytes: n_tokens must be a whole number from 0, got {n_tokens!r}"
            )
        if (
            isinstance(n_bytes, bool)
            or not isinstance(n_bytes, Real)
            or not n_bytes > 0
        ):
            raise ValueError(f"cache_bytes: n_bytes must be above 0, got {n_bytes!r}")
        if "cache_bytes" in self.refused:
            return None
        total = n_bytes * sum(layer.cache_numbers(n_tokens) for layer in self.layers)
        return int(total) if total == int(total) else total
