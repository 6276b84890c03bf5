"""Allow a short list of system calls and deny all others.

The filter is a program for the kernel's BPF machine: it gets the number and the arguments of a
call and returns what is to become of it. A call that is not on the list fails with ENOSYS, as if
the kernel did not have it, so the C library falls back on calls that are on the list.
"""

import ctypes
import errno
import os

from exercises.grader.inside.libc import MACHINE, syscall

# name: number on x86_64, number on aarch64 (None: it does not exist there)
_ALLOWED = {
    # memory
    "brk": (12, 214), "madvise": (28, 233), "membarrier": (324, 283), "mmap": (9, 222),
    "mprotect": (10, 226), "mremap": (25, 216), "munmap": (11, 215),
    # descriptors that are open
    "close": (3, 57), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "fstat": (5, 80), "lseek": (8, 62), "pipe": (22, None), "pipe2": (293, 59),
    "poll": (7, None), "ppoll": (271, 73), "pread64": (17, 67), "pselect6": (270, 72),
    "pwrite64": (18, 68), "read": (0, 63), "readv": (19, 65), "select": (23, None),
    "write": (1, 64), "writev": (20, 66),
    # time and sleep
    "clock_getres": (229, 114), "clock_gettime": (228, 113), "clock_nanosleep": (230, 115),
    "gettimeofday": (96, 169), "nanosleep": (35, 101), "times": (100, 153),
    # this process and its threads
    "exit": (60, 93), "exit_group": (231, 94), "futex": (202, 98), "getcpu": (309, 168),
    "getegid": (108, 177), "geteuid": (107, 175), "getgid": (104, 176), "getpid": (39, 172),
    "getppid": (110, 173), "getrandom": (318, 278), "getrlimit": (97, 163),
    "getrusage": (98, 165), "gettid": (186, 178), "getuid": (102, 174),
    "restart_syscall": (219, 128), "rseq": (334, 293), "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sched_getaffinity": (204, 123),
    "sched_yield": (24, 124), "set_robust_list": (273, 99), "sigaltstack": (131, 132),
    "sysinfo": (99, 179), "uname": (63, 160),
}  # fmt: skip
# Names of files, for a submission that is a library in memory; Landlock decides about contents.
# Others get none of them: a process that reads a file or follows a link leaves a time there, which
# the process of another scenario could see.
_FILES = {
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439), "getcwd": (79, 17),
    "getdents64": (217, 61), "lstat": (6, None), "newfstatat": (262, 79), "open": (2, None),
    "openat": (257, 56), "readlink": (89, None), "readlinkat": (267, 78), "stat": (4, None),
    "statx": (332, 291),
}  # fmt: skip
_CHECKED = {
    "clone": (56, 220), "fcntl": (72, 25), "ioctl": (16, 29), "kill": (62, 129),
    "prlimit64": (302, 261), "tgkill": (234, 131),
}  # fmt: skip
# what a compiler does not need
_DENIED = {
    "add_key": (248, 217), "bpf": (321, 280), "io_uring_setup": (425, 425), "keyctl": (250, 219),
    "memfd_create": (319, 279), "mount": (165, 40), "msgget": (68, 186),
    "open_by_handle_at": (304, 265), "perf_event_open": (298, 241), "personality": (135, 92),
    "pidfd_getfd": (438, 438), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "ptrace": (101, 117), "request_key": (249, 218), "semget": (64, 190), "setns": (308, 268),
    "shmget": (29, 194), "socket": (41, 198), "socketpair": (53, 199), "unshare": (272, 97),
    "userfaultfd": (323, 282),
}  # fmt: skip
_ARCHITECTURE = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCH = 0, 4  # offsets in struct seccomp_data
_CLONE_THREAD = 0x10000
_HARMLESS_FCNTL = (0, 1, 2, 3, 1030)  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC


class _Instruction(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint16),
        ("jump_if_true", ctypes.c_uint8),
        ("jump_if_false", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    ]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.POINTER(_Instruction))]


def supported():
    """Return whether there is a table for this architecture."""
    return MACHINE in _ARCHITECTURE


def program(may_open, pid):
    """Return the filter as a list of (code, jump if true, jump if false, operand).

    Parameters
    ----------
    may_open : bool
        Whether names of files may be used at all.
    pid : int
        The process that may send itself signals.
    """
    column = _ARCHITECTURE[MACHINE][0]
    code = _head()
    for numbers in [*_ALLOWED.values(), *(_FILES.values() if may_open else ())]:
        if numbers[column] is not None:
            code += [(_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _ALLOW)]
    code += _with_argument("clone", 0, [(_ANY_BIT, _CLONE_THREAD)], errno.EPERM)
    code += _with_argument("fcntl", 1, [(_EQUAL, c) for c in _HARMLESS_FCNTL], errno.EPERM)
    code += _with_argument("ioctl", 1, [], errno.ENOTTY)
    for name in ("kill", "tgkill"):
        code += _with_argument(name, 0, [(_EQUAL, pid)], errno.EPERM)
    code += _if_null("prlimit64", 2)
    return [*code, (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]


def program_for_compilers():
    """Return a filter that denies what a compiler does not need, in the form of `program`."""
    column = _ARCHITECTURE[MACHINE][0]
    code = _head()
    for numbers in _DENIED.values():
        code += [(_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _ERRNO | errno.EPERM)]
    return [*code, (_RETURN, 0, 0, _ALLOW)]


def _head():
    """Return the beginning of a filter, which ends with the number of the call loaded."""
    return [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, _ARCHITECTURE[MACHINE][1]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, 0x40000000),  # the x32 calls of x86_64
        (_RETURN, 0, 0, _KILL),
    ]


def _with_argument(name, index, tests, error):
    """Allow a call if the low half of an argument passes one of the tests, else return an error."""
    body = [(_LOAD, 0, 0, 16 + 8 * index)]
    for test, operand in tests:
        body += [(test, 0, 1, operand), (_RETURN, 0, 0, _ALLOW)]
    body.append((_RETURN, 0, 0, _ERRNO | error))
    return [(_EQUAL, 0, len(body), _CHECKED[name][_ARCHITECTURE[MACHINE][0]]), *body]


def _if_null(name, index):
    """Allow a call if a pointer is null."""
    body = [
        (_LOAD, 0, 0, 16 + 8 * index),
        (_EQUAL, 0, 3, 0),
        (_LOAD, 0, 0, 20 + 8 * index),
        (_EQUAL, 0, 1, 0),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERRNO | errno.EPERM),
    ]
    return [(_EQUAL, 0, len(body), _CHECKED[name][_ARCHITECTURE[MACHINE][0]]), *body]


def install(may_open):
    """Filter the system calls of this process from now on; no_new_privs has to be set."""
    apply(program(may_open, os.getpid()))


def apply(code):
    """Apply a filter to this process and all it starts; no_new_privs has to be set."""
    instructions = (_Instruction * len(code))(*code)
    filter_ = _Program(len(code), instructions)
    syscall(_ARCHITECTURE[MACHINE][2], 1, 1, ctypes.byref(filter_))  # SET_MODE_FILTER, TSYNC
