"""Hear pages as Orca speaks them, and compare with what is stored.

A transcript below tests/heard/BROWSER is a walk, and what is heard on it: the address
of a page, then a key in brackets, and below it what Orca says after that key. `[Tab 9]`
is nine times the key, and what is heard after the last. A new walk is an address and
its keys; --store writes what is heard below them.

An address ends in the id of a figure's cell, or of the question before it: Tab goes on
from there, and a link more in the prose above moves nothing. Count Tabs within one
figure alone; Chromium is silent at the first, so go past what it comes to, and back.
Press once what a region answers: what is heard while keys are repeated depends on how
busy the machine is. `[Insert+a]` is Orca's own: from there on, arrows choose in a group
as they do without it. `make test` presses the keys in Chromium, and asks whether the
focus comes to what is stored, and the region to what was heard last.

It needs Debian's packages: orca xvfb openbox xdotool dbus, and chromium or firefox-esr
(or $CHROMIUM, $FIREFOX). A page takes about a minute. Exercises run in the Pyodide that
the page names, or in that of the folder $PYODIDE_DIR.
"""

import argparse
import contextlib
import difflib
import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
WALKS = ROOT / "tests" / "heard"
PREFERENCES = Path(__file__).with_suffix(".js")
PYODIDE = os.environ.get("PYODIDE_DIR")
NEEDED = ["dbus-run-session", "Xvfb", "openbox", "orca", "xdotool"]
BUS = "/usr/libexec/at-spi-bus-launcher"
QUIET = 4.0  # seconds without a word: Orca has finished
PATIENCE = 150  # seconds until the first: a busy machine is slow
FLEETING = re.compile(r"(Starting Python|Getting|Running)\b")  # as long as it takes
RUNS = "shift+Return"
# Without a sound card the speech dispatcher hangs: what it would say is written down.
CUSTOMIZED = """
import os, orca.speech as speech
def write(text, *args, **options):
    with open(os.environ["SPOKEN"], "a") as log:
        log.write(" ".join(text.split()) + "\\n")
speech.init = lambda: None
speech._speak = lambda text, acss, interrupt: write(text)
speech.speakCharacter = lambda character, acss=None: write(character)
speech.speakKeyEvent = lambda *args, **options: None
"""
CHROMIUM = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update "
    "--force-renderer-accessibility --window-size=1380,960 --window-position=0,0 "
    "--user-data-dir={}"
)
# How a browser is started: a variable that names it, else a name on PATH; its flags, in
# which {} stands for the folder of its profile; and what else it is told.
FIREFOX = "--width 1380 --height 960 --profile {}"
BROWSERS = {
    "chromium": ("CHROMIUM", "chromium", CHROMIUM, {"ACCESSIBILITY_ENABLED": "1"}),
    "firefox": (
        "FIREFOX",
        "firefox-esr",
        FIREFOX,
        {"GNOME_ACCESSIBILITY": "1", "MOZ_DISABLE_CONTENT_SANDBOX": "1"},
    ),
}


def read_walk(path):
    """Return a page's address, and pairs of a key and what is heard after it."""
    address, *lines = path.read_text("utf-8").splitlines()
    walk = []
    for line in lines:
        if line.startswith("["):
            walk.append((line[1:-1], []))
        elif line.strip():
            walk[-1][1].append(line.strip())
    return address, walk


def write_walk(address, walk):
    """Return the text of a transcript, which `read_walk` reads."""
    told = [f"[{key}]\n" + "".join(f"    {x}\n" for x in said) for key, said in walk]
    return "\n".join([address, "", *told])


class Desktop:
    """A screen of its own, with Orca on it, that writes down what it would say."""

    def __init__(self, home):
        self.home, self.running = home, []
        self.spoken = home / "spoken"
        self.spoken.touch()
        folder = home / ".local" / "share" / "orca"
        folder.mkdir(parents=True)
        (folder / "orca-customizations.py").write_text(CUSTOMIZED)
        (home / "run").mkdir(mode=0o700)
        self.env = os.environ | {
            "DISPLAY": f":{os.getpid() % 10_000 + 100}",
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(home / "run"),
            "SPOKEN": str(self.spoken),
            "LC_ALL": "C.UTF-8",
            "NO_AT_BRIDGE": "0",
            "GSETTINGS_BACKEND": "memory",
        }

    def start(self, *command, seconds=1.0):
        """Start a program that goes on until the end, and give it time to come up."""
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.running.append(subprocess.Popen(command, env=self.env, **quiet))
        time.sleep(seconds)

    def stop(self, keep=0):
        """Stop what was started, the latest first, but for the first few."""
        while len(self.running) > keep:
            last = self.running.pop()
            last.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                last.wait(3)
            last.kill()

    def press(self, key):
        """Press a key, by its name for xdotool, as often as it says; or type."""
        name, _, times = key.partition(" ")
        told = ["key", "--repeat", times or "1", "--delay", "400", name]
        told = ["type", "--delay", "100", key.strip('"')] if '"' in key else told
        subprocess.run(["xdotool", *told], env=self.env, check=True)

    def heard(self, since, until="", longest=PATIENCE):
        """Return what was said since then, once all is quiet and the word has come."""
        last, seen, end = since, time.monotonic(), time.monotonic() + longest
        while time.monotonic() < end:
            time.sleep(0.1)
            if (size := self.spoken.stat().st_size) != last:
                last, seen = size, time.monotonic()
            text = self.spoken.read_bytes()[since:].decode()
            if re.search(until or ".", text) and time.monotonic() - seen > QUIET:
                break
        return [line for line in text.splitlines() if not FLEETING.match(line)]


