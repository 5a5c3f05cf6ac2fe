"""Ask from the command line: python -m attncheck --help."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attncheck.ask import ask
from attncheck.canaries import load_function, pairs
from attncheck.exchange import load_run, write_probes
from attncheck.layers import Layers, layers
from attncheck.read_run import read_probes, read_run
from attncheck.report import Report
from attncheck.table import as_text, stored
from attncheck.vectors import write_vectors

DESCRIPTION = "Ask any attention what it computes; read any run of it."
EPILOG = "Exit status: 0 as expected, 1 not as expected, 2 cannot tell."
Result = Report | Layers | tuple[Any, str]  # or what is printed, as JSON and in words


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return 0 as expected, 1 not as expected, 2 cannot tell."""
    options = vars(_parser().parse_args(arguments))
    command, as_json = options.pop("command"), options.pop("json")
    try:
        result = COMMANDS[command][0](**options)
    except (ValueError, OSError, ImportError, AttributeError) as error:
        print(f"attncheck {command}: {error}", file=sys.stderr)
        return 2
    if isinstance(result, Report | Layers):
        print(result.to_json(indent=1) if as_json else result)
        return result.status
    plain, words = result
    print(json.dumps(plain, ensure_ascii=False) if as_json else words)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "attncheck", description=DESCRIPTION, epilog=EPILOG
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, words, options) in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=words,
            description=f"{words[0].upper()}{words[1:]}.",
            epilog=EPILOG,
            argument_default=argparse.SUPPRESS,  # what is not told is not passed on
        )
        command.add_argument("--json", action="store_true", default=False)
        for option in options.split():
            command.add_argument(option, **OPTIONS[option])
    return parser


def _ask(
    function: str,
    expected: Sequence[str] = (),
    shapes: Sequence[str] = (),
    extra: Sequence[str] = (),
    **how: Any,
) -> Result:
    how |= {"expected": pairs(expected), "shapes": pairs(shapes)}
    return ask(load_function(function), **how, **pairs(extra))


def _probes(folder: Path, **how: Any) -> Result:
    names = write_probes(folder, **how)
    return {"probes": names}, (
        f"Wrote {len(names)} probes to {folder}. Let your program read "
        "NAME.query.bin, NAME.key.bin and NAME.value.bin and write NAME.output.bin "
        f"beside them; then:\n  python -m attncheck read {folder}"
    )


def _vectors(folder: Path) -> Result:
    cases = {case.call.id: case.catches for case in write_vectors(folder)}
    n = len({code for codes in cases.values() for code in codes})
    return cases, f"Wrote {len(cases)} cases to {folder}; they catch {n} mistakes."


def _window(text: str) -> tuple[int | None, int | None]:
    left, _, right = text.partition(",")
    return int(left) if left else None, int(right) if right else None


SEVERAL = {"action": "append", "metavar": "NAME=VALUE"}
OPTIONS: dict[str, Any] = {
    "function": {"metavar": "MODULE:FUNCTION"},
    "folder": {"type": Path, "metavar": "DIR"},
    "file": {"type": Path, "metavar": "FILE.npz"},
    "config": {"type": Path, "metavar": "CONFIG.json"},
    "runs": {"type": Path, "metavar": "RUNS.safetensors"},
    "--layout": {"help": "order of axes, bhnd by default"},
    "--dtype": {"help": "float32, float64, float16 or bfloat16"},
    "--arrays": {"help": "numpy, torch, torch:cuda, jax or cupy"},
    "--expected": {"help": "a fact that should hold", **SEVERAL},
    "--shapes": {"help": "a size that it takes, as d=128", **SEVERAL},
    "--with": {"dest": "extra", "help": "a keyword of every call", **SEVERAL},
    "--is-causal": {"action": "store_true"},  # and what else is expected of runs
    "--query-offset": {"type": int},
    "--scale": {"type": float},
    "--softcap": {"type": float},
    "--window": {"type": _window, "metavar": "LEFT,RIGHT"},
}
RIGHT = "--is-causal --query-offset --scale --softcap --window"
ASKED = "function --layout --dtype --arrays --expected --shapes --with"
LAYERS = "compare what a configuration says of each layer with that layer's runs"
COMMANDS: dict[str, tuple[Callable[..., Result], str, str]] = {
    "ask": (_ask, "ask a Python function", ASKED),
    "probes": (_probes, "write inputs for a program", f"folder --dtype {RIGHT}"),
    "read": (read_probes, "read the outputs of that program", "folder"),
    "run": (
        lambda file, **how: read_run(**load_run(file), **how),
        "read one run: query, key, value, output",
        f"file --dtype --layout {RIGHT}",
    ),
    "layers": (layers, LAYERS, "config runs"),
    "vectors": (_vectors, "write test vectors", "folder"),
    "table": (
        lambda: (stored(), as_text()),
        "print who means what, as it was last asked",
        "",
    ),
}


if __name__ == "__main__":
    sys.exit(main())
