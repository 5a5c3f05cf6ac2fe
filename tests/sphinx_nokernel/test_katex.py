"""What is done to the formulas that KaTeX has written."""

from types import SimpleNamespace

from sphinx_nokernel.katex import bare_mathml

FORMULA = (
    "<math><semantics><mrow><mi>{0}</mi></mrow>"
    '<annotation encoding="application/x-tex">{0} &lt; \\TeX</annotation>'
    "</semantics></math>"
)


def test_the_tex_of_a_formula_stands_beside_its_mathml():
    text = f"<p>{FORMULA.format('a')} and {FORMULA.format('b')}</p>"
    page = SimpleNamespace(body=text, context={"body": text})
    bare_mathml(None, page)
    bare = "<math><mrow><mi>{0}</mi></mrow></math>"
    bare += '<span class="nk-tex" hidden>{0} &lt; \\TeX</span>'
    assert page.context["body"] == f"<p>{bare.format('a')} and {bare.format('b')}</p>"
