"""Damaged and hostile files: `mutants` makes them, `outcome` loads one and watches what it does.

``python -m tests.serialization_fuzz 10000`` runs as many.
"""

import io
import random
import struct
import sys
import warnings
import zipfile
from collections import Counter, OrderedDict
from pickle import UnpicklingError

import minitorch

# what a damaged file may raise; anything else, and a hook that ran, is a failure
ERRORS = (
    RuntimeError,
    EOFError,
    ValueError,
    TypeError,
    AssertionError,
    AttributeError,
    LookupError,
    struct.error,
    UnpicklingError,
)
FORBIDDEN = {
    "os.system",
    "subprocess.Popen",
    "exec",
    "import",
    "os.exec",
    "os.remove",
    "socket.connect",
}
happened: list = []
_watching = False


def _watch(event, arguments):
    if _watching and event in FORBIDDEN:
        happened.append((event, arguments))


sys.addaudithook(_watch)


def seeds():
    """Good files of both formats."""
    x = minitorch.arange(12.0).reshape(3, 4)
    state = OrderedDict(
        weight=x,
        part=x[1:, ::2],
        bias=minitorch.nn.Parameter(minitorch.ones(3)),
        step=7,
        name="a",
        eps=1e-8,
    )
    files = []
    for zipped in (True, False):
        file = io.BytesIO()
        minitorch.save(
            {"state": state, "groups": [{"betas": (0.9, 0.999)}], "set": {1, 2}},
            file,
            _use_new_zipfile_serialization=zipped,
        )
        files.append(file.getvalue())
    return files


def _with_record(data, name, change):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            content = old.read(info)
            new.writestr(
                info.filename, change(content) if info.filename.endswith(name) else content
            )
    return out.getvalue()


_NUMBERS = [0, 1, 127, 255, 256, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, (1 << 63) - 1]
_CODE = b"cposix\nsystem\nX\x04\x00\x00\x00trueq\x00\x85R."


def _change(rng, data):
    if not data:
        return data
    data = bytearray(data)
    kind = rng.randrange(7)
    at = rng.randrange(max(len(data) - 8, 1))
    if kind == 0:
        data[at] = rng.randrange(256)
    elif kind == 1:
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 2:
        del data[at : at + rng.randrange(1, 40)]
    elif kind == 3:
        data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 20)))
    elif kind == 4:
        del data[at:]
    elif kind == 5:
        layout = rng.choice(["<H", "<I", "<Q"])
        value = rng.choice(_NUMBERS) & ((1 << 8 * struct.calcsize(layout)) - 1)
        data[at : at + struct.calcsize(layout)] = struct.pack(layout, value)
    else:
        other = rng.randrange(len(data))
        data[at : at + 30] = data[other : other + 30]
    return bytes(data)


def mutants(count, seed=0):
    """So many damaged files."""
    rng = random.Random(seed)
    zipped, legacy = seeds()
    for index in range(count):
        kind = index % 4
        if kind == 0:
            data = _change(rng, zipped)
        elif kind == 1:
            data = _change(rng, legacy)
        elif kind == 2:
            data = _with_record(zipped, "data.pkl", lambda pickle: _change(rng, pickle))
        else:
            changes = rng.randrange(1, 5)

            def change(pickle, changes=changes):
                for _ in range(changes):
                    pickle = _change(rng, pickle)
                if rng.random() < 0.2:
                    at = rng.randrange(len(pickle) or 1)
                    pickle = pickle[:at] + _CODE + pickle[at:]
                return pickle

            data = _with_record(zipped, "data.pkl", change)
        yield data


def _touch(value):
    """Read every element of every tensor."""
    if isinstance(value, minitorch.Tensor):
        if value.numel() < 1 << 20:
            value.detach().clone().tolist()
    elif isinstance(value, dict):
        for part in list(value.values()):
            _touch(part)
    elif isinstance(value, (list, tuple, set)):
        for part in list(value):
            if part is not value:
                _touch(part)


def outcome(data):
    """The name of the exception that loading a file raises, or "loaded"."""
    global _watching
    happened.clear()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _watching = True
            try:
                value = minitorch.load(io.BytesIO(data))
            finally:
                _watching = False
            _touch(value)
    except ERRORS as error:
        result = type(error).__name__
    else:
        result = "loaded"
    assert happened == []
    return result


if __name__ == "__main__":
    print(Counter(map(outcome, mutants(int(sys.argv[1]), int((sys.argv + ["0"])[2])))))
