"""What a book or a page asks for; a page's own setting comes first.

In the page's front matter, or in the metadata of its notebook:

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
    """Refuse a value that is not one of the choices."""
    for name in ALLOWED:
        checked(f"nokernel_{name}", config[f"nokernel_{name}"], ALLOWED[name])


def checked(place, value, allowed):
    """Return the value.

    Raises
    ------
    ExtensionError
        If it is none of those allowed.
    """
    if not any(value is one or value == one == str(one) for one in allowed):
        known = ", ".join(map(repr, allowed))
        raise ExtensionError(f"{place} must be one of {known}, got {value!r}")
    return value


def wanted(app, metadata, name):
    """Return what a page wants of `live_code` or `widgets`, or what the book does."""
    own = metadata.get("nokernel") or {}
    if name not in own:
        return app.config[f"nokernel_{name}"]
    return checked(f"{app.env.docname}: nokernel.{name}", own[name], ALLOWED[name])
