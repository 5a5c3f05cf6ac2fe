"""Each declared figure on a page of its own, `embed/NAME.html`: for other pages.

One file, which asks for nothing else: its script, its style, its data, and, for readers
without scripts, its still picture and its tables. The state is in the address
(`?scores=3,2,1&temperature=0.5`), and so is a theme (`theme=dark`) where a host has one
of its own. The page tells its host how high it is (`postMessage`).
"""

import functools
import gzip
import html
import json
import posixpath
import re
from pathlib import Path
from urllib.parse import urlencode

from sphinx_nokernel.styles import purged

from ..figures.kit import inputs
from ..figures.kit.panel import COMMENT, FOLDED
from ..figures.listed import figure
from ..javascript import script_of
from .few_letters import written
from .figure_places import places

# The scripts of figures that stand alone: bundled, and written with few letters.

KIT = Path(inputs.__file__).parent
STAGES = [KIT / "embed.js", KIT / "inputs.js"]


def scripts(figures):
    """Return the script of each figure, by name."""
    made = {one.name: one for one in figures}
    data = {name: one.alone(one.data) for name, one in made.items()}
    workers = {name: one["worker"] for name, one in data.items() if "worker" in one}
    for name, text in written(workers, module=True).items():
        data[name]["worker"] = text
    whole = {
        name: script_of(one.script, STAGES, _call(one(), data[name]))
        for name, one in made.items()
    }
    return written(whole, module=True)


def _call(panel, data):
    """Return the last statement: the figure, and all that Python would tell it."""
    figure, view = panel.figure, panel.view
    traits = [t for name, one in figure.controls.items() for t in one.names(name)]
    held = {"data": data, **{n: getattr(view, n) for n in ("spec", *traits)}}
    held["inputs"] = inputs.inputs(panel)
    looks = sorted({one["look"] for one in held["inputs"]})
    made = ", ".join(f'"{look}": {inputs.MADE[look]}' for look in looks)
    make = f", {{{made}}}, makeInput" if looks else ""
    if panel.figure.folded_as != FOLDED:
        held["folded"] = panel.figure.folded_as
    return f"embed(figure, {json.dumps(held)}{make});"


FOLDER = "embed"
POLICY = 240  # bytes that it takes of a page, as a host sends it
WORD = re.compile(r"[A-Za-z_][\w-]*")
SPACE = re.compile(r"\s*([{};,])\s*|(:)\s+|\s+")
PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{css}</style></head>
<body><main class="aw-panel"><h1>{title}</h1>
<noscript><style>:root {{ color-scheme: light; }}</style>{still}</noscript></main>
<footer>From <a href="{lesson}" target="_blank" rel="noopener">{source}</a>, \
CC BY 4.0</footer>
<script type="module">
{script}</script></body></html>
"""


def address(figure, state):
    """Return the address of a figure's page in a state, from the site's first folder.

    What is as the figure begins is not said.
    """
    begun = figure.begun()
    told = {name: one for name, one in state.items() if one != begun[name]}
    parts = {name: _written(one) for name, one in told.items()}
    query = f"?{urlencode(parts, safe=',')}" if parts else ""
    return f"{FOLDER}/{figure.name}.html{query}"


def _written(value):
    if value is None:  # nothing is chosen
        return ""
    values = value if isinstance(value, list | tuple) else [value]
    return ",".join(x if isinstance(x, str) else f"{x:.15g}" for x in values)


def page(figure, script, lesson, source):
    """Return a page that shows one figure.

    Where the picture for readers without scripts would make it heavier than it may be,
    they have what it shows in words and tables alone.

    Parameters
    ----------
    figure : Figure
    script : str
    lesson, source : str
        The address of the page that explains it, and what that and the course are
        called.
    """
    panel = figure()
    own = COMMENT.sub("", (KIT / "embed.css").read_text(encoding="utf-8"))
    style = purged(panel.view._css + own, classes(figure.name, script))
    filled = functools.partial(
        PAGE.format,
        title=html.escape(figure.spec["title"]),
        css=squeezed(style),
        lesson=html.escape(lesson),
        source=html.escape(source),
        script=script,
    )
    whole = filled(still=panel._still().svg + told(panel))
    fits = weight(whole) <= figure.heaviest - POLICY
    return whole if fits else filled(still=told(panel))


def classes(name, script):
    """Return every word that may be a class in a figure's page.

    Scripts put some together: `aw-` and the figure's own name, or a longer beginning
    and any other word, or a digit.
    """
    words = {*WORD.findall(script)}
    begun = {word for word in words if word.endswith("-")} - {"aw-"}
    ends = {*words, *map(str, range(10))}
    return {*words, f"aw-{name}", *(start + end for start in begun for end in ends)}


def squeezed(css):
    """Return a style sheet without the spaces that it can do without."""
    return SPACE.sub(lambda found: found[1] or found[2] or " ", css)


def weight(text):
    """Return how many bytes of a page a host sends."""
    return len(gzip.compress(text.encode(), mtime=0))


def told(panel):
    """Return what the picture shows, in words and tables."""
    said = panel.describe()
    tables = "".join(map(_table, said["tables"]))
    return f"<p>{html.escape(said['summary'])}</p>{tables}"


def _table(one):
    head = "".join(
        f'<th scope="col">{html.escape(str(x))}</th>' for x in one["columns"]
    )
    rows = (
        f'<tr><th scope="row">{html.escape(str(name))}</th>'
        + "".join(f"<td>{html.escape(x)}</td>" for x in row)
        for name, row in zip(one["rows"], one["cells"], strict=True)
    )
    caption = html.escape(one["caption"])
    return (
        f"<table><caption>{caption}</caption><tr><td></td>{head}{''.join(rows)}</table>"
    )


def _write(app, error):
    """Write the page of each declared figure that the book shows."""
    found = places(app.env).values() if not error and app.builder.name == "html" else ()
    if not found:
        return
    figures = {one: figure(one.name) for one in found}
    written = scripts(figures.values())
    folder = Path(app.outdir, FOLDER)
    folder.mkdir(exist_ok=True)
    for one, made in figures.items():
        uri = app.builder.get_target_uri(one.page)
        lesson = posixpath.join(app.config.html_baseurl or "..", uri)
        source = f"“{app.env.titles[one.page].astext()}” in {app.config.project}"
        text = page(made, written[one.name], lesson, source)
        (folder / f"{one.name}.html").write_text(text, encoding="utf-8")


def setup(app):
    """Connect with Sphinx, before each page gets its policy."""
    app.connect("build-finished", _write, priority=920)
