"""What is known of each kind of widget: which script shows it, and what prevents it."""

import re

from .widget_state import REFERENCE, text_of

BASIC = {
    *("VBoxModel", "HBoxModel", "BoxModel", "AccordionModel", "AnyModel", "LabelModel"),
    *("IntSliderModel", "FloatSliderModel", "FloatLogSliderModel"),
    *("SelectionSliderModel", "DropdownModel", "CheckboxModel"),
    *("ToggleButtonsModel", "RadioButtonsModel", "LinkModel", "DirectionalLinkModel"),
}
# What each script shows, beside the first, which comes last; a test holds that it says
# the same.
MORE: dict[str, set[str]] = {}
SHOWN = BASIC.union(*MORE.values())
MODULES = {"@jupyter-widgets/controls", "@jupyter-widgets/output", "anywidget"}
ADDRESS = re.compile(r"\s*https?:")
CONTROL = re.compile(r"Slider|Dropdown|Checkbox|Toggle|Radio|Select|Text|Picker|Play")


def unmountable(models):
    """Return what of these models cannot be mounted, and why: names, sorted."""
    return sorted(filter(None, {_reason(model) for model in models}))


def scripts_for(models):
    """List the scripts that these models need, in the order in which they run."""
    names = {model["model_name"] for model in models}
    more = [script for script, shown in MORE.items() if names & shown]
    return [*more, "mount-widgets.js"]


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
    return None


def unfollowed(models):
    """Name the controls that nothing on the page follows: a kernel's code did."""
    followers = [m for m in models.values() if _follows(m["model_name"])]
    followed = {end for one in followers for end in REFERENCE.findall(text_of(one))}
    return sorted(
        _called(model)
        for name, model in models.items()
        if CONTROL.search(model["model_name"]) and name not in followed
    )


def _follows(name):
    return name == "AnyModel" or "Link" in name


def _called(model):
    short = model["model_name"].removesuffix("Model")
    return f"{short} {model['state'].get('description') or ''}".strip()
