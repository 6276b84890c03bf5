"""System calls that Python does not offer, by ctypes.

There are packages for this. pyseccomp had its last release in January 2021 and needs libseccomp on
the machine. landlockpy is young and maintained, but three system calls do not justify a
dependency that every teacher would have to install.
"""

import ctypes
import os
import platform

_libc = ctypes.CDLL(None, use_errno=True)

MACHINE = platform.machine()
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38


def syscall(number, *arguments):
    """Make a system call and return its result.

    Raises
    ------
    OSError
        If it fails.
    """
    longs = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *longs))


def prctl(option, value):
    """Set an attribute of this process."""
    _checked(_libc.prctl(option, *(ctypes.c_ulong(v) for v in (value, 0, 0, 0))))


def _checked(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
