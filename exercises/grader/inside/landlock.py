"""Take away the files, with Landlock (Linux 5.13 and later).

A *ruleset* says what it handles and which paths are exempt. Everything else that it handles is
denied to the process and its children for good.
"""

import ctypes
import os

from exercises.grader.inside.libc import syscall

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every architecture
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_FILE, _MAKE_FILE, _TRUNCATE = 1 << 5, 1 << 8, 1 << 14
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many there are in each version; 16 later


class _Ruleset(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("files", "network", "scoped")]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("fd", ctypes.c_int32)]


def version():
    """Return the version of Landlock in this kernel, 0 if there is none."""
    try:
        return syscall(_CREATE, None, 0, 1)
    except OSError:
        return 0


def ruleset(readable, runnable=(), writable=()):
    """Return a descriptor of a ruleset that allows reading some paths and nothing else.

    What is in `runnable` may be executed as well, and what is in `writable` written and removed.
    TCP, abstract sockets and signals to other processes are denied as well, where the kernel can.
    """
    abi = version()
    files = (1 << _FILE_RIGHTS.get(abi, 16)) - 1
    handled = _Ruleset(files, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    rules = syscall(_CREATE, ctypes.byref(handled), size, 0)
    write = _WRITE_FILE | _REMOVE_FILE | _MAKE_FILE | _TRUNCATE
    for path, more in [
        *((path, 0) for path in readable),
        *((path, _EXECUTE) for path in runnable),
        *((path, write) for path in writable),
    ]:
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        if os.path.isdir(path):
            rights = _READ_FILE | _READ_DIR | more
        else:
            rights = _READ_FILE | more & ~(_REMOVE_FILE | _MAKE_FILE)
        syscall(_ADD, rules, 1, ctypes.byref(_PathBeneath(rights & files, fd)), 0)
        os.close(fd)
    return rules


def restrict(rules):
    """Apply a ruleset to this thread; no_new_privs has to be set."""
    syscall(_RESTRICT, rules, 0)
