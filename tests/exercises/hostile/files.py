"""Read, write and connect."""

# ruff: noqa: F821


def writes_beside_the_submission():
    import os

    for path in (CANARY + "/new", SUBMISSION, "/" + "tmp/hostile_was_here", "hostile_was_here"):
        try:
            with open(path, "w") as file:
                file.write("x")
        except OSError:
            pass
    os.mkdir(CANARY + "/folder")


def deletes_its_neighbours():
    import os
    import shutil

    shutil.rmtree(CANARY, ignore_errors=True)
    os.unlink(CANARY + "/neighbour.py")


def changes_rights_and_times():
    import contextlib
    import os

    path = CANARY + "/neighbour.py"
    for change in (
        lambda: os.chmod(path, 0o777),
        lambda: os.chown(path, 0, 0),
        lambda: os.utime(path, (0, 0)),
        lambda: os.truncate(path, 0),
        lambda: os.rename(path, path + "2"),
        lambda: os.symlink(path, path + "3"),
        lambda: os.link(path, path + "4"),
    ):
        with contextlib.suppress(OSError):
            change()


def changes_files_by_system_calls():
    import ctypes

    libc = ctypes.CDLL(None)
    path = ctypes.create_string_buffer((CANARY + "/neighbour.py").encode())
    for number in (76, 82, 83, 84, 87, 88, 90, 92, 132, 133, 188):
        libc.syscall(number, path, 0, 0, 0, 0)
    libc.syscall(257, -100, path, 0o1101, 0o600)
    libc.syscall(437, -100, path, path, 24)


def runs_the_solution():
    text = open(SOLUTION).read()
    exec(text, globals())


def finds_the_solution_by_its_tools():
    from exercises.source import find

    exec(find(ASSIGNMENT).solution(), globals())


def loads_the_solution_as_a_module():
    import importlib.util
    import sys

    for name in [n for n in sys.modules if n.startswith("exercises")]:
        del sys.modules[name]
    sys.path.insert(0, ROOT)
    module = importlib.import_module(f"exercises.assignments.{ASSIGNMENT}")
    globals().update(vars(module))


def reads_the_system():
    text = ""
    for path in ("/etc/passwd", "/proc/self/environ", "/proc/1/environ", "/proc/self/maps"):
        try:
            text += open(path, "rb").read().decode("latin-1")
        except OSError:
            pass
    if text:
        raise ValueError("LEAKED " + text)


def opens_connections():
    import contextlib
    import socket

    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
        with contextlib.suppress(OSError):
            socket.socket(family, socket.SOCK_STREAM)
            raise ValueError("LEAKED a socket")


def makes_hidden_places():
    import ctypes

    libc = ctypes.CDLL(None)
    name = ctypes.create_string_buffer(b"x")
    calls = {
        "memfd_create": (319, name, 0),
        "shmget": (29, 0, 4096, 0o1600),
        "msgget": (68, 0, 0o1600),
        "semget": (64, 0, 1, 0o1600),
        "keyctl": (250, 0, 0),
        "add_key": (248, name, name, name, 1),
        "io_uring_setup": (425, 8, ctypes.create_string_buffer(256)),
        "userfaultfd": (323, 0),
        "bpf": (321, 0, name, 8),
        "perf_event_open": (298, name, 0, -1, -1, 0),
        "unshare": (272, 0x10000000),
        "mount": (165, name, name, name, 0, 0),
        "socketpair": (53, 1, 1, 0, name),
        "inotify_init": (253,),
        "timer_create": (222, 0, 0, name),
        "setsid": (112,),
        "personality": (135, 0x0040000),
    }
    got = [name for name, (number, *rest) in calls.items() if libc.syscall(number, *rest) >= 0]
    if got:
        raise ValueError(f"LEAKED {got}")


def types_into_the_terminal():
    import ctypes

    libc = ctypes.CDLL(None)
    for fd in range(64):
        if libc.ioctl(fd, 0x5412, b"x") == 0:
            raise ValueError("LEAKED a key")


def prints_a_gigabyte():
    import os

    for fd in (1, 2):
        for _ in range(1024):
            os.write(fd, b"x" * (1 << 20))


def sends_more_than_a_result():
    import contextlib
    import os

    for fd in range(3, 64):
        with contextlib.suppress(OSError):
            while True:
                os.write(fd, b"x" * (1 << 20))


def leaves_times_at_files():
    import os

    path = os.__file__
    before = os.stat(path).st_atime_ns
    open(path).read()
    if os.stat(path).st_atime_ns != before:
        raise ValueError("LEAKED a sign for the next scenario")


def leaves_times_at_links():
    import glob
    import os

    for link in filter(os.path.islink, glob.glob(os.path.join(os.sep, "usr", "lib", "*", "*.so*"))):
        before = os.lstat(link).st_atime_ns
        os.readlink(link)
        os.path.exists(link)
        if os.lstat(link).st_atime_ns != before:
            raise ValueError("LEAKED a sign for the next scenario")


def locks_files():
    import fcntl
    import os

    for call in (fcntl.flock, fcntl.lockf):
        with open(os.__file__) as file:
            call(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            raise ValueError("LEAKED a lock")


def lists_folders():
    import contextlib
    import os

    for folder in (ROOT, ROOT + "/exercises", "/", "/" + "tmp", "/dev/shm", "/proc", CANARY):
        with contextlib.suppress(OSError):
            os.listdir(folder)
            raise ValueError("LEAKED names of files")


def writes_to_places_in_memory():
    import contextlib

    for path in ("/proc/self/mem", "/proc/self/comm", "/dev/shm/x", "/dev/mqueue/x"):
        for mode in ("r+b", "wb"):
            with contextlib.suppress(OSError):
                open(path, mode).close()
                raise ValueError("LEAKED a place to write to")
