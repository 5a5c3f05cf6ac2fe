"""A change in anything that lessons depend on reaches the pages at the next build."""

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
