"""Plain copies of whole notebooks, and of every page in a folder."""

from pathlib import Path

import nbformat

from ..myst import directive, directives, parser, without_front_matter
from ..pages import titled
from ..solutions import TAG, tags, without_solutions
from .markdown import plain_text
from .parts import code, fold

# The JupyterLab metadata that hides what each tag hides on the site.
HIDDEN = {
    "hide-input": ("source_hidden",),
    "remove-input": ("source_hidden",),
    "hide-output": ("outputs_hidden",),
    "hide-cell": ("source_hidden", "outputs_hidden"),
}

PAGES = (".ipynb", ".md")
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}


def plain_copies(folder, patterns, reader):
    """Yield the place and text of the plain copy of each matching file.

    Parameters
    ----------
    folder : path
        The folder that the patterns are relative to.
    patterns : iterable of str
        Which files are copied, such as `"**/*.ipynb"`. Hidden ones never are.
    reader : Reader

    Yields
    ------
    place : Path
        Where the copy belongs, relative to the folder; its suffix is `.ipynb`.
    text : str
        The copy, a notebook. A file that is neither `.ipynb` nor `.md` is yielded as it
        is.
    """
    reader.folder = Path(folder)
    found = {path for one in patterns for path in reader.folder.glob(one)}
    files = sorted(p for p in found if p.suffix not in PAGES or reader.has(p))
    reader.pages = {p for p in files if p.suffix == ".md" and _can_be_read(p)}
    for path in files:
        place = path.relative_to(folder)
        if any(part.startswith(".") for part in place.parts):
            continue
        if path.suffix == ".ipynb" or path in reader.pages:
            yield place.with_suffix(".ipynb"), plain_notebook(path, reader)
        elif path.suffix != ".md":
            yield place, path.read_text(encoding="utf-8")


def _is_first(reader):
    return reader.name_of(reader.page) == reader.first


def _can_be_read(path):
    """Say whether a text can be read without Sphinx."""
    blocks = directives(path.read_text(encoding="utf-8"))
    return all(block.name != "eval-rst" for block in blocks)


def plain_notebook(path, reader):
    """Return the plain copy of a notebook or Markdown file, as notebook JSON."""
    reader.page = Path(path)
    reader.bibliography.forget()
    text = reader.page.read_text(encoding="utf-8")
    if not reader.solutions:
        text = without_solutions(text, reader.page.suffix)
    if reader.settings.get("nokernel_title_first_page") and _is_first(reader):
        text = titled(text, reader.settings["project"])
    notebook = _read(text, reader.page)
    _forget_what_is_predicted(notebook.cells)
    plain = (_plain_cell(cell, reader) for cell in notebook.cells)
    notebook.cells = [one for one in plain if not _is_blank(one)]
    if cited := reader.bibliography.cited:
        text = f"## References\n\n{reader.bibliography.list(cited)}"
        notebook.cells.append(nbformat.v4.new_markdown_cell(text, id="references"))
    nbformat.validate(notebook)
    return nbformat.writes(notebook, indent=1) + "\n"


def _read(text, path):
    if path.suffix == ".ipynb":
        return nbformat.reads(text, as_version=4)
    cell = nbformat.v4.new_markdown_cell(without_front_matter(text), id="text")
    return nbformat.v4.new_notebook(cells=[cell], metadata=METADATA)


def _forget_what_is_predicted(cells):
    """Remove the outputs of cells that a prediction covers: they give it away."""
    covered = False
    for cell in cells:
        if cell.cell_type == "code" and covered:
            cell.outputs, cell.execution_count = [], None
        elif cell.cell_type == "markdown":
            covered = _covers(cell.source, covered)


def _covers(text, covered):
    """Say whether what follows a text is covered, given whether the text itself is."""
    for token in parser().parse(text):
        block = directive(token)
        if token.type == "heading_open" or (block and block.name == "revealed"):
            covered = False
        elif block and block.name in ("predict", "challenge"):
            covered = True
    return covered


def _plain_cell(cell, reader):
    if TAG in tags(cell):
        return _folded(cell, reader)
    if cell.cell_type == "markdown":
        cell.source = plain_text(cell.source, reader)
    for tag in HIDDEN.keys() & tags(cell):
        cell.metadata.setdefault("jupyter", {}).update(dict.fromkeys(HIDDEN[tag], True))
        if "source_hidden" in HIDDEN[tag]:
            cell.metadata["cellView"] = "form"  # Colab's name for it
    return cell


def _is_blank(cell):
    """Say whether a text had only marks that a notebook has no use for."""
    return cell.cell_type == "markdown" and not cell.source.strip()


def _folded(cell, reader):
    """Return a solution cell as a Markdown cell that holds a fold."""
    if cell.cell_type == "code":
        body = code("python", cell.source)
    else:
        body = plain_text(cell.source, reader)
    metadata = {"tags": sorted(tags(cell))}
    source = fold(reader.solution_title, body)
    return nbformat.v4.new_markdown_cell(source, id=cell.id, metadata=metadata)
