"""Print the built site as one PDF: every page in order, answers and solutions last.

    python tools/pdf.py [FILE]        _build/attention-worked-out.pdf unless named

A Chromium prints all pages as one. So pages are numbered, every
heading has its bookmark, links lead from chapter to chapter, and the file is tagged for
screen readers.
"""

import html
import os
import posixpath
import re
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import yaml
from browser import FLAGS, find_browser
from bs4 import BeautifulSoup
from export import order
from playwright.sync_api import sync_playwright

# The built site as one page to print: every chapter in order, all folds open.
#
# Feedback on questions and the solutions of exercises are moved to a chapter after the
# last, under the titles of the pages that they belong to. Links from page to page lead
# to the place in this one.

CLEAR = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
CLASSED = re.compile(r"\{\\htmlClass\{[^}]*\}\{(\w+)\}\}")
ANSWERS = "Answers and solutions"
SOLUTION = ".nk-solution, .tag_solution"
# What has no meaning on paper; print.css hides the rest.
UNPRINTED = (
    "script, #take-it-with-you, .nk-solution > summary, details.hide > summary, input"
)
SHELL = """<!doctype html>
<html lang="{language}" data-theme="light">
<head><meta charset="utf-8"><title>{title}</title>{styles}</head>
<body><main class="bd-main"><div class="bd-content"><div class="bd-article-container">
<article class="bd-article">{chapters}</article></div></div></main></body></html>"""


def one_page(folder, names, title):
    """Return the HTML of all pages in one, to be written into their folder.

    Parameters
    ----------
    folder : Path
        The built site.
    names : list of str
        The pages in order, without `.html`.
    title : str
        Of the whole.
    """
    pages = {name: _read(folder, name) for name in names}
    articles = [
        page.select_one("article.bd-article > section") for page in pages.values()
    ]
    for name, article in zip(names, articles, strict=True):
        _localise(article, name, pages)
    answers = [_answers(article) for article in articles]
    last = f"<section><h1>{ANSWERS}</h1>{''.join(answers)}</section>"
    return SHELL.format(
        language=pages[names[0]].html["lang"],
        title=title,
        styles=_styles(pages),
        chapters="".join(map(str, articles)) + last * any(answers),
    )


def _read(folder, name):
    text = (folder / f"{name}.html").read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser")


def _styles(pages):
    """Return the style sheets of all pages, each once, as the first names them."""
    found = {}
    for name, page in pages.items():
        for link in page.head.find_all("link", rel="stylesheet"):
            link["href"] = _resolve(name, link["href"])
            found.setdefault(link["href"].partition("?")[0], str(link))
    # The sheet for paper is the last word.
    return "".join(sorted(found.values(), key=lambda link: 'media="print"' in link))


def _resolve(name, address):
    """Return a page's address as the site's first folder sees it."""
    if ":" in address or address.startswith("//"):
        return address
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), address))


def clean(article):
    """Take out of a page what has no meaning on paper."""
    for one in article.select(UNPRINTED):
        one.decompose()


def _localise(article, name, pages):
    """Make ids and links of a page fit among the others."""
    clean(article)
    for formula in article.select(":is(h1, h2, h3, h4) .katex"):
        _show_in_bookmark(formula)
    for formula in article.select(".katex:has(.katex-mathml)"):
        _name(formula, tex_of(formula))
        formula.select_one(".katex-mathml").decompose()
    for drawn in article.select(".aw-picture[aria-label]"):
        drawn["role"] = "none"  # one picture, not one in another
        for svg in drawn.select("svg"):
            svg["aria-hidden"] = "true"
        _name(drawn, drawn.attrs.pop("aria-label"))
    for fold in article.select("details"):
        if fold.find("summary", recursive=False):
            fold["open"] = ""
        else:  # a browser would give it the title "Details"
            fold.name = "div"
    for one in article.select("[id]"):
        if one.find_parent("svg") is None:
            one["id"] = f"{name}--{one['id']}"
    article["id"] = name
    for one in article.select("[src]"):
        one["src"] = _resolve(name, one["src"])
    for link in article.select("a[href]"):
        _lead(link, name, pages)


def tex_of(formula):
    """Return a formula's TeX on one line, without the classes of its letters."""
    tex = " ".join(formula.select_one(".nk-tex").text.split())
    return CLASSED.sub(r"\1", tex)


