"""The built site holds every solution, or no line of any: as SOLUTIONS says.

With SOLUTIONS=0, whoever publishes searches each file of the site with this test before
it is deployed, and the zips and the printed book with it.
"""

import os
import subprocess
import sys
import zipfile

import find_solutions
import pytest
from built_site import HTML, ROOT
from listed import listed

LEFT_OUT = os.environ.get("SOLUTIONS") == "0"


@pytest.mark.skipif(not LEFT_OUT, reason="this site is published with solutions")
def test_no_file_of_the_site_has_a_line_of_a_solution(tmp_path):
    book = tmp_path / "book.pdf"
    subprocess.run([sys.executable, ROOT / "tools" / "pdf.py", book], check=True)
    assert find_solutions.find([HTML, book], *find_solutions.secrets()) == []


@pytest.mark.skipif(LEFT_OUT, reason="this site is published without solutions")
def test_the_search_finds_the_solutions_of_each_page():
    lines, _ = find_solutions.secrets()
    lessons = set(lines.values()) & {f"{p[5:]}.ipynb" for p in listed()}
    assert lessons
    for lesson in lessons:
        wanted = {line for line, place in lines.items() if place == lesson}
        page = HTML / "book" / lesson
        for path in (page.with_suffix(".html"), HTML / "_sources" / "book" / lesson):
            found = {hit for _, hit in find_solutions.find([path], wanted, {})}
            assert found == wanted, path


@pytest.mark.parametrize("suffix", ["html", "txt", "js", "ipynb", "zip"])
def test_a_line_is_found_in_every_kind_of_file(tmp_path, suffix):
    line, place = 'weights = softmax(x["a"] <= 3)', tmp_path / f"some.{suffix}"
    if suffix == "zip":
        with zipfile.ZipFile(place, "w") as archive:
            archive.writestr("inside/some.txt", line)
    else:
        place.write_text(WRITTEN[suffix])
    found = find_solutions.find([tmp_path], {find_solutions.squeezed(line): "x"}, {})
    assert len(found) == 1


WRITTEN = {
    "html": "weights <span>=</span> softmax(x[&quot;a&quot;]\n&lt;= <b>3)</b>",
    "txt": 'weights = softmax(x["a"] <= 3)',
    "js": r'"weights = softmax(x[\"a\"] <= 3)\n"',
    "ipynb": r'{"cells": [{"source": ["weights = softmax(x[\"a\"]\n", " <= 3)"]}]}',
}
