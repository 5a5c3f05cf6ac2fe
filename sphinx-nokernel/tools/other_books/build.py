"""Build one book twice, as its authors do and with sphinx_nokernel as well.

    python build.py CLONES WORK [NAME ...]

CLONES holds a folder `owner+name/repo` for each repository of books.toml. Each book is
built into WORK, below `without` and `with`. Nothing is fetched.
"""

import fnmatch
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"
# Every build goes without the network, and without warnings of what is left out.
OURS = """
extensions = [name for name in extensions if name not in {without!r}] + {more!r}
intersphinx_mapping = {{}}
nb_execution_mode = "{mode}"
nb_execution_allow_errors = True
nb_execution_cache_path = "{cache}"  # both builds show the same outputs
nb_execution_timeout = 120
nbsphinx_execute = "never"
include_patterns = {pages!r}
{settings}
"""
PLAIN = 'project = "A book"\nextensions = ["myst_nb", "sphinx_book_theme"]\n'
PLAIN += 'html_theme = "sphinx_book_theme"\nmyst_enable_extensions = '
PLAIN += '["amsmath", "colon_fence", "dollarmath"]\n'


def books(names=()):
    """Return the recipes, all or those named, each with a name for its folders."""
    found = tomllib.loads((HERE / "books.toml").read_text("utf-8"))["book"]
    for number, book in enumerate(found):
        book["id"] = f"{number:02}-" + book["repository"].split("/")[1]
    return [book for book in found if not names or book["id"] in names]


def check_out(repository, folder):
    """Write the newest files of a bare clone, except those that it lacks."""
    git = ["git", "-C", str(repository)]
    rows = subprocess.check_output([*git, "ls-tree", "-r", "-z", "HEAD"], text=True)
    command = [*git, "cat-file", "--batch"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        for row in filter(None, rows.split("\0")):
            facts, name = row.split("\t")
            mode, _, digest = facts.split()
            if mode in ("100644", "100755") and (data := _file(process, digest)):
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        process.stdin.close()
    return subprocess.check_output([*git, "rev-parse", "--short", "HEAD"], text=True)


def _file(process, digest):
    process.stdin.write(f"{digest}\n".encode())
    process.stdin.flush()
    *_, size = process.stdout.readline().split()
    if size == b"missing":
        return None
    return process.stdout.read(int(size) + 1)[:-1]


def configure(book, source, ours, cache):
    """Write the conf.py of one of the two builds."""
    conf = source / "conf.py"
    if (source / "_config.yml").is_file():
        command = [sys.executable, "-c", JUPYTER_BOOK, "config", "sphinx", str(source)]
        subprocess.run(command, check=True, capture_output=True)
    text = conf.read_text("utf-8") if conf.is_file() else PLAIN
    if version := book.get("version"):
        text = text.replace(f'get_version("{version}")', '"1.0.0"')
    pages = [f"{page}.*" for page in book.get("pages", [])] or ["**"]
    text += OURS.format(
        without=[*book.get("without", ()), "jupyterlite_sphinx"],
        more=["sphinx_nokernel"] if ours else [],
        mode="cache" if book.get("execute") else "off",
        pages=pages,
        cache=cache,
        settings=book.get("settings", "").replace("; ", "\n"),
    )
    if root := book.get("root") or next(iter(book.get("pages", ())), None):
        text += f'root_doc = master_doc = "{root}"\n'
    if (source / "_toc.yml").is_file() and book.get("pages"):
        _shorten(source, book["pages"])
    conf.write_text(text, "utf-8")


def _shorten(source, wanted):
    """Keep only the built pages of a table of contents."""
    names = [p.relative_to(source).with_suffix("").as_posix() for p in _texts(source)]
    kept = [n for n in names if any(fnmatch.fnmatch(n, page) for page in wanted)]
    files = "".join(f"- file: {name}\n" for name in kept if name != wanted[0])
    text = f"format: jb-book\nroot: {wanted[0]}\nchapters:\n{files}"
    (source / "_toc.yml").write_text(text, "utf-8")


def _texts(source):
    found = [
        path for kind in ("md", "ipynb", "rst") for path in source.rglob(f"*.{kind}")
    ]
    return sorted(found)


def build(book, clones, work, ours):
    """Build one book in one way; return whether it worked."""
    place = work / book["id"] / ("with" if ours else "without")
    whole = place / "source"
    clone = clones / book["repository"].replace("/", "+") / "repo"
    book["commit"] = check_out(clone, whole).strip()
    source = whole / book.get("folder", ".")
    configure(book, source, ours, place.parent / "cache")
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-d", place / "trees"]
    with (place / "log").open("w") as log:
        done = subprocess.run(
            [*command, source, place / "site"], stdout=log, stderr=log
        )
    return done.returncode == 0


def main(clones, work, *names):
    """Build both ways."""
    for book in books(names):
        for ours in (False, True):
            done = build(book, Path(clones), Path(work), ours)
            print(book["id"], book["commit"], "with" if ours else "without", done)


if __name__ == "__main__":
    main(*sys.argv[1:])
