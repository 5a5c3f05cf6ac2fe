"""Compare what build.py built: text, widgets, errors, and cells that run.

    python measure.py WORK FILES CHROMIUM [NAME ...]

prints a row for each book in WORK, and writes everything found beside it, as JSON.
FILES: see browse.py.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from browse import Browser, served
from bs4 import BeautifulSoup
from build import books

MAIN = ("article.bd-article", "[role=main]", "main", "div.body", "body")
# What nobody reads, and the marks beside headings.
SILENT = "script, style, template, .headerlink, .prev-next-area, .prev-next-footer"
ROW = "| {name} | {pages} | {lost} | {before} | {after} | {bad_before} | {bad_after} |"


def words_of(path):
    """Return the words of a page, in order."""
    soup = BeautifulSoup(path.read_text("utf-8"), "html.parser")
    for node in soup.select(SILENT):
        node.decompose()
    main = next(filter(None, map(soup.select_one, MAIN)))
    return main.get_text(" ").split()


def lost(before, after):
    """List the words that the second page has fewer times than the first."""
    return sorted((Counter(words_of(before)) - Counter(words_of(after))).elements())


def compare(browser, book, place):
    """Return what is found on each page of one book, in both builds."""
    sites = [place / one / "site" for one in ("without", "with")]
    found = {}
    with served(sites[0]) as first, served(sites[1]) as second:
        for path in sorted(sites[0].rglob("*.html")):
            name = path.relative_to(sites[0]).with_suffix("").as_posix()
            if not (place / "without" / "trees" / f"{name}.doctree").is_file():
                continue  # the search, the index
            pair = [browser.look(f"{site}{name}.html") for site in (first, second)]
            missing = lost(path, sites[1] / f"{name}.html")
            found[name] = {"lost": missing, "before": pair[0], "after": pair[1]}
        for name in book.get("run", ()):
            print("Running", name, file=sys.stderr, flush=True)
            found[name]["cells"] = browser.run_cells(f"{second}{name}.html")
    return found


def row(book, found):
    """Return a line of the table."""
    pages = found.values()
    cells = [cell for page in pages for cell in page.get("cells", ())]
    ran = f" {cells.count('done')} of {len(cells)} |" if cells else " – |"
    return (
        ROW.format(
            name=book["name"],
            pages=len(pages),
            lost=sum(len(page["lost"]) for page in pages),
            before=sum(page["before"]["shown"] for page in pages),
            after=sum(page["after"]["shown"] for page in pages),
            bad_before=sum(bool(page["before"]["errors"]) for page in pages),
            bad_after=sum(bool(page["after"]["errors"]) for page in pages),
        )
        + ran
    )


def main(work, files, chromium, *names):
    """Print the table."""
    browser = Browser(files, chromium)
    for book in books(names):
        place = Path(work, book["id"])
        if all((place / one / "site").is_dir() for one in ("without", "with")):
            found = compare(browser, book, place)
            text = json.dumps(found, indent=1, ensure_ascii=False)
            (place / "found.json").write_text(text, encoding="utf-8")
            print(row(book, found), flush=True)
    browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
