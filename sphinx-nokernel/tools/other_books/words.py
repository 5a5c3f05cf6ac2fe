"""The words in the main part of a built page, without scripts."""

from collections import Counter

from bs4 import BeautifulSoup

MAIN = ("article.bd-article", "[role=main]", "main", "div.body", "body")
# What nobody reads, and the marks beside headings.
SILENT = "script, style, template, .headerlink, .prev-next-area, .prev-next-footer"


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
