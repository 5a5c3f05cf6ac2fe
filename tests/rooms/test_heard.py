"""Walks of pages by ear: one is read as it was written, and differences are told."""

import heard
import pytest

WALKS = sorted(heard.WALKS.glob("*/*.txt"))
NAMES = [f"{path.parent.name} {path.stem}" for path in WALKS]


@pytest.mark.parametrize("path", WALKS, ids=NAMES)
def test_a_stored_walk_is_read_as_it_was_written(path):
    address, walk = heard.read_walk(path)
    page, _, place = address.partition("#")
    name = path.stem.partition(".")[0]
    assert page == f"book/{name}.html"
    notebook = (heard.ROOT / "book" / f"{name}.ipynb").read_text("utf-8")
    assert f'"id": "{place.removeprefix("cell-")}"' in notebook
    assert all((heard.WALKS / one / path.name).exists() for one in heard.BROWSERS)
    silent = len([key for key, said in walk if not said])  # all, if not heard yet
    assert silent in (0, len(walk)) or ".practice" in path.name  # not what is typed
    assert heard.write_walk(address, walk).split() == path.read_text("utf-8").split()


def test_what_differs_is_printed_and_when_a_line_comes_is_not(capsys):
    path, stored = WALKS[0], [("1", ["Title.", "late"]), ("Tab 2", ["a link."])]
    moved = [("1", ["Title."]), ("Tab 2", ["late", "a link."])]
    assert not heard.compare(path, moved, stored)
    assert not heard.compare(path, moved[::-1], stored)
    assert heard.compare(path, [("1", ["Title."]), ("Tab 2", ["a button."])], stored)
    told = capsys.readouterr().out
    assert "-a link." in told
    assert "+a button." in told
