"""Workflows: pinned by commit, with few rights, in full once a push."""

import re
from pathlib import Path

import make
import pytest
import rehearse
import run_tests
import yaml

FOLDER = Path(__file__).resolve().parents[2] / ".github" / "workflows"
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.yml")}
JOBS = {
    f"{file}: {name}": job
    for file, text in TEXTS.items()
    for name, job in yaml.safe_load(text)["jobs"].items()
}
# The only jobs that may write, and what.
MAY_WRITE = {
    "deploy": {"pages", "id-token"},
    "colab": {"contents"},
    "publish": {"id-token"},
    "files": {"contents", "id-token", "attestations"},
}


def test_every_action_is_pinned_by_commit_and_names_its_version():
    used = [line for text in TEXTS.values() for line in re.findall(r"uses: .+", text)]
    assert used
    pinned = re.compile(r"uses: (actions|pypa)/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+")
    assert [line for line in used if not pinned.fullmatch(line)] == []


@pytest.mark.parametrize("name", JOBS)
def test_a_job_has_the_rights_that_it_needs(name):
    """One that may write runs nothing that was installed.

    What it publishes was made by a job without such a token, and handed over.
    """
    rights, steps = JOBS[name].get("permissions", {}), JOBS[name]["steps"]
    writes = {what for what, may in rights.items() if may == "write"}
    assert writes == MAY_WRITE.get(name.partition(": ")[2], set())
    for step in steps:
        uses, command = step.get("uses", ""), step.get("run", "")
        if writes:
            assert not re.search(r"\b(pip|npm|make|python|uv)\b", command)
            assert "checkout" not in uses
        elif "checkout" in uses:
            assert step["with"]["persist-credentials"] is False
    assert not writes or JOBS[name]["needs"]


def test_new_versions_are_proposed_for_all_that_is_locked():
    config = yaml.safe_load((FOLDER.parent / "dependabot.yml").read_text("utf-8"))
    places = {
        (update["package-ecosystem"], place)
        for update in config["updates"]
        for place in update.get("directories", [update.get("directory")])
    }
    root = FOLDER.parents[1]
    locks = [*root.glob("package-lock.json"), *root.glob("[a-z]*/*/package-lock.json")]
    npm = {f"/{path.parent.relative_to(root)}".rstrip(".") for path in locks}
    assert places == {
        ("github-actions", "/"),
        ("pip", "/"),
        *(("npm", place) for place in npm),
    }


def test_without_a_word_a_job_may_read_the_contents_alone_and_none_has_a_password():
    """PyPI knows the workflow by what the code host says of it."""
    for text in TEXTS.values():
        assert "secrets." not in text
        assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def test_a_push_is_tested_in_full_once():
    full = [
        name
        for name, job in JOBS.items()
        for step in job["steps"]
        if step.get("run") == ".ci/run" and "== 'schedule'" not in job["if"]
    ]
    assert full == ["ci.yml: full"]


def test_what_was_tested_is_published():
    """The job that tests hands its site on; the one that deploys builds nothing.

    What comes between adds downloads, and the links to them.
    """
    steps = [
        step.get("uses", step.get("run")) for step in JOBS["ci.yml: full"]["steps"]
    ]
    assert steps[-3:-1] == [".ci/run", "make bundle-python epub"]
    assert "upload-pages-artifact" in steps[-1]
    (deploy,) = JOBS["ci.yml: deploy"]["steps"]
    assert "deploy-pages" in deploy["uses"]
    assert set(JOBS["ci.yml: deploy"]["needs"]) == {"full", "quick"}


@pytest.mark.parametrize("change", ["write", "remove", "add"])
def test_tests_that_change_the_site_fail(tmp_path, capsys, change):
    page = tmp_path / "book" / "page.html"
    page.parent.mkdir()
    page.write_text("as built")
    built = run_tests.contents(tmp_path)
    run_tests.check_untouched(built, tmp_path)
    if change == "write":
        page.write_text("otherwise")
    elif change == "remove":
        page.unlink()
    else:
        page = page.with_name("new.html")
        page.write_text("new")
    with pytest.raises(SystemExit):
        run_tests.check_untouched(built, tmp_path)
    assert f"The tests changed the site: book/{page.name}" in capsys.readouterr().err


def test_every_python_that_the_course_takes_is_tried():
    """One in full, the others quickly."""
    (full,) = (
        step["with"]["python-version"]
        for step in JOBS["ci.yml: full"]["steps"]
        if "setup-python" in step.get("uses", "")
    )
    matrix = JOBS["ci.yml: quick"]["strategy"]["matrix"]["python"]
    (first, oldest), (last, newest) = make.OLDEST, make.NEWEST
    assert first == last
    taken = [f"{first}.{minor}" for minor in range(oldest, newest + 1)]
    assert sorted([full, *matrix]) == taken


def test_what_is_published_is_what_was_tried():
    """Built once: those that publish have only what that job hands over."""
    build = JOBS["release.yml: build"]["steps"]
    assert "make release-check" in [step.get("run") for step in build]
    handed = [step["with"]["path"] for step in build if "upload" in str(step)]
    assert handed == [rehearse.DIST.name, "${{ runner.temp }}/colab"]
    for name in ("publish", "files", "colab"):
        job = JOBS[f"release.yml: {name}"]
        assert job["needs"] == "build"
        assert "download-artifact" in job["steps"][0]["uses"]
