"""What each command does, with what was given on the command line."""

from __future__ import annotations

import argparse
import json
from typing import Any

from attncheck.ask import ask
from attncheck.canary_run import load_function, pairs
from attncheck.exchange import load_run, write_probes
from attncheck.layers import layers
from attncheck.layers.page import Layers
from attncheck.read_run import read_probes, read_run
from attncheck.report import Report
from attncheck.table import as_text, stored
from attncheck.vectors import write_vectors


def _keywords(options: argparse.Namespace) -> dict[str, Any]:
    names = ("is_causal", "query_offset", "scale", "softcap", "window")
    found = {name: getattr(options, name) for name in names}
    return {name: x for name, x in found.items() if x is not None}


def do_ask(options: argparse.Namespace) -> Report:
    """Ask a Python function."""
    return ask(
        load_function(options.function),
        expected=pairs(options.expected),
        layout=options.layout,
        dtype=options.dtype,
        arrays=options.arrays,
        shapes=pairs(options.shapes),
        **pairs(options.extra),
    )


def do_probes(options: argparse.Namespace) -> str:
    """Write probes for a program."""
    names = write_probes(
        options.folder, options.dtype, options.form, **_keywords(options)
    )
    if options.json:
        return json.dumps({"probes": names})
    files = (
        "NAME.query.bin, NAME.key.bin and NAME.value.bin and write NAME.output.bin"
        if options.form == "raw"
        else f"NAME.{options.form} and write NAME.output.{options.form}"
    )
    return (
        f"Wrote {len(names)} probes to {options.folder}. Let your program read "
        f"{files} beside them; then:\n"
        f"  python -m attncheck read {options.folder}"
    )


def do_read(options: argparse.Namespace) -> Report:
    """Read what that program wrote."""
    return read_probes(options.folder)


def do_run(options: argparse.Namespace) -> Report:
    """Read one run on file."""
    return read_run(
        **load_run(options.file),
        dtype=options.dtype,
        layout=options.layout,
        **_keywords(options),
    )


def do_layers(options: argparse.Namespace) -> Layers:
    """Compare what a configuration says of each layer with that layer's runs."""
    return layers(options.config, options.runs)


def do_vectors(options: argparse.Namespace) -> str:
    """Write test vectors."""
    cases = write_vectors(options.folder)
    if options.json:
        return json.dumps({case.id: case.catches for case in cases}, ensure_ascii=False)
    n_caught = len({code for case in cases for code in case.catches})
    return (
        f"Wrote {len(cases)} cases to {options.folder}; they catch {n_caught} mistakes."
    )


def do_table(options: argparse.Namespace) -> str:
    """Return who means what, as text or as JSON."""
    return json.dumps(stored(), ensure_ascii=False) if options.json else as_text()
