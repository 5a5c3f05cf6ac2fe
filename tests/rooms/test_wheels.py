"""Each room is a distribution: what its README promises, and what its wheel holds.

These are the wheels that the build has put into the zip of notebooks. They are read,
not installed: test_distributions.py does that before a release.
"""

import re
import zipfile

import pytest
from built_site import HTML
from environments import PROJECTS, ROOT, install_line, parts

PARTS = parts()  # with ten lines each, which the page *Use a part of this* shows


@pytest.fixture(scope="module")
def wheel():
    """A function that opens the wheel of a room."""
    with zipfile.ZipFile(HTML / "downloads" / "notebooks.zip") as archive:

        def of(room):
            (name,) = (n for n in archive.namelist() if f"/{room}-" in n)
            return zipfile.ZipFile(archive.open(name))

        yield of


def test_the_page_gives_each_part_the_line_of_its_readme():
    assert set(PARTS) == set(PROJECTS) - {"attncourse"}
    lines = {name: part.install for name, part in PARTS.items()}
    assert lines == {name: install_line(PROJECTS[name]) for name in PARTS}


def test_the_workflow_of_an_example_uses_what_ours_uses():
    ours = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    example = ROOT / "named_mistakes" / "example" / ".github" / "workflows"
    (path,) = example.iterdir()
    used = re.findall("uses: .*", path.read_text(encoding="utf-8"))
    assert used
    assert [line for line in used if line not in ours] == []


def test_attnlib_needs_two_packages(wheel):
    with wheel("attnlib") as inside:
        (told,) = (n for n in inside.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = inside.read(told).decode()
    needs = re.findall(r"(?m)^Requires-Dist: ([\w-]+)(?!.*extra ==)", metadata)
    assert {*needs} == {"numpy", "array-api-compat"}


def test_the_course_has_every_file_that_its_modules_read(wheel):
    """Numbers of models, weights, tables and scripts; not the site's own room."""
    source = PROJECTS["attncourse"]
    files = [path for path in source.glob("attncourse/**/*.*") if path.is_file()]
    wanted = {p.relative_to(source).as_posix() for p in files if p.suffix != ".pyc"}
    with wheel("attncourse") as inside:
        missing = wanted - {*inside.namelist()}
    assert missing == {one for one in wanted if "/site/" in one}


def test_the_rooms_have_the_license_of_the_whole():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    mit = text[text.index("\nMIT License\n") + 1 :]
    for project in PROJECTS.values():
        if project != ROOT:
            assert (project / "LICENSE").read_text(encoding="utf-8") == mit
