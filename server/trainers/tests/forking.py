"""``python forking.py SOCKET``: starts the trainers for tests from outside, by forking a process that has their libraries loaded.

The other end is ``e2e/support/forking.py``, which the product takes for its Python. Each connection has one command: its standard
streams, then its arguments, folder and environment. Between both ends, the caller sends signal numbers, and gets the exit status. A
connection that closes means that the caller was killed, and the command is too.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import runpy
import select
import signal
import socket
import struct
import sys
import threading
from pathlib import Path
from typing import Any

from bashgym_trainers.__main__ import OFFLINE, QUIET

os.environ.update(QUIET | OFFLINE | {"OMP_NUM_THREADS": "1"})  # read when the libraries are loaded


def main(place: str) -> None:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(place)
    listener.listen(128)  # callers wait until the libraries are loaded
    import warm  # noqa: F401
    from peft import LoraConfig  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    parent = os.getppid()
    while os.getppid() == parent:
        if not select.select([listener], [], [], 2)[0]:
            continue
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            try:
                attend(connection)
            finally:
                os._exit(1)
        connection.close()


def attend(connection: socket.socket) -> None:
    """Forks the command of a connection, passes signals on, and reports how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    first, streams, _, _ = socket.recv_fds(connection, 4, 3)
    (size,) = struct.unpack("<I", first)
    text = b""
    while len(text) < size:
        part = connection.recv(size - len(text))
        if not part:
            return
        text += part
    child = os.fork()
    if child == 0:
        connection.close()
        perform(json.loads(text), streams)
    for stream in streams:
        os.close(stream)
    connection.sendall(b"s")
    end = os.pidfd_open(child)
    while True:
        ready, _, _ = select.select([connection, end], [], [])
        if end in ready:
            break
        numbers = connection.recv(16)
        for number in numbers or [signal.SIGKILL]:
            os.kill(child, number)
        if not numbers:
            os.killpg(child, signal.SIGKILL)
            return
    _, status = os.waitpid(child, 0)
    connection.sendall(struct.pack("<i", os.waitstatus_to_exitcode(status)))
    os._exit(0)


def perform(command: dict[str, Any], streams: list[int]) -> None:
    """The command, in its process. Does not return."""
    os.setpgid(0, 0)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(command["folder"])
    os.environ.clear()
    os.environ.update(command["environment"])
    _, module, *arguments = command["arguments"]
    sys.argv = [module, *arguments]
    sys.orig_argv = [sys.executable, *command["arguments"]]
    more = os.environ["PYTHONPATH"].split(os.pathsep)[1:]
    sys.path[1:1] = more
    for folder in more:
        customize(Path(folder) / "sitecustomize.py")
    sys.modules.pop(module, None)
    sys.modules.pop(f"{module}.__main__", None)
    code: Any = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as error:
        code = error.code
    except BaseException:  # as the interpreter would
        sys.excepthook(*sys.exc_info())
        code = 1
    if isinstance(code, str):
        print(code, file=sys.stderr)
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or 120  # as the interpreter
    os._exit(code or 0)


def customize(file: Path) -> None:
    if not file.exists():
        return
    spec = importlib.util.spec_from_file_location("sitecustomize", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


if __name__ == "__main__":
    main(sys.argv[1])
