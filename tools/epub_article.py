"""A page of the site, made into what a page of a book can show."""

import re

from bs4 import BeautifulSoup
from pdf_pages import asked, clean, tell, words_of

# What leads somewhere else on the site, or does something there.
LEFT_OUT = ".aw-strip, .aw-claims-filter, .copybtn, template, [popover]"
ANSWERS = "Answers and solutions"
MANY_COLUMNS = 4
# Of the light theme, for readers that know no CSS variables.
LIGHT = {
    "query": "#0067a8",
    "key": "#b34a00",
    "value": "#00735a",
    "weights": "#7b3aa0",
    "muted": "#5f6773",
}
VARIABLE = re.compile(
    r"var\(--(?:aw-)?([a-z-]+)(?:,\s*([^()]*(?:\([^()]*\))?[^()]*))?\)"
)


def simplify(article):
    """Leave what a page in a book can show."""
    for one in article.select(LEFT_OUT):
        one.decompose()
    clean(article)
    for link in article.select("a.headerlink"):
        link.decompose()
    for formula in article.select(".katex"):
        math = formula.math.extract()
        math["alttext"] = " ".join(formula.select_one(".nk-tex").text.split())
        formula.replace_with(math)


def let_go(article):
    """Let what folds, moves or is pressed on the site be words."""
    for fold in article.select("details"):
        fold.name = "div"
        del fold["open"]
    for title in article.select("summary"):
        title.name = "div"
    for one in article.select("form"):
        one.decompose()
    for one in article.select("button, label, a:not([href])"):
        plain(one)
    for one in article.select("p:has(> ul, > ol)"):  # which Sphinx writes
        one.name = "div"
    for one in article.select("[style]"):
        one["style"] = plain_colors(one["style"])


def name_cells(article):
    """Let each cell of a wide table of words know its column: a phone stacks them."""
    for table in article.select("table:not([class^=attnlib])"):
        names = [text_of(one) for one in table.select("thead th, thead td")]
        if len(names) < MANY_COLUMNS:
            continue
        table["class"] = [*table.get("class", []), "stacked"]
        for row in table.select("tbody tr"):
            cells = row.find_all(["th", "td"], recursive=False)
            for name, cell in zip(names, cells, strict=True):
                cell["data-label"] = f"{name}: " if name else ""


def move_answers(article):
    """Put answers at the end, and links in their places."""
    parts = []
    for number, one in enumerate(asked(article), 1):
        there, back = f"answer-{number}", f"asked-{number}"
        name = "Answer" if one.name == "fieldset" else "Solution"
        link = f'<p class="to-answer" id="{back}"><a href="#{there}">{name}</a></p>'
        one.insert_after(BeautifulSoup(link, "html.parser"))
        back = f'<p><a href="#{back}">Back to the question</a></p>'
        parts.append(f'<section id="{there}">{tell(one)}{back}</section>')
    if parts:
        words = f"<h2>{ANSWERS}</h2>{''.join(parts)}"
        last = f'<section id="answers-and-solutions">{words}</section>'
        article.append(BeautifulSoup(last, "html.parser"))


def plain(one):
    """Let what can be pressed on the site be words."""
    one.name = "span"
    one.attrs = {key: one[key] for key in ("class", "id") if key in one.attrs}


def text_of(heading):
    """Return a heading's words, formulas as they are spoken of."""
    words = BeautifulSoup(words_of(heading), "html.parser")
    for source in words.select(".nk-tex"):
        source.decompose()
    return " ".join(words.text.split())


def plain_colors(style):
    """Write the light theme's value in place of each CSS variable that has one."""
    return VARIABLE.sub(lambda one: LIGHT.get(one[1]) or one[2] or one[0], style)
