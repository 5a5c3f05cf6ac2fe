"""Slimmer pages: the saved state that a page's figures use, and shorter numbers in SVG.

myst-nb saves every widget that a notebook made, also those that it shows nowhere, and
for each its layout and style, which `mount-widgets.js` leaves to the page's own style
sheet. matplotlib writes coordinates to a millionth of a point; a hundredth will do.
"""

import json
import re

REFERENCE = re.compile(r"IPY_MODEL_(\w+)")
MODEL = re.compile(r'"model_id": ?"(\w+)"')
LOOKS = re.compile(r"(?:Layout|Style)Model$")
PATH = re.compile(r'(\s(?:d|points)=")([^"]*)')
LONG = re.compile(r"-?\d+\.\d{3,}")


def slim_state(text, body):
    """Return saved widget state (JSON) without what no view in `body` leads to."""
    saved = json.loads(text)
    models = {
        name: model
        for name, model in saved["state"].items()
        if not LOOKS.search(model["model_name"])
    }
    links = {n: m for n, m in models.items() if "Link" in m["model_name"]}
    used = _reached(models, MODEL.findall(body))
    used |= {n for n, m in links.items() if _ends(m) <= used}
    saved["state"] = {name: models[name] for name in models if name in used}
    # Inside a script element, nothing may look like its end.
    return json.dumps(saved, separators=(",", ":")).replace("</", "<\\/")


def _ends(model):
    return set(REFERENCE.findall(json.dumps(model["state"])))


def _reached(models, start):
    reached, more = set(), set(start)
    while more := (more & models.keys()) - reached:
        reached |= more
        more = set().union(*(_ends(models[name]) for name in more))
    return reached


def slim_svg(body):
    """Return HTML with the coordinates of its drawings rounded to two places."""

    def short(number):
        return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")

    return PATH.sub(lambda found: found[1] + LONG.sub(short, found[2]), body)
