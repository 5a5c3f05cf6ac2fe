"""Buttons that open a lesson in JupyterLab on Binder, and in Colab.

They lead to the repository that ATTENTION_REPOSITORY names (`owner/name`, on GitHub)
and its branch ATTENTION_BRANCH, `main` unless said otherwise. With no repository named
there are no buttons: none could lead anywhere. Colab opens the copies of the lessons on
the branch `colab`, which `tools/colab.py` makes and the publishing workflow pushes:
their first cell installs attnlib there. Binder needs no such thing.
"""

import os
import re

from sphinx.errors import ExtensionError

COLAB_BRANCH = "colab"
NAME = re.compile(r"[\w.-]+/[\w.-]+")


def buttons(repository, branch, path):
    """Return the buttons for one notebook, as the theme wants them."""
    places = {
        "Binder": f"https://mybinder.org/v2/gh/{repository}/{branch}"
        f"?urlpath=lab/tree/{path}",
        "Colab": f"https://colab.research.google.com/github/{repository}"
        f"/blob/{COLAB_BRANCH}/{path}",
    }
    icons = {"Binder": "logo_binder.svg", "Colab": "logo_colab.png"}
    return [
        {
            "type": "link",
            "text": name,
            "tooltip": f"Open this lesson on {name}",
            "icon": f"_static/images/{icons[name]}",
            "url": url,
        }
        for name, url in places.items()
    ]


def _add_buttons(app, pagename, _template, context, doctree):
    path = f"{pagename}.ipynb"
    is_notebook = context.get("page_source_suffix") == ".ipynb"
    if not app.config.launch_repository or doctree is None or not is_notebook:
        return
    launch = buttons(app.config.launch_repository, app.config.launch_branch, path)
    group = {
        "type": "group",
        "tooltip": "Open in a notebook",
        "icon": "fas fa-rocket",
        "buttons": launch,
        "label": "launch-buttons",
    }
    context["header_buttons"].append(group)


def _check(_app, config):
    name = config.launch_repository
    if name and not NAME.fullmatch(name):
        raise ExtensionError(f"ATTENTION_REPOSITORY must be owner/name, got {name!r}")


def setup(app):
    """Register with Sphinx."""
    repository = os.environ.get("ATTENTION_REPOSITORY", "")
    branch = os.environ.get("ATTENTION_BRANCH") or "main"
    app.add_config_value("launch_repository", repository, "html", str)
    app.add_config_value("launch_branch", branch, "html", str)
    app.connect("config-inited", _check)
    app.connect("html-page-context", _add_buttons, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
