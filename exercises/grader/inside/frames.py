"""Messages between the grader and its worker: a JSON header and bytes, each with its length."""

import json
import os
import struct

_SIZES = struct.Struct(">II")


def send(fd, header, data=b""):
    """Write one message."""
    text = json.dumps(header).encode()
    message = memoryview(_SIZES.pack(len(text), len(data)) + text + data)
    while message:
        message = message[os.write(fd, message) :]


def receive(read):
    """Read one message with ``read(count)``, and return its header and its bytes.

    Raises
    ------
    EOFError
        If the other end is closed.
    """
    text, data = _SIZES.unpack(_exactly(read, _SIZES.size))
    return json.loads(_exactly(read, text)), _exactly(read, data)


def _exactly(read, count):
    chunks = []
    while count:
        chunk = read(count)
        if not chunk:
            raise EOFError("the other end is closed")
        chunks.append(chunk)
        count -= len(chunk)
    return b"".join(chunks)
