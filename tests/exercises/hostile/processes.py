"""End, hang, start processes, send signals."""

# ruff: noqa: F821


def leaves_with_status_0():
    import os

    os._exit(0)


def leaves_by_system_exit():
    raise SystemExit(0)


def is_interrupted():
    raise KeyboardInterrupt


def raises_an_error_that_cannot_be_printed():
    class Error(BaseException):
        def __str__(self):
            raise self

        __repr__ = __str__

    raise Error


def raises_an_error_that_prints_for_ever():
    class Error(Exception):
        def __str__(self):
            while True:
                pass

    raise Error


def loops_for_ever():
    while True:
        pass


def loops_and_swallows_every_signal_and_exception():
    import signal

    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, lambda *_: None)
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


def loops_in_c():
    sum(iter(int, 1))


def matches_a_slow_pattern():
    import re

    re.match(r"(a+)+$", "a" * 40 + "b")


def sleeps_in_a_thread_that_is_no_daemon():
    import threading
    import time

    threading.Thread(target=time.sleep, args=(60,)).start()
    raise ValueError


def starts_threads_without_end():
    import threading
    import time

    while True:
        threading.Thread(target=time.sleep, args=(60,)).start()


def closes_its_result_and_goes_on():
    import os
    import time

    os.closerange(0, 64)
    time.sleep(60)


def forks_without_end():
    import os

    while True:
        os.fork()


def forks_by_system_calls():
    import ctypes

    libc = ctypes.CDLL(None)
    for number in (56, 57, 58, 435, 220):
        if libc.syscall(number, 0, 0, 0, 0, 0) >= 0:
            open(CANARY + "/forked", "w").close()


def becomes_a_daemon():
    import os
    import time

    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(300)
        os._exit(0)


def runs_a_program():
    import subprocess

    subprocess.run(["touch", CANARY + "/touched"], check=True)


def becomes_a_program():
    import os

    os.execv("/bin/sh", ["sh", "-c", f"touch {CANARY}/touched"])


def kills_its_parent():
    import contextlib
    import os
    import signal

    for target in (os.getppid(), 0, -1, 1, VICTIM):
        for kill in (os.kill, os.killpg):
            with contextlib.suppress(OSError):
                kill(target, signal.SIGKILL)


def kills_by_system_calls():
    import ctypes
    import os

    libc = ctypes.CDLL(None)
    for pid in (os.getppid(), VICTIM):
        for number in (62, 200, 129, 234, 297):
            libc.syscall(number, pid, 9, 9, 0)
        libc.syscall(424, libc.syscall(434, pid, 0), 9, 0, 0)


def traces_its_parent():
    import ctypes
    import os

    libc = ctypes.CDLL(None)
    parent = os.getppid()
    libc.ptrace(16, parent, 0, 0)
    libc.ptrace(0x4206, parent, 0, 0)
    data = ctypes.create_string_buffer(8)
    libc.process_vm_writev(parent, data, 1, data, 1, 0)
    open(f"/proc/{parent}/mem", "r+b").write(b"x")


def limits_its_parent():
    import os
    import resource

    resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))


def crashes():
    import ctypes

    ctypes.string_at(0)


def crashes_by_recursion():
    import sys

    sys.setrecursionlimit(10**9)
    value = []
    for _ in range(10**6):
        value = [value]
    repr(value)


def aborts_with_a_core_dump():
    import os
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30))
    os.abort()


def takes_all_memory():
    blocks = []
    while True:
        blocks.append(bytearray(1 << 26))


def takes_8_gigabytes_at_once():
    bytearray(8 << 30)


def sets_an_alarm():
    import signal

    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    while True:
        pass


def patches_the_end_of_the_process():
    import os
    import time

    os._exit = lambda *_: time.sleep(60)


def stops_its_parent_and_itself():
    import contextlib
    import os
    import signal

    for target in (os.getppid(), 0, -1, os.getpid()):
        with contextlib.suppress(OSError):
            os.kill(target, signal.SIGSTOP)


def fills_pipes():
    import os

    while True:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        os.write(writer, b"x" * (1 << 20))


def forks_without_leaving_its_memory():
    import ctypes

    libc = ctypes.CDLL(None)
    for flags in (0x4111, 0x4011, 0x10011, 0x10F00, 0x111, 0x8011):
        libc.syscall(56, flags, 0, 0, 0, 0)
