"""Take away from a child everything that a submission does not need."""

import os
import resource

from exercises.grader.inside import landlock, seccomp
from exercises.grader.inside.libc import PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, prctl


def seal(keep, rules, seconds, memory, may_open):
    """Seal this process; there is no way back.

    Parameters
    ----------
    keep : list of int
        The descriptors that stay open; standard input, output and error become /dev/null.
    rules : int or None
        A Landlock ruleset, where the kernel has Landlock.
    seconds : int
        The processor time.
    memory : int
        The size of the address space in bytes.
    may_open : bool
        Whether files may be named, as far as the ruleset allows.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_DUMPABLE, 0)
    if rules is not None:
        landlock.restrict(rules)
    _close_all_but({0, 1, 2, *keep})
    for limit, value in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_NPROC, 512),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        lower(limit, value)
    seccomp.install(may_open and rules is not None)


def lower(limit, value):
    """Set a limit, no higher than it may be set."""
    hard = resource.getrlimit(limit)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(limit, (value, value))


def _close_all_but(keep):
    begin = 0
    for fd in sorted(keep):
        if begin < fd:  # an empty range that begins at 0 would close everything
            os.closerange(begin, fd)
        begin = fd + 1
    os.closerange(begin, max(begin, min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1 << 16)))
