"""One command sets the version, dates it and tags it, or says why not."""

import datetime
import json
import shutil
import subprocess
from pathlib import Path

import pytest
import release
import yaml

ROOT = Path(__file__).resolve().parents[2]
DAY = "2027-03-01"
NEWS = ("## Unreleased\n", "## Unreleased\n\n- Something new.\n")
FILES = ("CHANGELOG.md", "CITATION.cff", "codemeta.json")


@pytest.fixture
def checkout(tmp_path):
    """A repository of all that states a version, and nothing else."""
    projects = [Path(room) / "pyproject.toml" for room in release.ROOMS]
    packages = [path.relative_to(ROOT) for path in release.version_files().values()]
    for place in [*map(Path, FILES), *projects, *packages]:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / place, tmp_path / place)
    log = tmp_path / "CHANGELOG.md"  # in a release, nothing is open
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace(*NEWS, 1), encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "config", "user.name", "someone")
    git(tmp_path, "config", "user.email", "someone@example.org")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "as it is")
    return tmp_path


def git(folder, *arguments):
    return subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def test_a_release_is_one_commit_with_a_tag_that_changes_versions_alone(checkout):
    release.release(checkout, "7.0.1", DAY)
    assert git(checkout, "describe", "--exact-match").strip() == "v7.0.1"
    changed = {
        Path(line) for line in git(checkout, "diff", "--name-only", "HEAD~1").split()
    }
    packages = {p.relative_to(ROOT) for p in release.version_files().values()}
    need = {Path(room) / "pyproject.toml" for room in ("attncheck", "course")}
    assert changed == {*map(Path, FILES), *packages, *need}
    assert '"attnlib>=7.0.1"' in (checkout / "attncheck/pyproject.toml").read_text()
    for path in release.version_files(checkout).values():
        assert release.version_in(path) == "7.0.1"
    citation = yaml.safe_load((checkout / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == "7.0.1"
    assert citation["date-released"] == datetime.date.fromisoformat(DAY)
    meta = json.loads((checkout / "codemeta.json").read_text("utf-8"))
    assert (meta["version"], meta["datePublished"]) == ("7.0.1", DAY)


def test_what_was_open_in_the_changelog_is_what_the_release_has(checkout):
    open_before = release.changes_since_last(checkout)
    release.release(checkout, "7.0.1", DAY)
    text = (checkout / "CHANGELOG.md").read_text("utf-8")
    assert f"## Unreleased\n\n## 7.0.1 ({DAY})\n\n{open_before[:80]}" in text
    assert release.changes_since_last(checkout) == ""


def test_the_next_release_counts_on(checkout):
    release.release(checkout, "7.0.1", DAY)
    path = checkout / "CHANGELOG.md"
    said = path.read_text("utf-8").replace(
        "## Unreleased\n", "## Unreleased\n\n- New.\n"
    )
    path.write_text(said, encoding="utf-8")
    git(checkout, "commit", "-q", "-a", "-m", "something new")
    with pytest.raises(SystemExit, match=r"7\.0\.1 does not come after .*7\.0\.1"):
        release.release(checkout, "7.0.1", DAY)
    release.release(checkout, "7.1.0", DAY)
    tags = git(checkout, "tag", "--list").split()
    assert tags == ["v7.0.1", "v7.1.0"]


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("7", "must be three numbers"),
        ("7.0.0rc1", "must be three numbers"),
        ("0.0.1", "does not come after"),
    ],
)
def test_what_is_no_next_version_is_refused_and_nothing_changes(
    checkout, version, said
):
    with pytest.raises(SystemExit, match=said):
        release.release(checkout, version, DAY)
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "tag", "--list") == ""


def test_a_release_of_nothing_is_refused(checkout):
    release.release(checkout, "7.0.1", DAY)
    with pytest.raises(SystemExit, match="nothing under '## Unreleased'"):
        release.release(checkout, "7.0.2", DAY)


def test_changes_that_are_not_committed_are_not_released(checkout):
    (checkout / "CITATION.cff").write_text("half done", encoding="utf-8")
    with pytest.raises(SystemExit, match="Commit or put aside"):
        release.release(checkout, "7.0.1", DAY)


def test_distributions_that_differ_are_not_released(checkout):
    path = release.version_files(checkout)["./course"]
    release.change(path, '^__version__ = ".+"$', '__version__ = "3.0.0"')
    git(checkout, "commit", "-q", "-a", "-m", "one alone")
    with pytest.raises(SystemExit, match=r"differ in their versions.*3\.0\.0"):
        release.release(checkout, "7.0.1", DAY)


def test_a_version_that_should_have_an_old_name_no_more_is_refused(checkout):
    module = checkout / "attnlib" / "masks.py"
    module.write_text('renamed("mask", "offset", "query_offset", until="7.0.0")')
    git(checkout, "add", ".")
    git(checkout, "commit", "-q", "-m", "an old name")
    with pytest.raises(SystemExit, match=r"7\.0\.1 has no more: attnlib/masks\.py"):
        release.release(checkout, "7.0.1", DAY)
    assert git(checkout, "tag", "--list") == ""
    release.release(checkout, "6.9.0", DAY)
