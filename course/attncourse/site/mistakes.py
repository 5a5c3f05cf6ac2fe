"""The directive that lists every known mistake, from the tables that checkers use.

    :::{every-mistake}
    :::

Each exercise has a section of its own: the lesson that asks it, one verdict as a
learner sees it, and, folded, its mistakes by code. A mistake is said in the words of
its verdict, with the formula that stands in the table. Where two exercises have the
same mistakes, the second says so.
"""

import inspect
import re
from collections import defaultdict
from functools import cache
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

import named_mistakes
from attncourse.practice import exercises, mistakes
from attncourse.practice.catalogue import EXERCISES
from attncourse.practice.check import said_of
from attncourse.practice.exercises.causal_mask import LOOK, MEANINGS
from named_mistakes.formula import Formula

SOURCES = (named_mistakes, exercises, mistakes)
FORM = """\
<form class="aw-mistakes-filter" hidden role="search"><label>Find a mistake: \
a word of it, or its name <input type="search" name="words" autocomplete="off">\
</label> \
<span role="status"></span></form>"""
PRIVATE = re.compile(r"\b_(?=[a-z])")  # what readers need not see of a name
CHECKED = r'\bcheck\(\\?"(\w+)\\?"'  # in Markdown, and in the JSON of a notebook


class lesson_of(nodes.Inline, nodes.TextElement):
    """The lesson that asks an exercise. Attributes: exercise."""


class EveryMistake(SphinxDirective):
    """The directive: a section for each exercise."""

    def run(self):
        """Return the sections, and depend on all that they are made of."""
        for package in SOURCES:
            for path in Path(package.__path__[0]).glob("*.[pm][yi]*"):
                self.env.note_dependency(str(path))
        first = {}
        sections = [
            self._section(one, first.setdefault(id(one.mistakes), one.name))
            for one in EXERCISES.values()
        ]
        return [nodes.raw("", FORM, format="html"), *sections]

    def _section(self, exercise, same):
        name = exercise.name
        section = nodes.section("", nodes.title("", "", nodes.literal("", name)))
        section["ids"] = [name.replace("_", "-")]
        section["names"] = [name]
        asked = nodes.paragraph("", "", lesson_of("", "", exercise=name))
        section += asked
        if same != name and exercise.mistakes:
            asked += nodes.Text("It has the mistakes of ")
            where = {"refid": same.replace("_", "-")}
            asked += nodes.reference("", "", nodes.literal("", same), **where)
            asked += nodes.Text(", and some that show only in what it holds at once.")
        else:
            section += nodes.raw("", _html(exercise), format="html")
        return section


def plain_every_mistake(argument, options, body, reader):
    """Return the same for copies of the page, in which HTML may stand as well."""
    first, parts = {}, []
    for one in EXERCISES.values():
        same = first.setdefault(id(one.mistakes), one.name)
        shared = same != one.name and one.mistakes
        told = f"It has the mistakes of `{same}`." if shared else _html(one)
        parts += [f"## `{one.name}`", told]
    return "\n\n".join(parts)


def _html(exercise):
    """Return an example of a verdict, and the folded mistakes."""
    by_code = defaultdict(lambda: defaultdict(list))
    for one in exercise.mistakes:
        by_code[one.code][one.look].append(one)
    if not by_code:
        return _folded(len(MEANINGS), len(MEANINGS), map(_told, MEANINGS))
    codes = [_code(code, looks) for code, looks in by_code.items()]
    count = len(exercise.mistakes)
    return _example(exercise.name) + _folded(count, len(codes), codes)


def _folded(count, n_codes, items):
    several = f"{count} mistakes with {n_codes} names"
    summary = f"<summary>{several}</summary>"
    items = "".join(items)
    return f'<details class="aw-mistakes">{summary}<dl>{items}</dl></details>'


def _code(code, looks):
    """Return one code: where to look, and what leads there."""
    parts = [f"<dt><code>{escape(code)}</code></dt>"]
    for look, several in looks.items():
        ways = defaultdict(list)
        for one in several:
            ways[one.cause].append(_formulas(one))
        items = (f"<li>{_words(w)}: {', or '.join(f)}</li>" for w, f in ways.items())
        end = "" if look.endswith("?") else "."
        parts.append(f"<dd>Look at {_words(look)}{end}<ul>{''.join(items)}</ul></dd>")
    return "".join(parts)


def _formulas(one):
    """Return what a mistake computes, step by step."""
    return ", ".join(
        f"<code>{escape(PRIVATE.sub('', f'{name} = {formula}'), quote=False)}</code>"
        for name, step in one.steps.items()
        if isinstance(formula := inspect.unwrap(step), Formula)
    )


def _told(code):
    """Return a code of the exercise whose mistakes are read from the answer."""
    told = f"It is said of your mask: {MEANINGS[code]}. Remember that {LOOK[code]}."
    return f"<dt><code>{code}</code></dt><dd>{_words(told)}</dd>"


def _words(text):
    """Return words with what stands between backticks as code."""
    pieces = escape(text, quote=False).split("`")
    return "".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(pieces))


@cache
def _example(name):
    """Return what is said to someone who made the first mistake of the table."""
    said = said_of(EXERCISES[name], EXERCISES[name].mistakes[0])
    return f'<p class="aw-verdict">✗ {_words(said)}</p>'


class WriteLessons(SphinxPostTransform):
    """Say which page asks an exercise first, once all titles are known."""

    default_priority = 200

    def run(self, **_):
        """Rewrite one page."""
        places = None
        for node in list(self.document.findall(lesson_of)):
            places = _places(self.env) if places is None else places
            node.replace_self(self._said(places.get(node["exercise"])))

    def _said(self, page):
        if page is None:
            return []
        address = self.app.builder.get_relative_uri(self.env.docname, page)
        title = self.env.titles[page].astext()
        link = nodes.reference("", title, refuri=address)
        return [nodes.Text("Asked in “"), link, nodes.Text("”. ")]


def _places(env):
    """Find the first page, in the order of the side bar, that has each exercise."""
    found = {}
    for page in _in_order(env, env.config.root_doc):
        text = Path(env.doc2path(page)).read_text(encoding="utf-8")
        for name in re.findall(CHECKED, text):
            found.setdefault(name, page)
    return found


def _in_order(env, page):
    yield page
    for below in env.toctree_includes.get(page, []):
        yield from _in_order(env, below)


def _load_filter(app, _pagename, _template, context, _doctree):
    if 'class="aw-mistakes-filter"' in context.get("body", ""):
        app.add_js_file("mistakes-filter.js", loading_method="defer")


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", _load_filter)
    app.add_directive("every-mistake", EveryMistake)
    app.add_node(lesson_of)
    app.add_post_transform(WriteLessons)
