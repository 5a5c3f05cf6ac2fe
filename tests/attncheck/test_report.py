import json

import numpy as np

from attncheck import Report


def a_report():
    report = Report("It", sentences=["Scores < 3 are fine."], notes=["A note."])
    report.add("rows", "Rows do not add up.", sums=np.array([0.5, 2.0]), of=2)
    report.add("rows", "The same again.")
    return report


def test_a_page_has_the_problems_first():
    lines = str(a_report()).splitlines()
    assert lines[:3] == [
        "It: 1 problem.",
        "",
        "  • Rows do not add up. (sums 0.5 2, of 2)",
    ]
    assert lines[-2:] == ["Notes", "  • A note."]


def test_json_is_plain():
    page = json.loads(a_report().to_json())
    assert page["problems"] == [
        {
            "code": "rows",
            "sentence": "Rows do not add up.",
            "numbers": {"sums": [0.5, 2.0], "of": 2},
        }
    ]
    assert page["status"] == 1


def test_html_escapes_what_it_shows():
    assert "Scores &lt; 3" in a_report()._repr_html_()


def test_status():
    assert Report().status == 0
    assert Report(unexplained="Why?").status == 2
