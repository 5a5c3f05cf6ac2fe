"""A course of one's own: lessons in another order, or four of them, deploy.

Each fork is a copy of this checkout with a `_toc.yml` and a `title` of its own. What
its own checks would stop at is looked at here: the tests that it keeps, its links, its
downloads. Before a release, and all without solutions; each time, `test_listed.py` says
which tests a fork keeps, and `attncourse/site/test_book.py` builds a small book.
"""

import base64
import csv
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from types import SimpleNamespace

import find_solutions
import pytest
import yaml
from environments import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.release]

TITLE = "Attention & Friends"
FOUR = ["01_embeddings", "02_queries_keys_values", "03_scaling", "04_softmax"]
NEEDED = ["glossary", "sources"]
OTHERS = ["machine", "start", "teach", "every_mistake", "api", "accessibility"]
OTHER_ORDER = [*FOUR[:2], FOUR[3], FOUR[2]]
FORKS = {  # the pages beside the first
    "reordered, with another page": [*OTHER_ORDER, *NEEDED, "start"],
    "reordered, with all other pages": [
        *OTHER_ORDER,
        "05_weighted_sum",
        *NEEDED,
        *OTHERS,
    ],
    "four lessons and nothing else": [*FOUR, *NEEDED],
}
NOT_COPIED = ("_build", ".*", "node_modules", "lessons", "__pycache__", "dist")
# What a fork keeps of these is green; tests of pages that it leaves out are left out.
OF_SOURCES = [
    "book/test_path.py",
    "book/test_copies.py",
    "attncourse/teach/test_plans.py",
]
OF_SITE = ["book/test_stored.py", "site/test_links.py", "site/test_titles.py"]
WITHOUT = ["-p", "no:cacheprovider", "-p", "no:nbval", "-p", "no:xdist"]
BUILD = "import sys, build_book, pathlib; sys.exit(build_book.main(pathlib.Path.cwd()))"


def run(folder, *command):
    """Run Python in a fork; return what it said, and whether all went well."""
    path = os.pathsep.join([str(folder / "tools"), str(folder / "course")])
    settings = {"PYTHONPATH": path, "SOLUTIONS": "0"}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr, done.returncode == 0


def made(folder, pages):
    """Copy this checkout, with these pages and another title."""
    ignored = shutil.ignore_patterns(*NOT_COPIED)
    shutil.copytree(ROOT, folder, ignore=ignored, symlinks=True)
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    toc = {"format": "jb-book", "root": "book/index"}
    toc["chapters"] = [{"file": f"book/{page}"} for page in pages]
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    config = (folder / "_config.yml").read_text(encoding="utf-8")
    config = re.sub("^title: .*", f"title: {TITLE}", config, flags=re.MULTILINE)
    (folder / "_config.yml").write_text(config, encoding="utf-8")
    return folder


@pytest.fixture(scope="module", params=FORKS)
def fork(request, tmp_path_factory):
    """A fork that is built."""
    pages = FORKS[request.param]
    folder = made(tmp_path_factory.mktemp("fork") / "course", pages)
    said, done = run(folder, "-c", BUILD)
    assert done, said
    pages = [f"book/{page}" for page in ("index", *pages)]
    return SimpleNamespace(folder=folder, site=folder / "_build" / "html", pages=pages)


def page(fork, name):
    return (fork.site / f"{name}.html").read_text(encoding="utf-8")


def green(fork, files, *options):
    """Say what the fork's own tests say, if they are not green."""
    paths = [f"tests/{file}" for file in files]
    said, done = run(fork.folder, "-m", "pytest", "-q", *WITHOUT, *paths, *options)
    return "" if done else said


def test_the_tests_of_its_sources_are_green(fork):
    assert not green(fork, OF_SOURCES)


def test_the_tests_of_its_site_are_green(fork):
    """But for what a browser does, and what is the same of every notebook."""
    chosen = "not leads_back_from and (not test_stored or build_made)"
    assert not green(fork, OF_SITE, "-k", chosen)


def test_its_title_is_everywhere(fork):
    first = html.unescape(page(fork, "book/index"))
    assert re.search(rf"<h1>{TITLE}<", first)
    assert f'property="og:title" content="{TITLE}"' in first
    assert f"<title>{TITLE}: " in first
    for name in ("site", "notebooks"):
        with zipfile.ZipFile(fork.site / "downloads" / f"{name}.zip") as archive:
            tops = {entry.partition("/")[0] for entry in archive.namelist()}
        assert tops == {"attention-friends" + "-notebooks" * (name == "notebooks")}
    everywhere = [html.unescape(page(fork, name)) for name in (*fork.pages, "404")]
    assert not [text for text in everywhere if "<h1>Attention, Worked Out" in text]