@contextlib.contextmanager
def desktop():
    """Give a desktop with Orca, and take it away again."""
    with tempfile.TemporaryDirectory() as home:
        one = Desktop(Path(home))
        try:
            one.start("Xvfb", one.env["DISPLAY"], "-screen", "0", "1400x1000x24")
            one.start("openbox")
            one.start(BUS, "--launch-immediately", "--a11y=1", "--screen-reader=1")
            one.start("orca", "--replace")
            one.heard(0, until="Screen reader on")
            yield one
        finally:
            one.stop()


def browse(one, browser, address):
    """Open a page in a new browser, and wait until Orca has told what it holds."""
    profile = Path(tempfile.mkdtemp(dir=one.home))
    since, (variable, name, flags, env) = one.spoken.stat().st_size, BROWSERS[browser]
    shutil.copy(PREFERENCES, profile / "user.js")  # which Firefox alone reads
    one.env |= env
    name = os.environ.get(variable) or name
    one.start(name, *flags.format(profile).split(), address)
    return one.heard(since, until="Page has", longest=3 * PATIENCE)


def hear(one, browser, site, address, keys):
    """Open a page, press the keys, and return each with what was heard after it."""
    began = len(one.running)
    browse(one, browser, f"{site}/{address}")
    walk = []
    for key in keys:
        since = one.spoken.stat().st_size
        one.press(key)
        ended = r"Done\.|error\." if key == RUNS else ""
        walk.append((key, one.heard(since, until=ended)))
    one.stop(keep=began)
    return walk


@contextlib.contextmanager
def served():
    """Serve the built site; give its address."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            """Say nothing."""

        def translate_path(self, path):
            """Look for Pyodide's files in their folder."""
            _, python, name = path.partition("/pyodide/")
            return f"{PYODIDE}/{name}" if python else super().translate_path(path)

        def do_GET(self):
            """Let a page take Pyodide from here, if there is a folder."""
            file = Path(self.translate_path(self.path))
            if not PYODIDE or file.suffix != ".html":
                return super().do_GET()
            page = re.sub(
                rb'(?<=data-pyodide=")[^"]*', b"../pyodide/", file.read_bytes()
            )
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            return self.wfile.write(page)

    handler = functools.partial(Handler, directory=SITE)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def compare(path, walk, stored):
    """Print how what is heard differs from what is stored; return whether it does.

    Whether a slow machine says a line before or after the next key, or before or after
    what another region says, makes no difference.
    """
    stored, now = ([line for _, said in one for line in said] for one in (stored, walk))
    told = list(difflib.unified_diff(stored, now, "stored", "heard", lineterm="", n=1))
    told = told if sorted(stored) != sorted(now) else []
    name = f"{path.parent.name} {path.stem}"
    print(f"{name}: " + ("as stored" if not told else "differs"), flush=True)
    print(*told, sep="\n")
    return bool(told)


def main():
    """Hear each walk; exit with 1 if one is not as it is stored."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="walks; all by default")
    parser.add_argument("--browser", choices=BROWSERS, help="all by default")
    parser.add_argument("--store", action="store_true", help="store what is heard")
    options = parser.parse_args()
    if missing := [name for name in NEEDED if not shutil.which(name)]:
        parser.error(
            "not found: " + ", ".join(missing) + " (see the head of this file)"
        )
    if "HEARD_INSIDE" not in os.environ:
        again = ["dbus-run-session", "--", sys.executable, *sys.argv]
        os.execvpe(again[0], again, os.environ | {"HEARD_INSIDE": "1"})
    walks = [
        path
        for path in sorted(WALKS.glob("*/*.txt"))
        if path.stem in (options.names or [path.stem])
        and path.parent.name in (options.browser or path.parent.name)
    ]
    different = []
    with served() as site, desktop() as one:
        for path in walks:
            address, stored = read_walk(path)
            keys = [key for key, _ in stored]
            walk = hear(one, path.parent.name, site, address, keys)
            if options.store:
                path.write_text(write_walk(address, walk), "utf-8")
            elif compare(path, walk, stored):
                different.append(path.stem)
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