def _name(drawn, words):
    """Give what is drawn a clear picture with its words: Chromium tags no other."""
    looks = "position: absolute; left: 50%"  # of the sheet: a picture may be wider
    clear = f'<img src="{CLEAR}" alt="{html.escape(words)}" style="{looks}">'
    drawn.insert(0, BeautifulSoup(clear, "html.parser"))


def _show_in_bookmark(formula):
    """Leave what is drawn of a heading's formula: a bookmark has no MathML."""
    formula.select_one(".katex-mathml").decompose()
    del formula.select_one(".katex-html")["aria-hidden"]


def _lead(link, name, pages):
    """Let a link lead to a place in the one page, or nowhere on this machine."""
    page, _, place = link["href"].partition("#")
    target = _resolve(name, page).removesuffix(".html") if page else name
    if target in pages:
        link["href"] = f"#{target}--{place}" if place else f"#{target}"
    elif ":" not in page:
        del link["href"]


def _answers(article):
    """Take a chapter's answers out of it; return them below its title."""
    parts = [tell(one) for one in asked(article)]
    if not parts:
        return ""
    return f"<section><h2>{words_of(article.h1)}</h2>{''.join(parts)}</section>"


def asked(article):
    """List a chapter's questions and solutions, in order."""
    found = article.select(f".nk-question, {SOLUTION}")
    inside = ["nk-solution", "tag_solution"]
    return [one for one in found if not one.find_parent(class_=inside)]


def tell(one):
    """Take a question's feedback, or a solution, out of a chapter; return its HTML."""
    return _question(one) if one.name == "fieldset" else _solution(one)


def _question(question):
    """Take the feedback out of a question; return all of it as a numbered list."""
    items = []
    for number, choice in enumerate(question.select(".nk-choice"), 1):
        feedback, label = choice.select_one(".nk-feedback").extract(), choice.label
        right = "nk-right" in choice["class"]
        end = "" if label.text.rstrip()[-1] in ".?!" else "."
        words = f"<b>{'✓ ' if right else ''}{label.decode_contents()}{end}</b>"
        items.append(f"<li>{words} {feedback.decode_contents()}</li>")
        label.insert(0, f"{number}. ")
    title = question.legend.decode_contents()
    told = f'<ol class="aw-told">{"".join(items)}</ol>'
    return f'<p class="aw-asked"><b>{title}</b></p>{told}'


def _solution(solution):
    """Return a solution below the heading of its exercise."""
    heading = solution.find_previous(["h2", "h3", "h4"])
    solution.name = "div"  # no fold: there is nothing to press
    return f"<h3>{words_of(heading)}</h3>{solution.extract()}"


def words_of(heading):
    """Return a heading's HTML without its link to itself."""
    for link in heading.select("a.headerlink"):
        link.decompose()
    return heading.decode_contents()


ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "attention-worked-out.pdf"
FOOTER = """<div style="font-size:7pt;width:100%;margin:0 16mm;color:#5f6773;
display:flex;justify-content:space-between">
<span class="title"></span><span class="pageNumber"></span></div>"""


SHEET = {"width": 672, "height": 1000}  # pixels: A4 less its margins


@contextmanager
def written(names=None, html=HTML, root=ROOT):
    """Write the one page beside the others, in a copy, while it is looked at."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    title = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["title"]
    with tempfile.TemporaryDirectory(dir=html.parent) as folder:
        place = Path(folder) / "html"
        shutil.copytree(html, place, copy_function=os.link)
        path = place / "_all_pages.html"
        path.write_text(one_page(html, names or order(toc), title), encoding="utf-8")
        yield path


@contextmanager
def laid_out(browser, names=None):
    """Open these pages, or all, as one: as wide as a sheet, and without JavaScript."""
    context = browser.new_context(java_script_enabled=False, viewport=SHEET)
    with written(names) as path:
        page = context.new_page()
        page.emulate_media(media="print")
        page.goto(path.as_uri(), timeout=300_000)
        yield page
    context.close()


def print_page(page, target):
    """Print what is laid out."""
    page.pdf(
        path=target,
        format="A4",
        print_background=True,
        outline=True,
        tagged=True,
        display_header_footer=True,
        header_template="<span></span>",
        footer_template=FOOTER,
        margin=dict.fromkeys(("top", "bottom", "left", "right"), "16mm"),
    )


def print_book(target=TARGET):
    """Print all pages."""
    browser_path = find_browser()
    if browser_path is None:
        raise SystemExit("No Chromium found: run `python tools/browser.py`.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        with laid_out(browser) as page:
            print_page(page, target)
        browser.close()
    return target


if __name__ == "__main__":
    print(print_book(*map(Path, sys.argv[1:2])))
