"""Run every benchmark beside this file, or those named: `make bench`.

    python benchmarks/run.py [sliders ...]

Each prints its own table. Machines differ and are shared, so what is compared runs
side by side, and what counts are ratios, medians and high percentiles.
"""

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / p) for p in ("tools", "tests/site"))]


def main(names):
    """Run the benchmarks in order."""
    found = sorted(path.stem for path in HERE.glob("*.py") if path.stem != "run")
    for name in names or found:
        print(f"\n── {name} ──", flush=True)
        importlib.import_module(name).main()


if __name__ == "__main__":
    main(sys.argv[1:])
