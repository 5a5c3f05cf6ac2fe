"""The page shows the stored table, and nothing typed by hand."""

from pathlib import Path

from attncheck.__main__ import main
from attncheck.report import FACTS
from attncheck.table import as_text, stored

PAGE = Path(__file__).parents[2] / "book" / "who_means_what.md"


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


def test_the_command_prints_it(capsys):
    assert main(["table"]) == 0
    assert as_text() in capsys.readouterr().out
