"""What is done to the formulas that KaTeX has written."""

from types import SimpleNamespace

from sphinx_nokernel.katex import bare_mathml

FORMULA = (
    "<math><semantics><mrow><mi>{0}</mi></mrow>"
    '<annotation encoding="application/x-tex">{0} &lt; \\TeX</annotation>'
    "</semantics></math>"
)


def test_mathml_holds_no_tex():
    text = f"<p>{FORMULA.format('a')} and {FORMULA.format('b')}</p>"
    page = SimpleNamespace(body=text, context={"body": text})
    bare_mathml(None, page)
    bare = "<math><mrow><mi>{}</mi></mrow></math>"
    assert page.context["body"] == f"<p>{bare.format('a')} and {bare.format('b')}</p>"
