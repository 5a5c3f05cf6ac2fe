"""The saved state of widgets, without what a page does not show.

myst-nb saves every widget that a notebook made, also those that it shows nowhere, and
for each its layout and style, which `mount-widgets.js` leaves to the page's own style
sheet. A kernel names widgets by chance, and a notebook from the cache of executed ones
has its keys in another order than one that has just run: the page has both in the same
order in every build.
"""

import json
import re

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
REFERENCE = re.compile(r"IPY_MODEL_(\w+)")
MODEL = re.compile(r'"model_id": ?"(\w+)"')
LOOKS = re.compile(r"(?:Layout|Style)Model$")
BY_CHANCE = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
SAVED_VIEW = re.compile(r'(?<=widget-view\+json">)[^<]*(?=</script>)')


def shown_models(state, body):
    """Return the models of a saved state that the views in `body` lead to, by id."""
    models = {
        name: model
        for name, model in state.items()
        if not LOOKS.search(model["model_name"])
    }
    links = {n: m for n, m in models.items() if "Link" in m["model_name"]}
    used = _reached(models, MODEL.findall(body))
    used |= {n for n, m in links.items() if used.issuperset(_ends(m))}
    return {name: models[name] for name in _in_order(models, body) if name in used}


def shorten_state(text, body):
    """Return saved widget state (JSON) without what no view in `body` leads to."""
    saved = json.loads(text)
    models = shown_models(saved["state"], body)
    saved["state"] = {name: json.loads(text_of(models[name])) for name in models}
    # Inside a script element: nothing like its end, and no control characters.
    text = json.dumps(dict(sorted(saved.items())), separators=(",", ":"))
    return text.replace("</", "<\\/").replace("\x7f", "\\u007f")


def number_widgets(html, known):
    """Name these widgets of a page by their place in it, and sort their views' keys."""
    names = {}

    def name(match):
        if match[0] not in known:
            return match[0]
        return names.setdefault(match[0], f"widget_{len(names) + 1}")

    html = SAVED_VIEW.sub(lambda view: text_of(json.loads(view[0])), html)
    return BY_CHANCE.sub(name, html)


def text_of(saved):
    """Write what was saved as JSON, in one order."""
    return json.dumps(saved, sort_keys=True)


def _ends(model):
    return REFERENCE.findall(text_of(model["state"]))


def _in_order(models, body):
    """List the models as one comes to them from the views; those left by their ends."""
    order = [name for name in dict.fromkeys(MODEL.findall(body)) if name in models]
    for name in order:  # which grows meanwhile
        ends = dict.fromkeys(_ends(models[name]))
        order += [end for end in ends if end in models and end not in order]
    place = {name: at for at, name in enumerate(order)}
    left = [name for name in models if name not in place]
    return order + sorted(left, key=lambda one: _places(models[one], place))


def _places(link, place):
    return [place.get(end, -1) for end in _ends(link)], text_of(link["state"])


def _reached(models, start):
    reached, more = set(), set(start)
    while more := (more & models.keys()) - reached:
        reached |= more
        more = set().union(*(_ends(models[name]) for name in more))
    return reached
