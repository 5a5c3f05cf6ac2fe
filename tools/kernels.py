"""Kernels that are forks of one process, which has imported Jupyter and matplotlib.

Each notebook has a process and names of its own, as ever; what it spares is two seconds
of imports. Nothing of this repository is imported before a kernel is there.
"""

import atexit
import importlib
import json
import os
import signal
import subprocess
import sys
import time

IMPORTED = ("ipykernel.kernelapp", "ipykernel.debugger", "matplotlib.pyplot", "jedi")
IMPORTED += ("ipywidgets", "anywidget", "array_api_compat.numpy")
LAUNCHER = "ipykernel_launcher"


class Forked:
    """The process of a kernel, as jupyter_client wants it."""

    stdin = stdout = stderr = returncode = None

    def __init__(self, pid):
        self.pid = pid

    def send_signal(self, number):
        """Send it, if the process is still there."""
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            self.returncode = 0

    def poll(self):
        """Return None while it runs."""
        self.send_signal(0)
        return self.returncode

    def wait(self, timeout=None):
        """Wait until it has ended."""
        end = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if end and time.monotonic() > end:
                raise subprocess.TimeoutExpired(LAUNCHER, timeout)
            time.sleep(0.02)
        return self.returncode

    def terminate(self):
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self):
        """End it."""
        self.send_signal(signal.SIGKILL)


def share():
    """Let jupyter_client start the kernels of this Python by forking, on Linux.

    Elsewhere a fork cannot rely on what libraries of the system have begun.
    """
    if sys.platform != "linux":
        return
    from jupyter_client.provisioning import local_provisioner

    apart, parent = local_provisioner.launch_kernel, []

    def launch(command, **options):
        if LAUNCHER not in command or command[0] != sys.executable:
            return apart(command, **options)
        if not parent:
            parent.append(_start())
        asked = {
            "argv": command[command.index(LAUNCHER) :],
            "cwd": str(options.get("cwd") or os.getcwd()),
            "env": dict(options.get("env") or os.environ),
            "streams": (0, 1) if options.get("stderr") is None else (0, 1, 2),
        }
        print(json.dumps(asked), file=parent[0].stdin, flush=True)
        return Forked(int(parent[0].stdout.readline()))

    local_provisioner.launch_kernel = launch


def _start():
    """Start the process that is forked. It ends with its input."""
    env = {"OPENBLAS_NUM_THREADS": "1", **os.environ}  # no fork has its threads
    env["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    env.pop("PYTHONPATH", None)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    parent = subprocess.Popen([sys.executable, "-P", __file__], env=env, **pipes)
    atexit.register(parent.communicate)
    return parent


def serve():
    """Fork for each line that is read. The kernel says which process it is."""
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    for name in IMPORTED:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, _reap)
    for line in sys.stdin:
        if not os.fork():
            try:
                _become_kernel(**json.loads(line))
            finally:
                os._exit(0)


def _reap(*_):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _become_kernel(argv, cwd, env, streams):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()  # first: who ends it ends its group
    print(os.getpid(), flush=True)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    paths = env.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:0] = [os.path.abspath(path) for path in paths if path]
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in streams:
        os.dup2(nothing, stream)
    start = sys.modules["ipykernel.kernelapp"].launch_new_instance
    start(argv[1:], parent_handle=os.getppid())


if __name__ == "__main__":
    serve()
