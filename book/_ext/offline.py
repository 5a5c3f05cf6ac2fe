"""Keep every page free of requests to other hosts.

sphinx-thebe, which the theme always loads, adds an address on a content network to
every page and declares the same constant twice, which is an error in each of them.
We have our own way to run cells, so its two page listeners are removed.
"""

_LISTENERS = {"init_thebe_core", "update_thebe_context"}


def _is_thebe(listener):
    handler = listener.handler
    return handler.__module__ == "sphinx_thebe" and handler.__name__ in _LISTENERS


def _drop_thebe(app, _config):
    for name, listeners in app.events.listeners.items():
        app.events.listeners[name] = [one for one in listeners if not _is_thebe(one)]


def setup(app):
    """Register with Sphinx."""
    app.connect("config-inited", _drop_thebe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
