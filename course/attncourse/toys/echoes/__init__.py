"""Texts in which some symbols echo: one layer that learns them, and measurements."""

from .model import (
    LENGTH,
    N_ECHOES,
    N_SYMBOLS,
    ORDINARY,
    START,
    Echoer,
    is_echo,
    train,
    write_texts,
)

__all__ = [
    "LENGTH",
    "N_ECHOES",
    "N_SYMBOLS",
    "ORDINARY",
    "START",
    "Echoer",
    "is_echo",
    "train",
    "write_texts",
]
