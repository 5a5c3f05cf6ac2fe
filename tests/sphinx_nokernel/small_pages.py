"""Small pages with live figures in them, written to disk and opened from file://."""

import json
from pathlib import Path

import anywidget
import ipywidgets as w
import traitlets as t
from ipywidgets.embed import dependency_state

import sphinx_nokernel
from sphinx_nokernel.widget_models import SCRIPTS

ASSETS = Path(sphinx_nokernel.__file__).parent / "static" / "nokernel"
VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="{assets}/nokernel.css">
<link rel="stylesheet" href="{assets}/mount-widgets.css">
<link rel="stylesheet" href="{assets}/more-widgets.css">
{scripts}<main>{figures}{state}</main>"""
SCRIPT = '<script defer src="{assets}/{name}"></script>'
NAMES = ["saved-models.js", "widget-kit.js", *SCRIPTS, "mount-widgets.js"]
FIGURE = """<section><div class="nk-still">A still picture</div>
<script type="{kind}">{view}</script></section>"""
READY = "mountWidgets.ready.then((all) => [(window.all = all).live, all.still])"
DRAW = """
  const draw = () => { el.textContent = JSON.stringify(model.get("x")); };
  el.classList.add("probe");
  model.on("change:x", draw);
  draw();
"""


class Probe(anywidget.AnyWidget):
    """The smallest picture: it writes what it was given."""

    _esm = f"export default {{ render({{ model, el }}) {{ {DRAW} }} }};"
    x = t.Any(0).tag(sync=True)


def probe(esm, **traits):
    """A widget whose JavaScript is `esm`, in which DRAW may be used."""
    return Probe(_esm=esm.replace("DRAW", DRAW), **traits)


def panel(control, trait="value", **traits):
    """One control linked to a probe, in a column."""
    view = Probe(**traits)
    w.jslink((control, trait), (view, "x"))
    return w.VBox([control, view])


def saved(*roots):
    """What a kernel saves of these widgets, and of all that they need."""
    return {"state": dependency_state(roots, drop_defaults=False) if roots else {}}


def html(ids, state):
    views = [json.dumps({"model_id": one}) if one else "{oops" for one in ids]
    figures = "".join(FIGURE.format(kind=VIEW, view=view) for view in views)
    text = state if isinstance(state, str) else json.dumps(state)
    tag = f'<script type="{STATE}">{text}</script>' if text else ""
    assets = ASSETS.as_uri()
    scripts = "\n".join(SCRIPT.format(assets=assets, name=name) for name in NAMES)
    return PAGE.format(assets=assets, scripts=scripts, figures=figures, state=tag)


class SmallPages:
    """Opens pages, in one context for the same options; as a manager, closes them."""

    def __init__(self, browser, folder):
        self.browser, self.path, self.contexts = browser, folder / "page.html", {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for context in self.contexts.values():
            context.close()

    def close(self):
        """Close the pages, and keep the contexts for the next test."""
        for context in self.contexts.values():
            for page in context.pages:
                page.close()

    def load(self, *roots, ids=None, state=None, text=None, setup="", **options):
        """A page with these figures, when they are mounted.

        `page.said` holds all that it wrote to the console, each error in it and each
        request beyond the disk; `page.mounted` how many are live and how many still.
        """
        ids = [root.model_id for root in roots] if ids is None else ids
        text = text or html(ids, saved(*roots) if state is None else state)
        self.path.write_text(text, encoding="utf-8")
        page = self._new_page(options)
        page.add_init_script(setup)
        page.goto(self.path.as_uri())
        if options.get("java_script_enabled", True):
            page.mounted = page.evaluate(READY)
            page.evaluate("0")  # a round trip: all that was said has arrived
        return page

    def _new_page(self, options):
        key = json.dumps(options, sort_keys=True)
        if key not in self.contexts:
            self.contexts[key] = self.browser.new_context(**options)
        page = self.contexts[key].new_page()
        page.said = listen(page)
        return page


def listen(page):
    """Return a list that all errors and requests of the page will be noted in."""
    said = []
    page.on("console", lambda m: _hear(said, m))
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.on("request", lambda request: _note(said, request.url))
    return said


def _hear(said, message):
    if message.type in ("error", "warning"):
        said.append(f"{message.type}: {message.text}")


def _note(said, url):
    if not url.startswith(("file:", "blob:", "data:")):
        said.append(f"request: {url}")


def x_of(page, index=0):
    return json.loads(page.locator(".probe").nth(index).inner_text())
