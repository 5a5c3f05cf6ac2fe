"""The saved state of widgets, without what a page does not show.

myst-nb saves every widget that a notebook made, also those that it shows nowhere, and
for each its layout and style, which `mount-widgets.js` leaves to the page's own style
sheet.
"""

import json
import re

REFERENCE = re.compile(r"IPY_MODEL_(\w+)")
MODEL = re.compile(r'"model_id": ?"(\w+)"')
LOOKS = re.compile(r"(?:Layout|Style)Model$")


def shown_models(state, body):
    """Return the models of a saved state that the views in `body` lead to, by id."""
    models = {
        name: model
        for name, model in state.items()
        if not LOOKS.search(model["model_name"])
    }
    links = {n: m for n, m in models.items() if "Link" in m["model_name"]}
    used = _reached(models, MODEL.findall(body))
    used |= {n for n, m in links.items() if _ends(m) <= used}
    return {name: models[name] for name in models if name in used}


def shorten_state(text, body):
    """Return saved widget state (JSON) without what no view in `body` leads to."""
    saved = json.loads(text)
    saved["state"] = shown_models(saved["state"], body)
    # Inside a script element: nothing like its end, and no control characters.
    text = json.dumps(saved, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("\x7f", "\\u007f")


def _ends(model):
    return set(REFERENCE.findall(json.dumps(model["state"])))


def _reached(models, start):
    reached, more = set(), set(start)
    while more := (more & models.keys()) - reached:
        reached |= more
        more = set().union(*(_ends(models[name]) for name in more))
    return reached
