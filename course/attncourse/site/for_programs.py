"""Pages for programs that read: `llms.txt`, and a Markdown copy beside each page.

sphinx-llm-friendly makes them, in the same build and from the same trees, so that a
build without solutions has none there either. It copies a page before previews take out
of its tree what describes it badly. The button that it adds to every page, by a script
in the page itself, stays away: a page's source is one press away already.
"""

EXTENSION, BUTTON = "sphinx_llm_friendly", "scrapy-copy-as-markdown"
FIRST = 300  # before previews.py


def _copy_first(app, _config):
    listeners = app.events.listeners["html-page-context"]
    for place, one in enumerate(listeners):
        if one.handler.__module__ == EXTENSION:
            listeners[place] = one._replace(priority=FIRST)


def _drop_button(_app, _page, _template, context, _doctree):
    scripts = context["script_files"]  # to which others add until the page is written
    scripts[:] = [one for one in scripts if BUTTON not in _body(one)]


def _body(script):
    return getattr(script, "attributes", {}).get("body") or ""


def setup(app):
    """Connect with Sphinx."""
    app.connect("config-inited", _copy_first)  # once every extension is there
    app.connect("html-page-context", _drop_button, priority=600)
