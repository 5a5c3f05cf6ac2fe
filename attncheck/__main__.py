"""Ask from the command line: python -m attncheck --help."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from attncheck.commands import (
    do_ask,
    do_layers,
    do_probes,
    do_read,
    do_run,
    do_table,
    do_vectors,
)
from attncheck.exchange import SAVE, STORED
from attncheck.layers.page import Layers
from attncheck.report import Report

DESCRIPTION = "Ask any attention what it computes; read any run of it."
EPILOG = "Exit status: 0 as expected, 1 not as expected, 2 cannot tell."


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return 0 as expected, 1 not as expected, 2 cannot tell."""
    options = _parser().parse_args(arguments)
    try:
        result = options.run(options)
    except (ValueError, OSError, ImportError, AttributeError) as error:
        print(f"attncheck {options.command}: {error}", file=sys.stderr)
        return 2
    if not isinstance(result, Report | Layers):
        print(result)
        return 0
    print(result.to_json(indent=1) if options.json else result)
    return result.status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "attncheck", description=DESCRIPTION, epilog=EPILOG
    )
    commands = parser.add_subparsers(dest="command", required=True)
    asked = _add(commands, "ask", do_ask, "ask a Python function")
    asked.add_argument("function", metavar="MODULE:FUNCTION")
    asked.add_argument(
        "--layout", default="bhnd", help="order of axes, bhnd by default"
    )
    asked.add_argument("--dtype", default="float32")
    asked.add_argument("--arrays", help="numpy, torch, torch:cuda, jax or cupy")
    pairs = {"action": "append", "default": [], "metavar": "NAME=VALUE"}
    asked.add_argument("--expected", help="a fact that should hold", **pairs)  # type: ignore[arg-type]
    asked.add_argument("--shapes", help="a size that it takes, as d=128", **pairs)  # type: ignore[arg-type]
    asked.add_argument("--with", dest="extra", help="a keyword of every call", **pairs)  # type: ignore[arg-type]
    probes = _add(commands, "probes", do_probes, "write inputs for a program")
    probes.add_argument("folder", type=Path, metavar="DIR")
    probes.add_argument("--dtype", default="float32", choices=STORED)
    probes.add_argument("--form", default="raw", choices=SAVE)
    _expected(probes)
    read = _add(commands, "read", do_read, "read the outputs of that program")
    read.add_argument("folder", type=Path, metavar="DIR")
    run = _add(commands, "run", do_run, "read one run: query, key, value, output")
    run.add_argument("file", type=Path, metavar="FILE.npz")
    run.add_argument("--dtype")
    run.add_argument("--layout")
    _expected(run)
    words = "compare what a configuration says of each layer with that layer's runs"
    says = _add(commands, "layers", do_layers, words)
    says.add_argument("config", type=Path, metavar="CONFIG.json")
    says.add_argument("runs", type=Path, metavar="RUNS.safetensors")
    vectors = _add(commands, "vectors", do_vectors, "write test vectors")
    vectors.add_argument("folder", type=Path, metavar="DIR")
    _add(commands, "table", do_table, "print who means what, as it was last asked")
    return parser


def _add(commands: Any, name: str, run: Any, words: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=words, description=words[0].upper() + words[1:] + ".", epilog=EPILOG
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return parser


def _expected(parser: argparse.ArgumentParser) -> None:
    """Add what is expected, under the names of attnlib's keywords."""
    parser.add_argument("--is-causal", action="store_true")
    parser.add_argument("--query-offset", type=int, default=0)
    parser.add_argument("--scale", type=float)
    parser.add_argument("--softcap", type=float)
    parser.add_argument("--window", type=_window, metavar="LEFT,RIGHT")


def _window(text: str) -> tuple[int | None, int | None]:
    left, _, right = text.partition(",")
    return int(left) if left else None, int(right) if right else None


if __name__ == "__main__":
    sys.exit(main())
