"""Pyodide's files: where they are, which are needed, if they are the right ones."""

import base64
import hashlib
import json
import re
import urllib.request
from pathlib import Path

LOCK = "pyodide-lock.json"
CORE = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", LOCK)
IMPORTED = re.compile(r"^\s*(?:import|from)\s+(\w+)", re.MULTILINE)
NOWHERE = (
    "{name} is not to be had. Have {address} within reach, or set PYODIDE_DIR to a "
    "folder with that release"
)
OTHER = "{name} is another file than the pages expect, which is {expected}"
UNKNOWN = (
    "nothing says which {name} is the right one. Set nokernel_pyodide_digests to those "
    "of the release that nokernel_pyodide names"
)


class Release:
    """Reads files of a release from folders, else from its address.

    Parameters
    ----------
    address : str
        Where the site's pages fetch it from.
    digests : dict of str to str
        What its own files are compared with, ``sha256-…`` by name; those of packages
        are compared with what the lock file says.
    folders : sequence of path
        Where files are looked for first, in this order. One that is not the published
        file is passed over.
    """

    def __init__(self, address, digests, folders=()):
        self.address, self.digests = address, dict(digests)
        self.folders = [*map(Path, folders)]

    def files(self, modules):
        """Return names and bytes of the core, and of the packages with these modules.

        Raises
        ------
        FileNotFoundError
            If a file is in no folder, and the address is out of reach.
        ValueError
            If what is found under its name is another file, or nothing says which file
            it should be.
        """
        found = {name: self._read(name, self.digests.get(name)) for name in CORE}
        packages = json.loads(found[LOCK])["packages"]
        for name in with_depended(packages, modules):
            file, digest = packages[name]["file_name"], packages[name]["sha256"]
            found[file] = self._read(file, _written(bytes.fromhex(digest)))
        return found

    def _read(self, name, expected):
        if not expected:
            raise ValueError(UNKNOWN.format(name=name))
        others = 0
        for data in self._found(name):
            if _written(hashlib.sha256(data).digest()) == expected:
                return data
            others += 1
        if others:
            raise ValueError(OTHER.format(name=name, expected=expected))
        raise FileNotFoundError(NOWHERE.format(name=name, address=self.address))

    def _found(self, name):
        """Yield what is found under this name: in each folder, then at the address."""
        for folder in self.folders:
            if (folder / name).is_file():
                yield (folder / name).read_bytes()
        try:
            with urllib.request.urlopen(self.address + name, timeout=60) as answer:
                yield answer.read()
        except (OSError, ValueError):  # out of reach, or no address of a host
            return


def _written(digest):
    return f"sha256-{base64.b64encode(digest).decode()}"


def with_depended(packages, modules):
    """List the packages that have these modules, and those that they depend on."""
    having = {
        module: name for name, one in packages.items() for module in one["imports"]
    }
    wanted = [having[module] for module in sorted(modules) if module in having]
    found = []
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.append(name)
            wanted += [one.lower() for one in packages[name]["depends"]]
    return sorted(found)


def imported(sources):
    """Return the names of all modules that these sources import."""
    return {name for source in sources for name in IMPORTED.findall(source)}
