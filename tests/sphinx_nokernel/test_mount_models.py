"""Links, the model that a figure's JavaScript is given, and the life of a figure."""

import ipywidgets as w
import pytest
import traitlets as t
from small_pages import Probe, html, panel, probe, saved, x_of

LIFE = """
const note = (what) => { (window.notes ??= []).push(what); };
export default () => ({
  initialize({ model, signal }) {
    note("initialize");
    model.on("change:x", () => note("told"));
    signal.addEventListener("abort", () => note("signal"));
    return () => note("end of initialize");
  },
  async render({ model, el }) {
    DRAW
    window.model = model;
    note("render");
    return () => note("end of render");
  },
});
"""


def linked(view, *sliders, link=w.jslink):
    for slider in sliders:
        link((slider, "value"), (view, "x"))
    return w.VBox([*sliders, view])


def test_a_circle_of_links_comes_to_rest_at_the_same_value(load):
    a, b, c, view = w.IntSlider(1), w.IntSlider(2), w.FloatSlider(3, max=100), Probe()
    for one, other in [(a, b), (b, c), (c, a), (c, view)]:
        w.jslink((one, "value"), (other, "value" if other is not view else "x"))
    page = load(w.VBox([a, b, c, view]))
    for slider, expected in [(0, 100), (1, 0), (2, 100)]:
        page.get_by_role("slider").nth(slider).press("End" if expected else "Home")
        spoken = [one.input_value() for one in page.get_by_role("slider").all()]
        assert [*map(int, spoken), x_of(page)] == [expected] * 4
    assert page.said == []


def test_a_link_passes_the_first_value_on(load):
    page = load(linked(Probe(x=99), w.IntSlider(7)))
    assert x_of(page) == 7


@pytest.mark.parametrize(("link", "back"), [(w.jslink, "5"), (w.jsdlink, "7")])
def test_a_limit_at_the_other_end_of_a_link_comes_back(load, link, back):
    clamp = 'model.on("change:x", () => model.set("x", Math.min(5, model.get("x"))));'
    view = probe(f"export default {{ render({{ model, el }}) {{ DRAW {clamp} }} }};")
    page = load(linked(view, w.IntSlider(3, 1, 9), link=link))
    slider = page.get_by_role("slider")
    slider.fill("7")
    assert x_of(page) == 5
    assert slider.input_value() == back


def test_a_link_works_backwards(load):
    page = load(linked(probe(LIFE), w.IntSlider(3, 1, 9)))
    page.evaluate("model.set('x', 8); model.save_changes(); model.send({});")
    assert page.get_by_role("slider").input_value() == "8"
    assert page.locator("output").inner_text() == "8"


def test_a_link_that_changes_limits_moves_the_control(load):
    top, slider = w.IntSlider(50), w.IntSlider(30)
    w.jslink((top, "value"), (slider, "max"))
    page = load(w.VBox([top, slider]))
    page.get_by_role("slider").first.fill("40")
    assert page.get_by_role("slider").last.get_attribute("max") == "40"


EVENTS = """() => {
  const heard = [];
  const listen = (name) => () => heard.push(name);
  const model = new mountWidgets.Model("TestModel", { a: 1, b: 2, list: [1] });
  const a = listen("a");
  model.on("change:a change:list", a);
  model.on("change:b", listen("b"));
  model.on("change", listen("any"));
  const step = (act) => { act(); return heard.splice(0).join(" "); };
  return [
    step(() => model.set("a", 1)),
    step(() => model.set("a", 5)),
    step(() => model.set({ a: 6, b: 7 })),
    step(() => model.set("list", model.get("list"))),
    step(() => model.set("list", [1])),
    step(() => { model.off("change:a"); model.set({ a: 8, b: 8 }); }),
    step(() => { model.off(null, a); model.set("list", []); }),
    step(() => { model.off(); model.set("b", 9); }),
  ];
}"""


def test_a_model_tells_what_changed_and_forgets_whom_it_should(load):
    heard = load(w.IntSlider()).evaluate(EVENTS)
    assert heard == ["", "a any", "a b any", "", "a any", "b any", "any", ""]


def test_a_figure_is_cleaned_up_and_can_be_mounted_again(load):
    page = load(linked(probe(LIFE), w.IntSlider(3, 1, 9)))
    assert page.evaluate("notes.splice(0)") == ["initialize", "render"]
    slider = page.get_by_role("slider").element_handle()
    page.evaluate("all.unmount()")
    ends = ["end of render", "signal", "end of initialize"]
    assert page.evaluate("notes.splice(0)") == ends
    assert page.get_by_text("A still picture").is_visible()
    assert page.locator(".nk-live, .nk-mounted").count() == 0
    page.evaluate("model.set('x', 8)")  # nobody listens any more
    assert page.evaluate("notes") == []
    assert slider.input_value() == "3"
    assert page.evaluate("mountWidgets.mount().then((all) => all.live)") == 1
    assert page.evaluate("mountWidgets.mount().then((all) => all.live)") == 0
    page.get_by_role("slider").press("End")
    assert x_of(page) == 9
    assert page.said == []


