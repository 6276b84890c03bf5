"""System calls that Python does not offer, by ctypes.

There are packages for this. pyseccomp had its last release in January 2021 and needs libseccomp on
the machine. landlockpy is young and maintained, but three system calls do not justify a
dependency that every teacher would have to install.
"""

import ctypes
import os
import platform
import struct

_libc = ctypes.CDLL(None, use_errno=True)
# Looked up now, since an assignment may close ctypes before a child is sealed.
_syscall, _prctl, _capset = _libc.syscall, _libc.prctl, _libc.capset

MACHINE = platform.machine()
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS = 1, 4, 8
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 36, 38, 47


def syscall(number, *arguments):
    """Make a system call and return its result.

    Raises
    ------
    OSError
        If it fails.
    """
    longs = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_syscall(ctypes.c_long(number), *longs))


def prctl(option, value):
    """Set an attribute of this process."""
    _checked(_prctl(option, *(ctypes.c_ulong(v) for v in (value, 0, 0, 0))))


def become(user, for_programs=False):
    """Change from root to a user without rights, who can still read what root can.

    Python may be in root's home. Which files a submission can read is for Landlock to say, and
    without Landlock it can open none. With `for_programs`, programs that this process starts can
    read as much.
    """
    os.setgroups([])
    os.setresgid(user, user, user)
    prctl(PR_SET_KEEPCAPS, 1)
    os.setresuid(user, user, user)
    read_search = 1 << 2  # CAP_DAC_READ_SEARCH
    header = struct.pack("=Ii", 0x20080522, 0)
    kept = read_search if for_programs else 0
    _capset(header, struct.pack("=6I", read_search, read_search, kept, 0, 0, 0))  # or without
    if for_programs:
        _prctl(PR_CAP_AMBIENT, *(ctypes.c_ulong(v) for v in (2, 2, 0, 0)))  # raise; read_search


def _checked(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
