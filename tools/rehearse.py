"""Do all that a release does, but publish it (make release-check).

    .venv/bin/python tools/rehearse.py
    .venv/bin/python tools/rehearse.py --assets

Builds each distribution as an sdist and the wheel from that, into dist/packages, tries
every one in an empty environment, and writes dist/notes.md. With `--assets`, what
readers download from the built site is copied to dist/assets, named by the version.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

import uv
from install import ROOMS
from release import ROOT, changes_since_last, only_version

DIST = ROOT / "dist"
DOWNLOADS = ROOT / "_build" / "html" / "downloads"
PDF = ROOT / "_build" / "attention-worked-out.pdf"
PACKAGES = "ATTENTION_PACKAGES"  # for the tests: the distributions, built before


def notes(root, version):
    """Return what the changelog says of a version, or of the next one."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(rf"^## {re.escape(version)} \(.+\)$", text, re.MULTILINE)
    if not released:
        return changes_since_last(root)
    rest = text[released.end() :]
    return re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0].strip()


def build(folder, root=ROOT):
    """Build each distribution's sdist, and its wheel from that; return the files."""
    for room in ROOMS:
        command = [uv.find_uv_bin(), "build", "-q", "--python", sys.executable]
        subprocess.run([*command, "--out-dir", folder, root / room], check=True)
    return sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])


def rehearse(root=ROOT):
    """Do all that a release does, but publish it."""
    version, tag = only_version(root), os.environ.get("TAG")
    if tag and tag != f"v{version}":
        raise SystemExit(f"The tag is {tag}; the distributions say {version}.")
    shutil.rmtree(DIST, ignore_errors=True)
    built = build(DIST / "packages", root)
    tests = ("test_versions.py", "test_release.py", "test_distributions.py")
    command = [sys.executable, "-m", "pytest", "-q"]
    command += [str(root / "tests" / "rooms" / name) for name in tests]
    environment = {**os.environ, PACKAGES: str(DIST / "packages")}
    if code := subprocess.run(command, cwd=root, env=environment).returncode:
        raise SystemExit(code)
    (DIST / "notes.md").write_text(notes(root, version), encoding="utf-8")
    for path in built:
        print(f"{path.stat().st_size / 1e3:8.0f} kB  {path.relative_to(root)}")
    print(f"Version {version} could be released. Nothing was published.")


def collect_assets(root=ROOT):
    """Copy what readers download, with the version in each name."""
    folder, version = DIST / "assets", only_version(root)
    folder.mkdir(parents=True, exist_ok=True)
    for path in [*sorted(DOWNLOADS.iterdir()), PDF]:
        shutil.copy(path, folder / f"{path.stem}-{version}{path.suffix}")


def main():
    """Rehearse a release, or collect its downloads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assets", action="store_true", help="collect the downloads")
    collect_assets() if parser.parse_args().assets else rehearse()


if __name__ == "__main__":
    main()
