"""Keep sphinx-thebe off the pages: they ask no other host for anything.

sphinx-book-theme always loads it. It adds an address on a content network to every
page and declares the same constant twice, which is an error in each of them. Cells run
without it here, so its two page listeners are removed.
"""

_LISTENERS = {"init_thebe_core", "update_thebe_context"}


def _is_thebe(listener):
    handler = listener.handler
    name = getattr(handler, "__name__", "")
    return handler.__module__ == "sphinx_thebe" and name in _LISTENERS


def drop_thebe(app, config):
    """Remove the listeners that add scripts to pages."""
    for name, listeners in app.events.listeners.items():
        app.events.listeners[name] = [one for one in listeners if not _is_thebe(one)]
