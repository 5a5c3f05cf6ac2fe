"""A change in anything that lessons depend on reaches the pages at the next build."""

from types import SimpleNamespace

import build_book
import pytest


@pytest.fixture
def root(tmp_path):
    for name in (
        "attnlib/softmax.py",
        "course/attncourse/figures/scaling/live.js",
        "course/attncourse/claims/claims.toml",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("before")
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        "attnlib/softmax.py",
        "course/attncourse/figures/scaling/live.js",
        "course/attncourse/claims/claims.toml",
    ],
)
def test_change_of_an_input_changes_the_fingerprint(root, name):
    before = build_book.fingerprint(root)
    (root / name).write_text("after")
    assert build_book.fingerprint(root) != before


def test_new_and_renamed_files_change_the_fingerprint(root):
    before = build_book.fingerprint(root)
    (root / "attnlib/softmax.py").rename(root / "attnlib/softmin.py")
    assert build_book.fingerprint(root) != before


def test_what_pages_do_not_depend_on_changes_nothing(root):
    before = build_book.fingerprint(root)
    (root / "README.md").write_text("new")
    assert build_book.fingerprint(root) == before


# Every folder where Jupyter Book keeps what it read, ran or wrote.
@pytest.mark.parametrize("name", [".doctrees", ".jupyter_cache", "html"])
def test_stale_pages_are_forgotten_and_fresh_ones_kept(tmp_path, monkeypatch, name):
    monkeypatch.setattr(build_book, "BUILD", tmp_path)
    monkeypatch.setattr(build_book, "FINGERPRINT", tmp_path / "fingerprint")
    cache = tmp_path / name
    cache.mkdir()
    (tmp_path / "fingerprint").write_text("now")
    build_book.forget_stale_pages("now")
    assert cache.exists()
    build_book.forget_stale_pages("later")
    assert not cache.exists()


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A function that builds from some inputs, and a folder of what builds leave."""
    for name in ("FINGERPRINT", "EXECUTED"):
        monkeypatch.setattr(build_book, name, tmp_path / name)
    monkeypatch.setattr(build_book, "BUILD", tmp_path)

    def from_inputs(inputs, code):
        def made(*_, **__):
            for cache in build_book.CACHES:
                (tmp_path / cache).mkdir(exist_ok=True)
            return SimpleNamespace(returncode=code)

        monkeypatch.setattr(build_book, "fingerprint", lambda: inputs)
        monkeypatch.setattr(build_book.subprocess, "run", made)
        assert build_book.main() == code

    return from_inputs


def left(folder, inputs):
    """What the next build from these inputs takes over."""
    build_book.forget_stale_pages(inputs)
    return [cache for cache in build_book.CACHES if (folder / cache).exists()]


def test_a_build_that_fails_leaves_what_it_executed(tmp_path, build):
    build("now", 1)
    assert left(tmp_path, "now") == [".jupyter_cache"]
    assert left(tmp_path, "later") == []


def test_a_build_that_fails_after_one_that_did_not(tmp_path, build):
    """Sphinx would not read the page again, and so not repeat its warning."""
    build("now", 0)
    assert left(tmp_path, "now") == list(build_book.CACHES)
    build("now", 1)
    assert left(tmp_path, "now") == [".jupyter_cache"]
    build("now", 0)
    assert left(tmp_path, "now") == list(build_book.CACHES)
