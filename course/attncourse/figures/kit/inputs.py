"""A figure's controls as plain data, from which a page makes them itself.

`inputs.js` makes a range, a list of chips, a menu or a box to tick of each.
"""

MADE = {  # each look by a function of inputs.js
    "aw-range": "rangeInput",
    "aw-chips": "chipInputs",
    "aw-menu": "menuInput",
    "aw-box": "boxInput",
}
LOOKS = {
    "IntSlider": "aw-range",
    "FloatSlider": "aw-range",
    "SelectionSlider": "aw-range",
    "ToggleButtons": "aw-chips",
    "Dropdown": "aw-menu",
    "Checkbox": "aw-box",
}


def inputs(panel):
    """Return plain data for each control of a declared figure's panel, in order."""
    places = {
        trait: control.place
        for name, control in panel.figure.controls.items()
        for trait in control.names(name)
    }
    return [
        {"trait": trait, "place": places[trait], **_input(widget)}
        for trait, widget in panel.controls.items()
    ]


def _input(widget):
    """Return the look of a control, its label, and what it can be set to."""
    told = {"look": LOOKS[type(widget).__name__], "label": widget.description}
    if hasattr(widget, "options"):
        return told | {"labels": [str(one) for one in widget._options_labels]}
    if not hasattr(widget, "step"):
        return told
    form = widget.readout_format.removesuffix("d")
    limits = {"min": widget.min, "max": widget.max, "step": widget.step}
    return told | limits | {"form": form}
