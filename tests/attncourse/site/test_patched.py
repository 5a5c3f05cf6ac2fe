"""What sphinx-llm-friendly is patched for is still there: else the patch may go.

Both patches are in `attncourse.site.for_programs`; each test asks the package itself.
"""

from unittest.mock import Mock

import sphinx_llm_friendly

from attncourse.site.for_programs import BUTTON, EXTENSION, FIRST

SPHINXS_OWN = 500  # the priority of a listener that asks for none


def listeners():
    app = Mock()
    app.builder.name = "html"
    sphinx_llm_friendly.setup(app)
    return app, {call.args[0]: call for call in app.connect.call_args_list}


def test_it_copies_a_page_when_sphinx_gets_to_it():
    """The patch is `_copy_first`."""
    _, found = listeners()
    copies = found["html-page-context"]
    assert copies.args[1].__module__ == EXTENSION
    assert copies.kwargs.get("priority", SPHINXS_OWN) > FIRST


def test_it_adds_its_button_to_every_page(monkeypatch):
    """The patch is `_drop_button`."""
    app, found = listeners()
    for name in ("find_markdown_sites", "find_builtin_urls"):
        monkeypatch.setattr(sphinx_llm_friendly, name, lambda _: None)
    found["builder-inited"].args[1](app)
    assert [
        BUTTON in call.kwargs["body"] for call in app.add_js_file.call_args_list
    ] == [True]
