"""A JupyterLab server for the tests of a real JupyterLab."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest


@contextmanager
def serve_lab(folder, root, places, *options):
    """Serve the folder ``root``; yield the address. The log goes to ``folder``.

    ``places`` are variables of the environment that keep the user's own settings out.
    """
    port = _free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--port={port}", "--IdentityProvider.token=", "--LabApp.news_url=None"]
    command += [f"--ServerApp.root_dir={root}", *options]
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, env={**os.environ, **places}
        )
        try:
            _wait_until_up(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()
            process.wait(30)


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _wait_until_up(address, process, seconds=120):
    """Wait for the server to answer; fail with its own words if it does not."""
    for _ in range(seconds * 5):
        assert process.poll() is None, f"JupyterLab ended with {process.returncode}"
        try:
            with urllib.request.urlopen(f"{address}/api"):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    pytest.fail(f"JupyterLab did not answer within {seconds} s")
