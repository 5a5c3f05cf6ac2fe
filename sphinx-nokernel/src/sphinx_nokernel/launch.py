"""Buttons that open a notebook in JupyterLab on Binder, and in Colab.

They lead to the branch `nokernel_branch` of the repository `nokernel_repository`
(`owner/name`, on GitHub). Without a repository there are no buttons. Colab opens the
branch `nokernel_colab_branch`, if it is set: its copies begin with a cell that installs
what they need, which Binder does by itself. Binder opens the folder
`nokernel_binder_folder`, if it is set: plain copies of the files below
`nokernel_bundle_folder`, written by the repository's `postBuild`.

The buttons are those of sphinx-book-theme; other themes have no place for them.
"""

import re
from pathlib import PurePosixPath

from sphinx.errors import ExtensionError

NAME = re.compile(r"[\w.-]+/[\w.-]+")


def check_repository(app, config):
    """Refuse a repository that is not written as owner/name."""
    name = config.nokernel_repository
    if name and not NAME.fullmatch(name):
        raise ExtensionError(f"nokernel_repository must be owner/name, got {name!r}")


def buttons(config, path):
    """Return the buttons for one notebook, in the form that the theme expects."""
    repository, branch = config.nokernel_repository, config.nokernel_branch
    addresses = {
        "Binder": f"https://mybinder.org/v2/gh/{repository}/{branch}"
        f"?urlpath=lab/tree/{on_binder(config, path)}",
        "Colab": f"https://colab.research.google.com/github/{repository}"
        f"/blob/{config.nokernel_colab_branch or branch}/{path}",
    }
    icons = {"Binder": "logo_binder.svg", "Colab": "logo_colab.png"}
    return [
        {
            "type": "link",
            "text": name,
            "tooltip": f"Open this notebook on {name}",
            "icon": f"_static/images/{icons[name]}",
            "url": url,
        }
        for name, url in addresses.items()
    ]


def on_binder(config, path):
    """Return the path of a notebook, or of its plain copy, on Binder."""
    if not config.nokernel_binder_folder:
        return path
    place = PurePosixPath(path).relative_to(config.nokernel_bundle_folder)
    return str(PurePosixPath(config.nokernel_binder_folder, place))


def add_launch_buttons(app, page):
    """Add the buttons to a page that is a notebook."""
    config, context = app.config, page.context
    is_notebook = context.get("page_source_suffix") == ".ipynb"
    themed = "header_buttons" in context
    if not (config.nokernel_repository and page.doctree and is_notebook and themed):
        return
    launch = buttons(config, f"{page.name}.ipynb")
    group = {
        "type": "group",
        "tooltip": "Open in a notebook",
        "icon": "fas fa-rocket",
        "buttons": launch,
        "label": "launch-buttons",
    }
    context["header_buttons"].append(group)
