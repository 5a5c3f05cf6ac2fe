"""The settings `live_code` and `widgets`, which a page may override.

A page sets them in its front matter or, for a notebook, in the metadata:

    nokernel:
      live_code: tagged
      widgets: false
"""

from sphinx.errors import ExtensionError

ALLOWED = {
    "live_code": (True, False, "tagged"),
    "widgets": (True, False, "always"),
}


def check_choices(app, config):
    """Check the book's settings against the allowed values."""
    for name in ALLOWED:
        checked(f"nokernel_{name}", config[f"nokernel_{name}"], ALLOWED[name])


def checked(place, value, allowed):
    """Return the value if it is allowed.

    Raises
    ------
    ExtensionError
        If it is not.
    """
    if not any(value is one or value == one == str(one) for one in allowed):
        known = ", ".join(map(repr, allowed))
        raise ExtensionError(f"{place} must be one of {known}, got {value!r}")
    return value


def wanted(app, metadata, name):
    """Return a page's choice of `live_code` or `widgets`, or else the book's."""
    own = metadata.get("nokernel") or {}
    if name not in own:
        return app.config[f"nokernel_{name}"]
    return checked(f"{app.env.docname}: nokernel.{name}", own[name], ALLOWED[name])
