"""A Python for tests: commands of the trainers are forked by server/trainers/tests/forking.py; everything else runs in the real one.

support/forking.ts puts a line with the interpreter above this, and its values below. The process is there as long as the command,
passes signals on to it, and ends as it does.
"""

import json
import os
import signal
import socket
import struct
import sys

REAL = "{REAL}"
SOCKET = "{SOCKET}"
TRAINERS = "{TRAINERS}"
FORKED = (["bashgym_trainers", "train"], ["bashgym_trainers", "answer"], ["bashgym_trainers", "merge"])


def is_forked(arguments: list[str]) -> bool:
    if arguments[:1] != ["-m"] or os.environ.get("PYTHONPATH", "").split(os.pathsep)[0] != TRAINERS:
        return False
    return arguments[1:3] in FORKED or arguments[1:2] == ["bashgym_trainers.probe"]


def main(arguments: list[str]) -> None:
    connection = None
    if is_forked(arguments):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(SOCKET)
        except OSError:
            connection = None
    if connection is None:
        os.execv(REAL, [REAL, *arguments])
    command = json.dumps({"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}).encode()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, lambda number, _: connection.send(bytes([number])))
    socket.send_fds(connection, [struct.pack("<I", len(command))], [0, 1, 2])
    connection.sendall(command)
    null = os.open(os.devnull, os.O_RDWR)
    started = connection.recv(1)
    for number in (0, 1, 2):
        os.dup2(null, number)  # only the command has its streams now
    end = connection.recv(4, socket.MSG_WAITALL) if started else b""
    if len(end) < 4:
        os.kill(os.getpid(), signal.SIGKILL)
    (code,) = struct.unpack("<i", end)
    if code >= 0:
        os._exit(code)
    signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
    os.kill(os.getpid(), -code)


main(sys.argv[2:] if sys.argv[1:2] == ["-u"] else sys.argv[1:])  # torch's launcher says -u
