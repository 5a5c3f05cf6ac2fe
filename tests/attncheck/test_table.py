"""The page shows the stored table, and nothing typed by hand."""

import importlib.util
from pathlib import Path

import pytest

from attncheck.__main__ import main
from attncheck.facts import FACTS
from attncheck.table import as_text, stored

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "book" / "who_means_what.md"


def test_the_page_is_the_stored_table():
    page = PAGE.read_text(encoding="utf-8")
    table = page.partition("<!-- the table begins -->")[2]
    assert table.partition("<!-- the table ends -->")[0].strip() == as_text()
    assert stored()["date"] in page


def test_rows_hold_facts():
    for row in stored()["rows"]:
        assert set(row["facts"]) <= set(FACTS)
        assert row["version"]
        assert row["facts"]["scale_name"] == "1/√d_k"


def test_each_row_says_how_it_was_asked_and_in_how_many_calls():
    rows = stored()["rows"]
    for row in rows:
        assert list(row["asked_by"]) == list(row["reproduced"]) == list(row["calls"])
        counted = row["reproduced"].values()
        assert all(60 < of - 2 < found <= of for found, of in counted)
        assert (row["mask"] is None) == (row["facts"]["mask"] is None)
    named = {row["name"]: row["asked_by"] for row in rows}
    module = named["PyTorch: nn.MultiheadAttention"]
    assert module["plain"] == "need_weights=True"


def test_the_command_prints_it(capsys):
    assert main(["table"]) == 0
    assert as_text() in capsys.readouterr().out


def test_a_library_that_cannot_be_called_loses_no_row(tmp_path, monkeypatch):
    place = ROOT / "tools" / "who_means_what.py"
    spec = importlib.util.spec_from_file_location("who_means_what", place)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)

    def no_compiler(query, key, value):
        raise RuntimeError("no usable devices")

    ways = {"one of them": ("numpy", lambda: {"plain": (no_compiler, {})})}
    monkeypatch.setattr(tool, "WAYS", ways)
    monkeypatch.setattr(tool, "STORED", tmp_path / "stored.json")
    with pytest.raises(SystemExit, match=r"one of them: .* no usable devices"):
        tool.main()
    assert not (tmp_path / "stored.json").exists()
