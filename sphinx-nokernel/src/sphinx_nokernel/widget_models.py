"""Scripts that show each kind of widget, and what prevents showing one."""

import re

from .widget_state import VIEW, alone

# What each script shows; a test compares this with the scripts.
BASIC: dict[str, set[str]] = {
    "basic-widgets.js": {
        *("VBoxModel", "HBoxModel", "BoxModel", "AccordionModel", "LabelModel"),
        *("IntSliderModel", "FloatSliderModel", "FloatLogSliderModel"),
        *("SelectionSliderModel", "DropdownModel", "CheckboxModel"),
        *("ToggleButtonsModel", "RadioButtonsModel"),
    },
    "any-widget.js": {"AnyModel"},
}
MORE: dict[str, set[str]] = {
    "input-widgets.js": {
        *("TextModel", "TextareaModel", "ComboboxModel", "IntTextModel"),
        *("BoundedIntTextModel", "FloatTextModel", "BoundedFloatTextModel"),
        *("ColorPickerModel", "DatePickerModel", "SelectModel", "SelectMultipleModel"),
    },
    "range-widgets.js": {
        *("IntRangeSliderModel", "FloatRangeSliderModel", "SelectionRangeSliderModel"),
        *("ToggleButtonModel", "PlayModel"),
    },
    "display-widgets.js": {
        *("HTMLModel", "HTMLMathModel", "IntProgressModel", "FloatProgressModel"),
        *("ValidModel", "ImageModel", "OutputModel", "GridBoxModel", "StackModel"),
        "TabModel",
    },
    "widget-looks.js": {"LayoutModel"},
}
SCRIPTS = {**BASIC, **MORE}
LINKS = {"LinkModel", "DirectionalLinkModel"}  # saved-models.js joins them
SHOWN = LINKS.union(*SCRIPTS.values())
MODULES = {"controls", "output", "base"}
MODULES = {*(f"@jupyter-widgets/{name}" for name in MODULES), "anywidget"}
# The forms of a saved output that a page can show.
FORMS = {"text/html", "image/svg+xml", "image/png", "image/jpeg", "text/latex"}
FORMS |= {"text/markdown", "text/plain", VIEW}
ADDRESS = re.compile(r"\s*https?:")


def unmountable(models):
    """Return the models that cannot be mounted, sorted, each with the reason."""
    return sorted(filter(None, {_reason(model) for model in models}))


def scripts_for(models):
    """List the scripts that these models need, in the order in which they run."""
    names = {model["model_name"] for model in models}
    needed = [script for script, shown in SCRIPTS.items() if names & shown]
    return ["saved-models.js", "widget-kit.js", *needed, "mount-widgets.js"]


def _reason(model):
    name, state = model["model_name"], model["state"]
    short = name.removesuffix("Model")
    if name not in SHOWN or model.get("model_module") not in MODULES:
        return short
    if name == "AnyModel":
        own = state.get("_anywidget_id") or short
        texts = [state.get("_esm") or "", state.get("_css") or ""]
        if not texts[0]:
            return f"{own} without its module"
        if any(map(ADDRESS.match, texts)):
            return f"{own} with a module from an address"
    if name == "OutputModel" and not all(map(_shows, state.get("outputs") or ())):
        return "Output with a script or a form that a page cannot show"
    return None


def _shows(output):
    """Say whether a saved output can be shown without running a script of its own."""
    data = output.get("data")
    if data is None:
        return True
    html = "".join(data.get("text/html", ""))
    return bool(FORMS & data.keys()) and "<script" not in html


def unfollowed(models):
    """Name the controls that have no effect on the page without a kernel."""
    return sorted(_called(models[name]) for name in alone(models))


def _called(model):
    short = model["model_name"].removesuffix("Model")
    return f"{short} {model['state'].get('description') or ''}".strip()
