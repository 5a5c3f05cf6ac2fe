"""For programs that Python cannot call: probes on file, outputs read again."""

from attncheck.exchange.arrays import expected_model, guess_format, prepare
from attncheck.exchange.files import FORMS, STORED, load_run, pack, unpack
from attncheck.exchange.probes import PROBES, read_outputs, write_probes

__all__ = [
    "FORMS",
    "PROBES",
    "STORED",
    "expected_model",
    "guess_format",
    "load_run",
    "pack",
    "prepare",
    "read_outputs",
    "unpack",
    "write_probes",
]
