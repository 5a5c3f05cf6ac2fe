"""Live widgets without a kernel: what the page keeps, and what it cannot show.

A widget's output offers a view and, perhaps, HTML or a picture. myst-nb keeps only the
first of these. Here both are kept: readers without JavaScript, print and PDF get the
still picture; `mount-widgets.js` hides it once the live view stands. Widgets that it
cannot show are named in a warning (`suppress_warnings = ["nokernel.widget"]` silences
it) and, on the page, beside what the output holds besides the view.
"""

import json

from docutils import nodes
from sphinx.util import logging

from .widget_state import shown_models

logger = logging.getLogger(__name__)

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
STILLS = ("text/html", "image/svg+xml", "image/png", "image/jpeg")  # best first
# What mount-widgets.js shows; a test holds that it says the same.
SHOWN = {
    *("VBoxModel", "HBoxModel", "BoxModel", "AccordionModel", "AnyModel", "LabelModel"),
    *("IntSliderModel", "FloatSliderModel", "FloatLogSliderModel"),
    *("SelectionSliderModel", "DropdownModel", "CheckboxModel"),
    *("ToggleButtonsModel", "RadioButtonsModel", "LinkModel", "DirectionalLinkModel"),
}


def keep_still_pictures(app, document):
    """Split each output that holds a widget view and a picture into its two parts."""
    for bundle in list(document.findall(nodes.container)):
        if bundle.get("nb_element") != "mime_bundle":
            continue
        parts = {part["mime_type"]: part.children for part in bundle.children}
        kind = next((kind for kind in STILLS if kind in parts), None)
        if VIEW in parts and kind:
            still = nodes.container("", *parts[kind], classes=["nk-still"])
            figure = nodes.container("", still, *parts[VIEW], classes=["nk-figure"])
            bundle.parent.replace(bundle, figure)


def use_own_mount(app, config):
    """Take the place of require.js and html-manager, which come from another host."""
    if config.nokernel_widgets:
        config.nb_ipywidgets_js = {}


def load_widgets(app, page):
    """Add the script that mounts widgets to pages with some; name what it cannot."""
    if app.config.nokernel_widgets and VIEW in page.body:
        app.add_css_file("nokernel/mount-widgets.css")
        app.add_js_file("nokernel/mount-widgets.js", loading_method="defer")
        for name in sorted(unknown_models(page)):
            logger.warning(
                "%s cannot be shown without a kernel; the page keeps what else its "
                "cell put out",
                name,
                location=page.name,
                type="nokernel",
                subtype="widget",
            )


def unknown_models(page):
    """Return the names of the widgets in a page's views that cannot be mounted."""
    texts = [one.attributes.get("body") or "{}" for one in page.data()]
    states = [json.loads(text).get("state", {}) for text in texts]
    shown = [shown_models(state, page.body).values() for state in states]
    names = {model["model_name"] for models in shown for model in models}
    return {name.removesuffix("Model") for name in names - SHOWN}
