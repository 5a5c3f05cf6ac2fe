"""The build writes the model for the page, or says in a line that it is not there."""

from types import SimpleNamespace

import pytest

from attncourse.real_model import files
from attncourse.site import page_model

pytestmark = [pytest.mark.slow, pytest.mark.long]


@pytest.fixture
def said(monkeypatch):
    lines = []

    def note(text, *values):
        lines.append(text % values)

    monkeypatch.setattr(page_model, "logger", SimpleNamespace(info=note))
    return lines


def build(tmp_path, name="html", error=None, page="model = load_minilm()"):
    (tmp_path / "page.md").write_text(page)
    env = SimpleNamespace(
        found_docs=["page"], doc2path=lambda one: tmp_path / "page.md"
    )
    app = SimpleNamespace(outdir=tmp_path, builder=SimpleNamespace(name=name), env=env)
    page_model._write(app, error)
    return sorted(path.name for path in tmp_path.rglob("*.js"))


def test_the_site_gets_the_pieces(tmp_path, said):
    written = build(tmp_path)
    assert "manifest.js" in written
    assert "weights-0.js" in written
    assert said == ["The model for the page: 24.2 MB"]


def test_without_the_weights_the_book_is_built_all_the_same(
    tmp_path, monkeypatch, said
):
    monkeypatch.delenv(files.VARIABLE, raising=False)
    monkeypatch.setattr(files, "PACKAGE", "no_such_package_here")
    monkeypatch.setattr(files, "CACHE", tmp_path / "cache")
    assert build(tmp_path) == ["manifest.js"]
    (line,) = said
    assert "stored sentences only" in line


@pytest.mark.parametrize(("name", "error"), [("latex", None), ("html", ValueError())])
def test_no_other_build_gets_them(tmp_path, said, name, error):
    assert build(tmp_path, name, error) == said == []


def test_a_book_without_the_model_goes_without_its_weights(tmp_path, said):
    assert build(tmp_path, page="# Embeddings") == said == []
