"""For programs that Python cannot call: probes on file, outputs read again."""

from attncheck.exchange.files import SAVE, load_run
from attncheck.exchange.numbers import STORED, pack, unpack
from attncheck.exchange.probes import PROBES
from attncheck.exchange.reading import read_probes
from attncheck.exchange.writing import write_probes

__all__ = [
    "PROBES",
    "SAVE",
    "STORED",
    "load_run",
    "pack",
    "read_probes",
    "unpack",
    "write_probes",
]
