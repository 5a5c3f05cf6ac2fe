"""Reduce saved widget state to what a page shows.

myst-nb saves every widget that a notebook made, even if it shows it nowhere, and each
one's layout and style, which `mount-widgets.js` leaves to the page's style sheet. A
kernel gives widgets random names, and a cached notebook has its keys in another order
than one just executed; here both are made the same in every build.
"""

import json
import re

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
REFERENCE = re.compile(r"IPY_MODEL_(\w+)")
MODEL = re.compile(r'"model_id": ?"(\w+)"')
LOOKS = re.compile(r"(?:Layout|Style)Model$")
CONTROL = re.compile(r"Slider|Dropdown|Checkbox|Toggle|Radio|Select|Text|Picker|Play")
# What ipywidgets leaves out of a state saved without defaults.
DEFAULTS = {
    "IntSliderModel": {"min": 0, "max": 100, "step": 1, "value": 0},
    "FloatSliderModel": {"min": 0.0, "max": 10.0, "step": 0.1, "value": 0.0},
    "FloatLogSliderModel": {"min": 0, "max": 4, "step": 0.1, "value": 1, "base": 10},
    "IntRangeSliderModel": {"min": 0, "max": 100, "step": 1, "value": [25, 75]},
    "FloatRangeSliderModel": {"min": 0, "max": 10, "step": 0.1, "value": [2.5, 7.5]},
    "BoundedIntTextModel": {"min": 0, "max": 100, "step": 1, "value": 0},
    "BoundedFloatTextModel": {"min": 0.0, "max": 100.0, "value": 0.0},
    "IntTextModel": {"value": 0},
    "FloatTextModel": {"value": 0.0},
    "FloatProgressModel": {"min": 0.0, "max": 10.0, "value": 0.0},
    "PlayModel": {"min": 0, "max": 100, "step": 1, "value": 0, "interval": 100},
}
BY_CHANCE = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
SAVED_VIEW = re.compile(r'(?<=widget-view\+json">)[^<]*(?=</script>)')


def shown_models(state, body):
    """Return the models of a saved state that views in `body` lead to, by id."""
    models = {
        name: model
        for name, model in state.items()
        if not LOOKS.search(model["model_name"]) or _sets_something(model)
    }
    links = {n: m for n, m in models.items() if "Link" in m["model_name"]}
    used = _reached(models, MODEL.findall(body))
    used |= {n for n, m in links.items() if used.issuperset(_ends(m))}
    return {name: models[name] for name in _in_order(models, body) if name in used}


def shorten_state(text, body):
    """Return saved widget state (JSON) without models that no view in `body` needs."""
    saved = json.loads(text)
    models = shown_models(saved["state"], body)
    lonely = alone(models)
    for name in models:
        models[name] = json.loads(text_of(models[name]))
        state, kind = models[name]["state"], models[name]["model_name"]
        models[name]["state"] = {**DEFAULTS.get(kind, {}), **state}
        if name in lonely:
            models[name]["state"]["_nk_alone"] = True
    saved["state"] = models
    if texts := gathered(models):
        saved["texts"] = texts
    return written(saved)


def written(saved):
    """Return a saved state (JSON) as it stands in a page."""
    # A script element must not contain its own end, nor control characters.
    text = json.dumps(dict(sorted(saved.items())), separators=(",", ":"))
    return text.replace("</", "<\\/").replace("\x7f", "\\u007f")


def gathered(models):
    """Move styles and modules of several views side by side, and return them.

    What figures share then stands so near that it weighs nothing once compressed, as
    it does not where a figure's data lie between. A model keeps the places of its own.
    """
    views = [one for one in models.values() if one["state"].get("_esm")]
    if len(views) < 2:
        return []
    kinds = [{one["state"].get(key) or "" for one in views} for key in ("_css", "_esm")]
    texts = [text for kind in kinds for text in sorted(kind, key=lambda t: (len(t), t))]
    for one in views:
        keys = [key for key in ("_css", "_esm") if key in one["state"]]
        one["texts"] = {key: texts.index(one["state"].pop(key) or "") for key in keys}
    return texts


def alone(models):
    """List the controls that have no effect on the page without a kernel."""
    followers = [
        model
        for model in models.values()
        if model["model_name"] == "AnyModel" or "Link" in model["model_name"]
    ]
    followed = {end for one in followers for end in REFERENCE.findall(text_of(one))}
    return [
        name
        for name, model in models.items()
        if CONTROL.search(model["model_name"]) and name not in followed
    ]


def _sets_something(model):
    """Say whether a layout differs from the defaults."""
    return model["model_name"] == "LayoutModel" and any(
        value is not None
        for key, value in model["state"].items()
        if not key.startswith("_")
    )


def number_widgets(html, known):
    """Rename a page's widgets by position, and sort the keys of their views."""
    names = {}

    def name(match):
        if match[0] not in known:
            return match[0]
        return names.setdefault(match[0], f"widget_{len(names) + 1}")

    html = SAVED_VIEW.sub(lambda view: text_of(json.loads(view[0])), html)
    return BY_CHANCE.sub(name, html)


def text_of(saved):
    """Write saved state as JSON, with its keys sorted."""
    return json.dumps(saved, sort_keys=True)


def _ends(model):
    """List the models that a model refers to; an Output holds views of some."""
    text = text_of(model["state"])
    return REFERENCE.findall(text) + MODEL.findall(text)


def _in_order(models, body):
    """List the models in the order in which views lead to them, then the rest."""
    order = [name for name in dict.fromkeys(MODEL.findall(body)) if name in models]
    for name in order:  # the loop extends `order`
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