def test_a_clean_up_that_throws_stops_no_other(load):
    throws = "export default { render() { return () => { throw Error('stuck'); }; } };"
    page = load(w.VBox([probe(LIFE), probe(throws)]))
    page.evaluate("all.unmount()")
    assert "end of render" in page.evaluate("notes")
    (said,) = page.said
    assert said.startswith("warning: mount-widgets: a clean-up threw")


def test_what_was_built_before_a_failure_is_cleaned_up(load):
    late = "export default { async render() { await null; throw Error('no'); } };"
    page = load(w.VBox([probe(LIFE), probe(late)]))
    page.wait_for_function("notes.includes('end of render')")
    assert page.mounted == [0, 1]


SLOW = """export default { async render() {
  await new Promise((done) => { window.finish = done; });
  return () => { window.cleaned = true; };
} };"""


def test_what_is_ready_after_a_failure_is_cleaned_up_too(load):
    bad = "export default { render() { throw Error('no'); } };"
    page = load(w.VBox([probe(SLOW), probe(bad)]))
    assert page.mounted == [0, 1]
    page.wait_for_function("'finish' in window")
    page.evaluate("finish()")
    page.wait_for_function("window.cleaned")
    assert page.locator(".nk-live").count() == 0


def test_two_views_of_one_widget_share_its_state(load):
    root = linked(probe(LIFE), w.IntSlider(3, 1, 9))
    page = load(root, ids=[root.model_id] * 2)
    assert page.evaluate("notes") == ["initialize", "render", "render"]
    page.get_by_role("slider").last.press("End")
    assert [x_of(page, 0), x_of(page, 1)] == [9, 9]


COUNT_URLS = """
  window.made = []; window.revoked = [];
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    made.push(createObjectURL.call(URL, blob));
    return made.at(-1);
  };
  URL.revokeObjectURL = (url) => { revoked.push(url); revokeObjectURL.call(URL, url); };
"""


class Styled(Probe):
    """A widget with a style of its own."""

    _css = ".probe { color: rgb(1, 2, 3); }"


def test_figures_with_the_same_source_share_one_module_and_one_style(load):
    page = load(Styled(), Styled(), setup=COUNT_URLS)
    assert page.mounted == [2, 0]
    assert page.evaluate("[made.length, revoked.length]") == [1, 1]
    assert page.locator("head style").count() == 1
    color = "(node) => getComputedStyle(node).color"
    assert page.locator(".probe").last.evaluate(color) == "rgb(1, 2, 3)"


class Binary(Probe):
    """A widget that carries bytes, and a reference to another."""

    _esm = """export default { async render({ model, el }) {
      const other = await model.widget_manager.get_model(model.get("other"));
      const bytes = new Uint8Array(model.get("x").buffer);
      el.textContent = [...bytes, other.get("value")].join(" ");
    } };"""
    other = t.Instance(w.Widget).tag(sync=True, **w.widget_serialization)


def test_bytes_and_references_to_other_widgets_arrive(load):
    view = Binary(x=b"\x00\x07\xff", other=w.IntSlider(42)).add_class("mine")
    page = load(view)
    assert page.locator(".nk-any.mine").inner_text() == "0 7 255 42"


LISTEN = """window.told = [];
  document.addEventListener("nk:mounted", ({ detail }) => told.push(detail));"""


@pytest.mark.parametrize("figures", [0, 2])
def test_the_document_hears_when_all_is_mounted(load, figures):
    roots = [panel(w.IntSlider()) for _ in range(figures)]
    page = load(*roots, setup=LISTEN)
    assert page.evaluate("told") == [{"live": figures, "still": 0}]
    assert page.said == []


@pytest.mark.parametrize("attribute", ["", "async"])
def test_it_mounts_however_it_is_loaded(load, attribute):
    root = panel(w.IntSlider(3, 1, 9))
    text = html([root.model_id], saved(root)).replace("<script defer", "<script DEFER")
    page = load(text=text.replace("DEFER", attribute))
    assert page.mounted == [1, 0]


def test_it_mounts_in_a_page_long_parsed_and_only_once(load):
    root = panel(w.IntSlider(3, 1, 9))
    page = load(root)
    page.evaluate("all.unmount(); delete window.mountWidgets;")
    source = page.locator("script[src*=mount-widgets]").get_attribute("src")
    for _ in range(2):
        page.add_script_tag(url=source)
    page.evaluate("mountWidgets.ready")
    assert page.locator(".nk-live").count() == 1
