"""Live pages for Sphinx and Jupyter Book: no kernel, no server, no other host."""

from .config import add_config_values
from .directives import add_directives
from .markdown import add_markdown
from .nodes import add_nodes
from .numbers import add_numbers
from .pipeline import connect

__version__ = "0.1.0"


def setup(app):
    """Register with Sphinx."""
    add_config_values(app)
    add_nodes(app)
    add_numbers(app)
    add_markdown(app)
    add_directives(app)
    connect(app)
    return {
        "version": __version__,
        "env_version": 1,  # raise when the data stored per page changes
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
