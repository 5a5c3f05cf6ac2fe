"""Write plain copies of the lessons for Colab; their first cell installs attnlib there.

    python tools/colab.py FOLDER owner/name commit [branch]

A notebook that Colab opens does not know where it came from, and the lessons do not
know where they will be published. So the address is put in when they are: the
publishing workflow pushes these copies to the branch `colab`, and those of a release to
one named after it, which the Colab buttons open. The cell fetches the course as it was
at that commit; elsewhere it does nothing.
"""

import re
import sys
from pathlib import Path

import export
import nbformat

# Colab does not follow links from one notebook to the next unless they are whole.
HOME = "https://colab.research.google.com/github/{repository}/blob/{branch}/book"
CELL = """\
import sys

if "google.colab" in sys.modules:  # elsewhere, attnlib is already there
    from google.colab import output

    !git clone -q https://github.com/{repository} /content/course
    !git -C /content/course checkout -q {commit}
    %pip install -q /content/course /content/course/attncheck
    %pip install -q /content/course/attnconfig /content/course/named_mistakes
    %pip install -q "/content/course/course[lessons]"
    %cd -q /content/course/book
    output.enable_custom_widget_manager()"""


def first_cell(repository, commit):
    """Return the cell that makes attnlib importable in Colab."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise ValueError(f"repository: must be owner/name, got {repository!r}")
    if not re.fullmatch(r"[0-9a-f]{7,40}", commit):
        raise ValueError(f"commit: must be a hash, got {commit!r}")
    source = CELL.format(repository=repository, commit=commit)
    return nbformat.v4.new_code_cell(source, id="in-colab")


def write_copies(folder, repository, commit, branch="colab"):
    """Write every copy into the folder's `book`, with the cell before its first."""
    cell = first_cell(repository, commit)
    target = Path(folder) / "book"
    for place, text in export.copies(HOME.format(repository=repository, branch=branch)):
        notebook = nbformat.reads(text, as_version=4)
        if any(one.cell_type == "code" for one in notebook.cells):
            notebook.cells.insert(0, cell)
        path = target / place
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, path)
        print(path)


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    write_copies(*sys.argv[1:])
