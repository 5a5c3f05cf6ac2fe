"""Execute the notebooks and store them in one normal form.

    python tools/notebooks.py [--check] [notebook ...]
    python tools/notebooks.py --name OLD=NEW notebook       name a cell, and no more

What is stored: text outputs (`text/plain` and streams), execution counts 1 … n, cell
ids, tags, and the names of printed arrays. What is not: images, HTML, widget state,
timings, machine details. So a notebook changes only when its text or its numbers do,
and `--check` proves it: it executes, writes nothing, and exits with 1 if any notebook
would change.

A cell that JupyterLab makes has an id such as `8f3c2a1b`, and cannot be renamed there.
Ids are names here (`own-lengths`): pages and tests point at cells by them.
"""

import argparse
import difflib
import re
import sys
from pathlib import Path

import kernels
import nbformat
from nbclient import NotebookClient

BOOK = Path(__file__).resolve().parent.parent / "book"
NAME = re.compile(r"[a-z]+[0-9]?(-[a-z0-9]+)*")  # of a cell
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}


def unnamed(notebook):
    """Return the id and the first line of each cell whose id is not a name."""
    cells = [cell for cell in notebook.cells if not NAME.fullmatch(cell.id)]
    return [(cell.id, cell.source.partition("\n")[0]) for cell in cells]


def name_cells(path, names):
    """Give the cells of a notebook other ids: `names` has the new one of each."""
    notebook = nbformat.read(path, as_version=4)
    taken = {cell.id for cell in notebook.cells}
    for old, new in names.items():
        if old not in taken or new in taken or not NAME.fullmatch(new):
            told = ", ".join(f"{id_} ({line})" for id_, line in unnamed(notebook))
            raise SystemExit(
                f"{old}={new}: wants the id of a cell and a new name for it, as in "
                f"{old}=own-lengths. Without a name: {told or 'none'}"
            )
    for cell in notebook.cells:
        cell.id = names.get(cell.id, cell.id)
    path.write_text(written(notebook), encoding="utf-8")


def execute(notebook, folder):
    """Run all cells in a fresh kernel; the first error stops the run."""
    client = NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(folder)}}
    )
    return client.execute()


def normalize(notebook):
    """Keep what a reader of the source needs and what nbval compares."""
    notebook = nbformat.from_dict(notebook)
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        tags = cell.metadata.get("tags")
        kept = {name: cell.metadata.get(name) for name in ("tags", "mystnb", "arrays")}
        cell.metadata = nbformat.from_dict({k: v for k, v in kept.items() if v})
        if "solution" in (tags or []):  # folded in JupyterLab, as on the site
            cell.metadata["jupyter"] = {"source_hidden": True}
        if cell.cell_type == "code":
            cell.outputs = merged(text_only(output) for output in cell.outputs)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for count, cell in enumerate(code, 1):
        cell.execution_count = count
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
    return notebook


def text_only(output):
    """Drop every representation but plain text, and all metadata."""
    if "data" in output:
        output.data = {k: v for k, v in output.data.items() if k == "text/plain"}
        output.metadata = {}
    return output


def merged(outputs):
    """Join neighboring pieces of one stream: how they are cut is chance."""
    kept = []
    for output in outputs:
        last = kept[-1] if kept else {}
        if output.get("name") and output.get("name") == last.get("name"):
            last["text"] += output["text"]
        elif output.get("data") != {}:
            kept.append(output)
    return kept


def written(notebook):
    """Return the notebook as the text that is stored."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=4, indent=1) + "\n"


def process(path, check):
    """Execute and normalize one notebook; return whether it was in order."""
    before = path.read_text(encoding="utf-8")
    notebook = execute(nbformat.reads(before, as_version=4), path.parent)
    after = written(normalize(notebook))
    if after == before:
        print(f"{path.name}: unchanged")
        return True
    if check:
        lines = before.splitlines(), after.splitlines()
        diff = difflib.unified_diff(*lines, "stored", "executed", lineterm="", n=1)
        print(f"{path.name}: would change\n" + "\n".join(diff))
        return False
    path.write_text(after, encoding="utf-8")
    print(f"{path.name}: written")
    return True


def note_starters(check):
    """Note the functions that lessons give to be mended; tell if they were noted."""
    from attncourse.teach import starters
    from attncourse.teach.notebooks import given

    paths = sorted(BOOK.rglob("*.ipynb"))
    text = starters.written(one for path in paths for one in given(path))
    if text == starters.STORED.read_text(encoding="utf-8"):
        return True
    if not check:
        starters.STORED.write_text(text, encoding="utf-8")
    print(f"{starters.STORED.name}: {'would change' if check else 'written'}")
    return check is False


def main(arguments=None):
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument(
        "--name", action="append", metavar="OLD=NEW", help="name a cell; run nothing"
    )
    parser.add_argument("notebooks", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    if options.name:
        (path,) = options.notebooks
        name_cells(path, dict(one.split("=") for one in options.name))
        return 0
    paths = options.notebooks or sorted(BOOK.rglob("*.ipynb"))
    kernels.share()
    in_order = [process(path, options.check) for path in paths]
    in_order.append(note_starters(options.check))
    return 0 if all(in_order) else 1


if __name__ == "__main__":
    sys.exit(main())
