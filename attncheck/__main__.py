"""Ask from the command line: python -m attncheck --help."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any

from attncheck.asking import ask
from attncheck.exchange import SAVE, STORED, load_run, read_probes, write_probes
from attncheck.reading import read_run
from attncheck.report import Report
from attncheck.table import as_text, stored
from attncheck.vectors import write_vectors

DESCRIPTION = "Ask any attention what it computes; read any run of it."
EPILOG = "Exit status: 0 as meant, 1 not as meant, 2 cannot tell."


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return 0 as meant, 1 not as meant, 2 cannot tell."""
    options = _parser().parse_args(arguments)
    try:
        result = options.run(options)
    except (ValueError, OSError, ImportError, AttributeError) as error:
        print(f"attncheck {options.command}: {error}", file=sys.stderr)
        return 2
    if not isinstance(result, Report):
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
    asked.add_argument("--arrays", help="numpy, torch, torch:cuda or jax")
    pairs = {"action": "append", "default": [], "metavar": "NAME=VALUE"}
    asked.add_argument("--meant", help="a fact that should hold", **pairs)  # type: ignore[arg-type]
    asked.add_argument("--with", dest="extra", help="a keyword of every call", **pairs)  # type: ignore[arg-type]
    probes = _add(commands, "probes", _probes, "write inputs for a program")
    probes.add_argument("folder", type=Path, metavar="DIR")
    probes.add_argument("--dtype", default="float32", choices=STORED)
    probes.add_argument("--form", default="raw", choices=SAVE)
    _meant(probes)
    read = _add(commands, "read", _read, "read the outputs of that program")
    read.add_argument("folder", type=Path, metavar="DIR")
    run = _add(commands, "run", _run, "read one run: query, key, value, output")
    run.add_argument("file", type=Path, metavar="FILE.npz")
    run.add_argument("--dtype")
    run.add_argument("--layout")
    _meant(run)
    vectors = _add(commands, "vectors", _vectors, "write test vectors")
    vectors.add_argument("folder", type=Path, metavar="DIR")
    _add(commands, "table", _table, "print who means what, as it was last asked")
    return parser


def _add(commands: Any, name: str, run: Any, words: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=words, description=words[0].upper() + words[1:] + ".", epilog=EPILOG
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return parser


def _meant(parser: argparse.ArgumentParser) -> None:
    """Add what was meant, under the names of attnlib's keywords."""
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


def _pairs(texts: list[str]) -> dict[str, Any]:
    """Read NAME=VALUE; a value is JSON, or else text."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"expected NAME=VALUE, got {text!r}")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = {"True": True, "False": False, "None": None}.get(value, value)
    return found


def _ask(options: argparse.Namespace) -> Report:
    module, _, name = options.function.partition(":")
    if not name:
        raise ValueError(f"expected MODULE:FUNCTION, got {options.function!r}")
    sys.path.insert(0, "")
    function: Any = importlib.import_module(module)
    for part in name.split("."):
        function = getattr(function, part)
    return ask(
        function,
        meant=_pairs(options.meant),
        layout=options.layout,
        dtype=options.dtype,
        arrays=options.arrays,
        **_pairs(options.extra),
    )


def _probes(options: argparse.Namespace) -> str:
    names = write_probes(
        options.folder, options.dtype, options.form, **_keywords(options)
    )
    if options.json:
        return json.dumps({"probes": names})
    return (
        f"Wrote {len(names)} probes to {options.folder}. Let your program read "
        "NAME.query, .key and .value and write NAME.output beside them; then:\n"
        f"  python -m attncheck read {options.folder}"
    )


def _read(options: argparse.Namespace) -> Report:
    return read_probes(options.folder)


def _run(options: argparse.Namespace) -> Report:
    return read_run(
        **load_run(options.file),
        dtype=options.dtype,
        layout=options.layout,
        **_keywords(options),
    )


def _vectors(options: argparse.Namespace) -> str:
    cases = write_vectors(options.folder)
    if options.json:
        return json.dumps({case.id: case.catches for case in cases}, ensure_ascii=False)
    n_caught = len({code for case in cases for code in case.catches})
    return (
        f"Wrote {len(cases)} cases to {options.folder}; they catch {n_caught} mistakes."
    )


def _table(options: argparse.Namespace) -> str:
    return json.dumps(stored(), ensure_ascii=False) if options.json else as_text()


if __name__ == "__main__":
    sys.exit(main())
