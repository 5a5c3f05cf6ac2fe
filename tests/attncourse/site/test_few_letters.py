"""Scripts with fewer letters do what they did."""

import json

import pytest
from sphinx.errors import ExtensionError

from attncourse.site.few_letters import LONG, shorten, shorten_figures, written
from sphinx_nokernel import widget_state

SHARED = """// A name that other scripts use.
function add(first, second) {
  return first + second; // here
}
"""
END = 'export const end = "</script>";\n'


def test_names_that_others_see_stay():
    text = written({"a.js": SHARED})["a.js"]
    assert text.startswith("function add(")
    assert "first" not in text
    assert "//" not in text


def test_a_module_keeps_what_it_exports_and_never_ends_its_element():
    text = written({"a.js": f"{SHARED}{END}"}, module=True)["a.js"]
    assert "add" not in text
    assert "export" in text
    assert "</script>" not in text


def test_of_a_site_only_plain_scripts_are_written_anew(tmp_path):
    (tmp_path / "nokernel").mkdir()
    data = f"window.data = [{'1, ' * LONG}];\n"
    plain = ("a.js", "a.min.js", "documentation_options.js", "nokernel/b.js")
    texts = {**dict.fromkeys(plain, SHARED), "data.js": data}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    shorten(tmp_path)
    kept = {name for name in texts if (tmp_path / name).read_text() == texts[name]}
    assert kept == {"a.min.js", "data.js", "documentation_options.js"}


def test_a_script_that_does_not_parse_is_an_error():
    with pytest.raises(ExtensionError, match="were not written"):
        written({"a.js": "const = 1;"})


@pytest.mark.parametrize("apart", [True, False])
def test_a_figure_in_a_page_is_written_once_and_then_stays(tmp_path, apart):
    module = f"{SHARED}{END}export default {{ render: add }};\n"
    model = {"model_name": "AnyModel", "state": {"_css": "b", "at": "</p>"}}
    if apart:
        saved = {"state": {"w": model | {"texts": {"_esm": 1}}}, "texts": ["b", module]}
    else:
        saved = {"state": {"w": {**model, "state": {"_esm": module, "at": "</p>"}}}}
    end, page = '</script>\n<p id="after">', tmp_path / "page.html"
    begin = f'<p>here</p><script type="{widget_state.STATE}">'
    page.write_text(f"{begin}{widget_state.written(saved)}{end}")
    shorten_figures([page])
    text = page.read_text()
    assert text.startswith(begin)
    assert text.endswith(end)
    found = json.loads(text.removeprefix(begin).removesuffix(end))
    short = found["texts"].pop() if apart else found["state"]["w"]["state"].pop("_esm")
    assert "first" not in short
    assert "render" in short
    assert "export" in short
    assert found["state"]["w"]["state"]["at"] == "</p>"
    shorten_figures([page])
    assert page.read_text() == text
