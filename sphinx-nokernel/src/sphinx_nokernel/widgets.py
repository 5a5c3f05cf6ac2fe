"""Live widgets without a kernel: which pages get them, and their still pictures.

A page whose widgets `mount-widgets.js` can all show gets that script in place of
require.js and html-manager. Any other page keeps what it has, with all of its saved
state, and the build's log says why; so does a book that sets `nb_ipywidgets_js` itself.
With `nokernel_widgets = "always"` every page with widgets gets the script, and a
warning names what it cannot show (`suppress_warnings = ["nokernel.widget"]` silences
it).

A widget's output offers a view and perhaps HTML or a picture, of which myst-nb keeps
only the first. Where widgets are mounted, both are kept: the still picture serves
readers without JavaScript, print and PDF, and `mount-widgets.js` hides it once the live
view is there.
"""

import json
import re

from docutils import nodes
from myst_nb.core.config import ipywidgets_js_factory
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.util import logging

from .pages import pages_in
from .widget_models import MORE, scripts_for, unfollowed, unmountable
from .widget_state import VIEW, shown_models

logger = logging.getLogger(__name__)

STILLS = ("text/html", "image/svg+xml", "image/png", "image/jpeg")  # best first
REQUIRE = re.compile(r"\brequire(?:js)?\s*(?:\(|\.config|\.undef)|\bdefine\s*\(")


def choose_mount(app, document):
    """Record on a page with widgets whether this package mounts them."""
    found = [raw.astext() for raw in document.findall(nodes.raw)]
    views = "".join(text for text in found if VIEW in text)
    if not views:
        return
    models = _shown(app, views)
    if models is None:
        leave_views_out(app, document)
    document["nk_mounts"] = models is not None and _mounts(app, models)
    if models is not None and document["nk_mounts"]:
        document["nk_scripts"] = scripts_for(models.values())


def _shown(app, views):
    """Return the models that the views need, or None where myst-nb saved none."""
    page = app.env.docname
    texts = [kwargs["body"] for kwargs in saved(app.env, pages_in(app, page))]
    if not texts:
        logger.info("%s: its widgets have no state saved by myst-nb; left alone", page)
        return None
    state = {}
    for text in texts:
        state.update(json.loads(text)["state"])
    return shown_models(state, views)


def _mounts(app, models):
    page = app.env.docname
    choice = app.env.metadata[page].get("nokernel_widgets", app.config.nokernel_widgets)
    reasons = unmountable(models.values())
    if choice is True and app.config.nb_ipywidgets_js != ipywidgets_js_factory():
        logger.info("%s: widgets are left to the book's own nb_ipywidgets_js", page)
        return False
    if choice is True and reasons:
        why = ", ".join(reasons)
        logger.info("%s: %s cannot be mounted; the page keeps html-manager", page, why)
        return False
    for reason in reasons if choice == "always" else ():
        logger.warning(
            "%s cannot be shown without a kernel; the page keeps what else its cell "
            "put out",
            reason,
            location=page,
            type="nokernel",
            subtype="widget",
        )
    for name in unfollowed(models) if choice else ():
        logger.info(
            "%s: %s moves, and nothing follows it: what observe or interact computes "
            "needs a kernel; jslink does not",
            page,
            name,
        )
    return bool(choice)


def saved(env, names):
    """Return the attributes of the scripts in which myst-nb saved widget state."""
    files = (NbMetadataCollector.get_js_files(env, name) for name in names)
    found = (one.get("ipywidgets_state") for one in files)
    return [attributes for _, attributes in filter(None, found)]


def keep_still_pictures(app, document):
    """Keep both the view and the picture of each output that has the two."""
    for bundle in view_bundles(document) if document.get("nk_mounts") else ():
        parts = {part["mime_type"]: part.children for part in bundle.children}
        if kind := next((kind for kind in STILLS if kind in parts), None):
            still = nodes.container("", *parts[kind], classes=["nk-still"])
            figure = nodes.container("", still, *parts[VIEW], classes=["nk-figure"])
            bundle.parent.replace(bundle, figure)


def view_bundles(document):
    """Yield the outputs that hold a widget view, with all their forms."""
    for bundle in list(document.findall(nodes.container)):
        kinds = [part.get("mime_type") for part in bundle.children]
        if bundle.get("nb_element") == "mime_bundle" and VIEW in kinds:
            yield bundle


def leave_views_out(app, document):
    """Remove widget views from outputs with other forms, where no script can run."""
    for bundle in view_bundles(document):
        if len(bundle.children) > 1:
            bundle[:] = [part for part in bundle if part["mime_type"] != VIEW]


def load_widgets(app, page):
    """Load the script that mounts widgets, in place of html-manager."""
    if app.builder.name == "singlehtml":
        _load_other_pages(app, page)
    if not page.mounts:
        return
    usual = {*app.config.nb_ipywidgets_js}
    if REQUIRE.search(page.body):  # other outputs use it
        usual = {name for name in usual if "require" not in name}
    scripts = page.context["script_files"]
    scripts[:] = [one for one in scripts if str(one.filename) not in usual]
    app.add_css_file("nokernel/mount-widgets.css")
    if MORE.keys() & {*page.doctree["nk_scripts"]}:
        app.add_css_file("nokernel/more-widgets.css")
    for name in page.doctree["nk_scripts"]:
        app.add_js_file(f"nokernel/{name}", loading_method="defer")


def _load_other_pages(app, page):
    """Load on a single-page book what myst-nb loads on separate pages."""
    present: set[str | None] = {
        str(one.filename) for one in page.context["script_files"]
    }
    for name in pages_in(app, page.name):
        files = (
            NbMetadataCollector.get_js_files(app.env, name) if name != page.name else {}
        )
        for path, attributes in files.values():
            if path is None or path not in present:
                app.add_js_file(path, **attributes)
                present.add(path)
