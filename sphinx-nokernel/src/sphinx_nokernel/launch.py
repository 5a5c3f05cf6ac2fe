"""Buttons that open a notebook in JupyterLab on Binder, and in Colab.

They lead to the repository `nokernel_repository` (`owner/name`, on GitHub) and its
branch `nokernel_branch`. With no repository named there are no buttons: none could
lead anywhere. Colab opens the branch `nokernel_colab_branch`, if there is one: copies
whose first cell installs what they need, which Binder does by itself.

The buttons stand where sphinx-book-theme has them; other themes have no place for them.
"""

import re

from sphinx.errors import ExtensionError

NAME = re.compile(r"[\w.-]+/[\w.-]+")


def check_repository(app, config):
    """Refuse a repository's name of another form."""
    name = config.nokernel_repository
    if name and not NAME.fullmatch(name):
        raise ExtensionError(f"nokernel_repository must be owner/name, got {name!r}")


def buttons(repository, branch, colab_branch, path):
    """Return the buttons for one notebook, as the theme wants them."""
    addresses = {
        "Binder": f"https://mybinder.org/v2/gh/{repository}/{branch}"
        f"?urlpath=lab/tree/{path}",
        "Colab": f"https://colab.research.google.com/github/{repository}"
        f"/blob/{colab_branch or branch}/{path}",
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


def add_launch_buttons(app, page):
    """Add the buttons to a page that is a notebook."""
    config, context = app.config, page.context
    is_notebook = context.get("page_source_suffix") == ".ipynb"
    themed = "header_buttons" in context
    if not (config.nokernel_repository and page.doctree and is_notebook and themed):
        return
    launch = buttons(
        config.nokernel_repository,
        config.nokernel_branch,
        config.nokernel_colab_branch,
        f"{page.name}.ipynb",
    )
    group = {
        "type": "group",
        "tooltip": "Open in a notebook",
        "icon": "fas fa-rocket",
        "buttons": launch,
        "label": "launch-buttons",
    }
    context["header_buttons"].append(group)