def test_its_path_has_its_lessons_in_its_order_with_their_numbers(fork):
    first, told = page(fork, "book/index"), []
    (route,) = re.findall(r'<div class="aw-route.*?</div>', first, re.DOTALL)
    for attributes, stops in re.findall(r"<ol([^>]*)>(.*?)</ol>", route, re.DOTALL):
        (start,) = re.findall(r'start="(\d+)"', attributes) or [1]
        links = re.findall(r'href="(\d\d)_\w+\.html"', stops)
        assert [*map(int, links)] == [*range(int(start), int(start) + len(links))]
        told += links
    lessons = [name for name in fork.pages if re.match(r"book/\d", name)]
    assert told == [name[5:7] for name in lessons]
    assert route.count("<strong>") == 1
    assert "puzzle" not in first[first.index("aw-begin") :]


def test_its_last_lesson_leads_to_no_lesson_that_it_leaves_out(fork):
    last = "05_weighted_sum" if "book/05_weighted_sum" in fork.pages else FOUR[-1]
    assert "<strong>Next:</strong>" in page(fork, f"book/{FOUR[0]}")
    assert "<strong>Next:</strong>" not in page(fork, f"book/{last}")


def test_what_it_leaves_out_is_in_no_download(fork):
    listed = {f"{name.removeprefix('book/')}.ipynb" for name in fork.pages}
    with zipfile.ZipFile(fork.site / "downloads" / "notebooks.zip") as archive:
        names = [name.partition("/")[2] for name in archive.namelist()]
    assert {name for name in names if name.endswith(".ipynb")} == listed - {"api.ipynb"}
    written = {p.stem for p in (ROOT / "book").rglob("*.*") if p.suffix in SOURCES}
    withheld = written - {name.rpartition("/")[2] for name in fork.pages}
    pages = (".html", ".ipynb", ".md", ".txt")
    everywhere = [
        path
        for path in fork.site.rglob("*.*")
        if path.suffix in pages and path.parent.name != "embed"  # a figure's page
    ]
    assert not [path for path in everywhere if path.name.split(".")[0] in withheld]


def test_the_model_stays_behind_where_no_lesson_runs_it(fork):
    assert not (fork.site / "_static" / "minilm").exists()


SOURCES = (".ipynb", ".md")


def reads(place, text):
    """Say whether a module of exercises holds more than one that is packed."""
    return "/practice/exercises/" in place and "def " in text


def recorded(archive):
    """What the record of a wheel says of each file but itself."""
    (record,) = (n for n in archive.namelist() if n.endswith(".dist-info/RECORD"))
    rows = csv.reader(archive.read(record).decode().splitlines())
    return [row for row in rows if row[0] != record]


def digest_of(data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
    return f"sha256={digest.rstrip('=')}"


def exercises_in(site):
    return {place for place, text in find_solutions.texts(site) if reads(place, text)}


def test_without_solutions_no_right_answer_can_be_read_and_answers_are_checked(fork):
    """What our own site has; that the search finds, test_solutions_left_out.py says."""
    if os.environ.get("SOLUTIONS") != "0":
        assert exercises_in(ROOT / "_build" / "html" / "_static" / "nokernel")
    found = find_solutions.find([fork.site], *find_solutions.secrets(fork.folder))
    assert (found, exercises_in(fork.site)) == ([], set())
    wheels = sorted((fork.site / "_static" / "nokernel").glob("*.whl"))
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(fork.folder / "wheels")
            for name, digest, size in recorded(archive):
                data = archive.read(name)
                assert digest == digest_of(data)
                assert int(size) == len(data)
    said, done = run(fork.folder / "wheels", "-c", CHECKED)
    assert done, said
    assert json.loads(said.splitlines()[-1]) == [True, ["not-normalized"]]


CHECKED = """
import json
from attncourse.practice import exercises
from attncourse.practice.catalogue import EXERCISES
from named_mistakes.checking import check
assert "wheels" in exercises.__file__, exercises.__file__
one = EXERCISES["cosine_similarity"]
right, wrong = check(one, one.reference), check(one, lambda a, b: (a * b).sum(-1))
print(json.dumps([right.passed, [finding.code for finding in wrong.findings]]))
"""
