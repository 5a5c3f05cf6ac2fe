"""Says and does: each layer of a configuration beside that layer's runs."""

from attncheck.layers.says_does import layers

__all__ = ["layers"]
