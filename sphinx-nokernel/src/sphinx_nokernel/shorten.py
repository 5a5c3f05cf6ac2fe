"""Shorter pages: the saved state that a page's widgets use, and shorter drawings.

myst-nb saves every widget that a notebook made, also those that it shows nowhere, and
for each its layout and style, which `mount-widgets.js` leaves to the page's own style
sheet. matplotlib names every part of a drawing and every typeface it could be set in,
and writes coordinates to a millionth of a point. The page sets the typeface, and a
tenth of a point, less than a screen's pixel, will do. (SVGO would do the same for the
drawings; it needs 40 more packages from npm to take as much off.)
"""

import json
import re

REFERENCE = re.compile(r"IPY_MODEL_(\w+)")
MODEL = re.compile(r'"model_id": ?"(\w+)"')
LOOKS = re.compile(r"(?:Layout|Style)Model$")
DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
USED = re.compile(r'(?:href="|url\()#([\w-]+)')
NAMED = re.compile(r'(<g) id="([\w-]+)"')
TYPEFACE = re.compile(r"font-family: [^;\"]*;? ?| transform=\"rotate\(-0 [^\"]*\"")
NUMBERS = re.compile(r'(\s(?:points|x|y)=")([^"]*)')
PATH = re.compile(r'(\sd=")([^"]*)')
LONG = re.compile(r"-?\d+\.\d{2,}")
LINES = re.compile(r"(?:\s*(?:[ML]\s*-?[\d.]+[\s,]+-?[\d.]+|[zZ]))+\s*")
STEP = re.compile(r"([ML])\s*(-?[\d.]+)[\s,]+(-?[\d.]+)|[zZ]")


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


def shorten_svg(body):
    """Return HTML whose drawings look the same and weigh less."""
    return DRAWING.sub(lambda found: _shorten_drawing(found[0]), body)


def _shorten_drawing(svg):
    used = set(USED.findall(svg))
    svg = NAMED.sub(lambda found: found[0] if found[2] in used else found[1], svg)
    svg = TYPEFACE.sub("", svg)
    svg = NUMBERS.sub(lambda found: found[1] + _rounded(found[2]), svg)
    return PATH.sub(lambda found: found[1] + _shorten_path(found[2]), svg)


def _rounded(text):
    return LONG.sub(lambda number: _tenths(round(10 * float(number[0]))), text)


def _tenths(count):
    return f"{count / 10:g}"


def _shorten_path(path):
    """Round a path; write one of straight lines as steps, each from the last point."""
    if not LINES.fullmatch(path):
        return _rounded(path)
    text, at, start = "", (0, 0), (0, 0)
    for step in STEP.finditer(path):
        if not step[1]:
            text, at = f"{text}z", start
            continue
        to = tuple(round(10 * float(number)) for number in step.groups()[1:])
        x, y = to if step[1] == "M" else (to[0] - at[0], to[1] - at[1])
        text += f"{step[1] if step[1] == 'M' else 'l'}{_tenths(x)} {_tenths(y)}"
        at, start = to, to if step[1] == "M" else start
    return text
