"""Run every benchmark beside this file, or those named: `make bench`.

    python benchmarks/run.py [sliders ...]
    python benchmarks/run.py --before FOLDER    an older attnlib beside this one

Each prints its own table. Machines differ and are shared, so what is compared runs
side by side, and what counts are ratios, medians and high percentiles.
"""

import argparse
import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / p) for p in ("tools", "tests/site"))]
OTHERS = {"run", "before"}  # what needs a folder runs only when it is given one


def main(arguments):
    """Run the benchmarks in order."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--before", metavar="FOLDER")
    parser.add_argument("--seconds", type=float, default=4, help="for each case")
    options = parser.parse_args(arguments)
    if options.before:
        importlib.import_module("before").main(options.before, options.seconds)
        return
    found = sorted({path.stem for path in HERE.glob("*.py")} - OTHERS)
    for name in options.names or found:
        print(f"\n── {name} ──", flush=True)
        importlib.import_module(name).main()


if __name__ == "__main__":
    main(sys.argv[1:])
