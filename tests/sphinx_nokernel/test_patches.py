"""The reasons for patches of others' code are still there: else a patch may go.

Each test asks the installed package itself, and fails once a version of it does what
the patch is there for.
"""

import socket
import sys
from contextlib import ExitStack, contextmanager
from subprocess import PIPE
from types import SimpleNamespace

import nbval.kernel
import pytest
import sphinx_thebe
from myst_nb.core.render import coalesce_streams  # as it is before a book is built
from sphinxcontrib import katex

from sphinx_nokernel import katex as ours
from sphinx_nokernel.others import joined


def pieces():
    said = ("index 5", "12\n")
    return [{"output_type": "stream", "name": "stdout", "text": text} for text in said]


def test_myst_nb_cuts_a_line_that_came_in_two_pieces():
    """The patch is `streams.join_streams`."""
    assert coalesce_streams is not joined
    assert [one["text"] for one in joined(pieces())] == ["index 512\n"]
    assert [one["text"] for one in coalesce_streams(pieces())] != ["index 512\n"]


def test_sphinx_thebe_puts_an_address_on_every_page():
    """The patch is `thebe.leave_thebe_or_drop_it`."""
    words = dict.fromkeys(("selector", "selector_input", "selector_output"), "")
    scripts = []
    app = SimpleNamespace(
        config=_Config(thebe_config=words),
        add_js_file=lambda *_, body="", **__: scripts.append(body),
    )
    sphinx_thebe.init_thebe_core(app, None, ())
    assert 'const THEBE_JS_URL = "https://' in scripts[0]


class _Config(dict):
    __getattr__ = dict.__getitem__


@contextmanager
def closing():
    """Make sockets as `socket.socket` does, and close them in the end."""
    kind, all_made = socket.socket, ExitStack()
    with all_made:
        yield lambda *family: all_made.enter_context(kind(*family))


def test_katex_gives_up_on_a_socket_that_does_not_listen_yet(monkeypatch, tmp_path):
    """The patch is `katex._patiently`."""
    monkeypatch.chdir(tmp_path)  # a socket's path is short
    monkeypatch.setattr(katex, "Popen", lambda *_, **__: None)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as deaf, closing() as made:
        deaf.bind("katex.sock")
        monkeypatch.setattr(katex.socket, "socket", made)
        start = katex.KaTeXServer.start_server_process
        with pytest.raises(ConnectionRefusedError):
            start(type(tmp_path)(), 5)


def test_a_server_that_was_given_up_does_not_live_on():
    """Whoever waits for the end of the build's output would wait for it too."""
    servers = []

    def start():
        servers.append(ours._Server([sys.executable, "-c", "input()"], stdin=PIPE))
        if len(servers) < 3:
            raise ConnectionRefusedError
        return servers[-1]

    with ours._patiently(start)() as last:
        assert [one.wait(30) for one in servers[:2]] == [-9, -9]
        assert last.poll() is None


def test_nbval_does_not_start_a_kernel_again(monkeypatch):
    """The patch is `start_twice`, in the conftest.py of the root."""
    calls = []

    def dies(*_, **__):
        calls.append(1)
        raise RuntimeError

    monkeypatch.setattr(nbval.kernel, "start_new_kernel", dies)
    with pytest.raises(RuntimeError):
        nbval.kernel.RunningKernel("python3")
    assert len(calls) == 1
