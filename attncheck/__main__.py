"""Ask from the command line: python -m attncheck --help."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from attncheck.ask import ask
from attncheck.canaries import load_function, pairs
from attncheck.exchange import STORED, load_run, write_probes
from attncheck.layers import layers
from attncheck.layers.page import Layers
from attncheck.read_run import read_probes, read_run
from attncheck.report import Report
from attncheck.table import as_text, stored
from attncheck.vectors import write_vectors

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
    asked = _add(commands, "ask", _ask, "ask a Python function")
    asked.add_argument("function", metavar="MODULE:FUNCTION")
    asked.add_argument(
        "--layout", default="bhnd", help="order of axes, bhnd by default"
    )
    asked.add_argument("--dtype", default="float32")
    asked.add_argument("--arrays", help="numpy, torch, torch:cuda, jax or cupy")
    several = {"action": "append", "default": [], "metavar": "NAME=VALUE"}
    asked.add_argument("--expected", help="a fact that should hold", **several)  # type: ignore[arg-type]
    asked.add_argument("--shapes", help="a size that it takes, as d=128", **several)  # type: ignore[arg-type]
    words = "a keyword of every call"
    asked.add_argument("--with", dest="extra", help=words, **several)  # type: ignore[arg-type]
    probes = _add(commands, "probes", _probes, "write inputs for a program", "DIR")
    probes.add_argument("--dtype", default="float32", choices=STORED)
    _expected(probes)
    words = "read the outputs of that program"
    _add(commands, "read", lambda o: read_probes(o.folder), words, "DIR")
    run = _add(commands, "run", _run, "read one run: query, key, value, output")
    run.add_argument("file", type=Path, metavar="FILE.npz")
    run.add_argument("--dtype")
    run.add_argument("--layout")
    _expected(run)
    words = "compare what a configuration says of each layer with that layer's runs"
    says = _add(commands, "layers", lambda o: layers(o.config, o.runs), words)
    says.add_argument("config", type=Path, metavar="CONFIG.json")
    says.add_argument("runs", type=Path, metavar="RUNS.safetensors")
    _add(commands, "vectors", _vectors, "write test vectors", "DIR")
    _add(commands, "table", _table, "print who means what, as it was last asked")
    return parser


def _add(
    commands: Any, name: str, run: Any, words: str, folder: str = ""
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=words, description=words[0].upper() + words[1:] + ".", epilog=EPILOG
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    if folder:
        parser.add_argument("folder", type=Path, metavar=folder)
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


def _keywords(options: argparse.Namespace) -> dict[str, Any]:
    names = ("is_causal", "query_offset", "scale", "softcap", "window")
    found = {name: getattr(options, name) for name in names}
    return {name: x for name, x in found.items() if x is not None}


def _ask(options: argparse.Namespace) -> Report:
    return ask(
        load_function(options.function),
        expected=pairs(options.expected),
        shapes=pairs(options.shapes),
        **{name: getattr(options, name) for name in ("layout", "dtype", "arrays")},
        **pairs(options.extra),
    )


def _probes(options: argparse.Namespace) -> str:
    names = write_probes(options.folder, options.dtype, **_keywords(options))
    if options.json:
        return json.dumps({"probes": names})
    return (
        f"Wrote {len(names)} probes to {options.folder}. Let your program read "
        "NAME.query.bin, NAME.key.bin and NAME.value.bin and write NAME.output.bin "
        f"beside them; then:\n  python -m attncheck read {options.folder}"
    )


def _run(options: argparse.Namespace) -> Report:
    how = {"dtype": options.dtype, "layout": options.layout, **_keywords(options)}
    return read_run(**load_run(options.file), **how)


def _vectors(options: argparse.Namespace) -> str:
    cases = write_vectors(options.folder)
    if options.json:
        return json.dumps({case.id: case.catches for case in cases}, ensure_ascii=False)
    n = len({code for case in cases for code in case.catches})
    return f"Wrote {len(cases)} cases to {options.folder}; they catch {n} mistakes."


def _table(options: argparse.Namespace) -> str:
    return json.dumps(stored(), ensure_ascii=False) if options.json else as_text()


if __name__ == "__main__":
    sys.exit(main())
