"""Release a version: one command sets it everywhere, dates it, and tags the commit.

    .venv/bin/python tools/release.py 0.2.0      (make release VERSION=0.2.0)

Each distribution states its version in one place, the file that its `pyproject.toml`
names under `[tool.hatch.version]`; all are released together, under one number, and
need each other in that version or a later one.
CITATION.cff, codemeta.json and the changelog state it too, with the day. Nothing is
pushed or published: `git push --follow-tags` does that, and the workflow *release*.
"""

import argparse
import ast
import datetime
import json
import re
import subprocess
import tomllib
from pathlib import Path

from install import ROOMS

ROOT = Path(__file__).resolve().parent.parent
OPEN = "## Unreleased"
OURS = re.compile(r'("(?:attn(?:lib|check|config)|named-mistakes)>=)[\d.]+')
NUMBER = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def version_files(root=ROOT):
    """Map each distribution's folder to the file in which its version stands."""
    found = {}
    for room in ROOMS:
        project = root / room
        told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
        found[room] = project / told["tool"]["hatch"]["version"]["path"]
    return found


def version_in(path):
    """Return the version that a module states."""
    text = path.read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)[1]


def only_version(root=ROOT):
    """Return the version of all distributions; refuse them where they differ."""
    said = {version_in(path) for path in version_files(root).values()}
    if len(said) > 1:
        raise SystemExit(f"The distributions differ in their versions: {sorted(said)}.")
    return said.pop()


def numbers(version):
    """Return a version as numbers that compare; refuse what is no x.y.z."""
    match = NUMBER.fullmatch(version)
    if not match:
        raise SystemExit(f"VERSION must be three numbers, as 0.2.0; got {version!r}.")
    return tuple(map(int, match.groups()))


def change(path, pattern, replacement):
    """Replace the one place in a file that matches a pattern."""
    text, count = re.subn(
        pattern, replacement, path.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    if count != 1:
        raise SystemExit(f"{path.name}: {pattern!r} stands there {count} times, not 1.")
    path.write_text(text, encoding="utf-8")


def changes_since_last(root):
    """Return what the changelog has under its open heading."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    _, found, rest = text.partition(f"\n{OPEN}\n")
    if not found:
        raise SystemExit(f"CHANGELOG.md has no heading {OPEN!r}.")
    return re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0].strip()


def set_version(root, version, day):
    """Write a version and its day wherever they stand."""
    for path in version_files(root).values():
        change(path, r'^__version__ = ".+"$', f'__version__ = "{version}"')
    for room in ROOMS:  # an upgrade of one brings what it was released with
        project = root / room / "pyproject.toml"
        told = project.read_text(encoding="utf-8")
        project.write_text(OURS.sub(rf"\g<1>{version}", told), encoding="utf-8")
    citation = root / "CITATION.cff"
    dated = f"version: {version}\ndate-released: {day}\n"
    change(citation, r"^version: .+\n(date-released: .+\n)?", dated)
    meta = root / "codemeta.json"
    told = json.loads(meta.read_text(encoding="utf-8"))
    change(meta, r'"version": ".+"', f'"version": "{version}"')
    if "datePublished" in told:
        change(meta, r'"datePublished": ".+"', f'"datePublished": "{day}"')
    else:
        change(meta, r'^(  "version": .+)$', rf'\1\n  "datePublished": "{day}",')
    change(
        root / "CHANGELOG.md",
        f"^{OPEN}$",
        f"{OPEN}\n\n## {version} ({day})",
    )


def deprecated(text):
    """Each warning of an old name in a module: the version that has it no more."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name == "renamed":
            yield next(x.value.value for x in node.keywords if x.arg == "until")
        elif name == "warn" and "DeprecationWarning" in ast.unparse(node):
            yield from re.findall(r"gone in (\d+\.\d+\.\d+)", ast.unparse(node)) or [""]


def old_names(root):
    """Map each module that warns of an old name to the version that has it no more."""
    return {
        path.relative_to(root).as_posix(): until
        for package in version_files(root).values()
        for path in sorted(package.parent.rglob("*.py"))
        if path != root / "attnlib" / "_checks.py"  # which has the helper
        for until in deprecated(path.read_text(encoding="utf-8"))
    }


def outlived(root, version):
    """Return the old names that a version should have no more, or that never end."""
    told = old_names(root).items()
    return {
        place: until
        for place, until in told
        if not until or numbers(until) <= numbers(version)
    }


def check(root, version):
    """Refuse a version that is not the next, or of which there is nothing to say."""
    now = only_version(root)
    released = re.findall(
        r"^## (\d+\.\d+\.\d+) \(", (root / "CHANGELOG.md").read_text("utf-8"), re.M
    )
    newest = max(map(numbers, released), default=(0, 0, 0))
    if numbers(version) <= newest or numbers(version) < numbers(now):
        last = ".".join(map(str, newest)) if released else f"none, at {now}"
        raise SystemExit(f"{version} does not come after the last release ({last}).")
    if not changes_since_last(root):
        raise SystemExit(f"CHANGELOG.md has nothing under {OPEN!r}.")
    if late := outlived(root, version):
        raise SystemExit(f"Old names that {version} has no more: {', '.join(late)}.")


def git(root, *arguments):
    """Run git; return what it printed."""
    done = subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout


def release(root, version, day):
    """Set the version, commit that alone, and tag the commit."""
    if git(root, "status", "--porcelain"):
        raise SystemExit(
            "Commit or put aside your changes first: a release is a commit."
        )
    check(root, version)
    set_version(root, version, day)
    git(root, "commit", "-q", "-a", "-m", f"Release {version}")
    git(root, "tag", "-a", f"v{version}", "-m", f"Version {version}")
    print(git(root, "show", "--stat", "--format=%s", f"v{version}^{{commit}}"))
    print("Nothing is published yet. To do that: git push --follow-tags")


def main():
    """Release the version that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("version", help="three numbers, as 0.2.0")
    today = datetime.date.today().isoformat()
    release(ROOT, parser.parse_args().version, today)


if __name__ == "__main__":
    main()
