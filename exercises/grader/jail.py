"""Choose a jail and return the command that starts a worker in it.

``bwrap``
    bubblewrap: namespaces of its own for files, processes, network and the rest. The file system
    has Python, the library and the worker, all read-only, and no assignment.
``user``
    Another user, if the grader runs as root.

In both, the worker seals every child with Landlock, seccomp and resource limits (`inside.seal`).
So `user` is a jail even where it is the same user; bubblewrap is a second wall around it.
"""

import functools
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from exercises.grader import GraderError
from exercises.grader.inside import landlock, seccomp

EXERCISES = Path(__file__).resolve().parents[1]
SECRET = ("assignments", "student", "teacher", "__pycache__")  # folders no worker can see
ENVIRONMENT = {
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "PATH": os.defpath,
    "PYTHONHASHSEED": "0",
    "TORCH_FORCE_WEIGHTS_ONLY_LOAD": "1",  # else a file that is loaded can name any function
    "TZ": "UTC",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


def choose(sandbox="auto"):
    """Return the name of a jail that works here.

    Raises
    ------
    GraderError
        If it does not, or if there is none.
    """
    reasons = {}
    for name in ("bwrap", "user") if sandbox == "auto" else (sandbox,):
        reasons[name] = why_not(name)
        if reasons[name] is None:
            return name
    words = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
    raise GraderError(f"no sandbox works here ({words})")


@functools.cache
def why_not(sandbox):
    """Return why a jail does not work here, or None if it does."""
    if not sys.platform.startswith("linux"):
        return "needs Linux; run the grader in a container"
    if not seccomp.supported():
        return "no table of system calls for this processor"
    if sandbox == "user":
        return None
    if sandbox != "bwrap":
        return "there is no such sandbox"
    if shutil.which("bwrap") is None:
        return "bwrap is not installed"
    trial = subprocess.run(
        [*_bwrap(), "--", sys.executable, "-I", "-S", "-c", ""],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    return None if trial.returncode == 0 else trial.stderr.strip()[-300:] or "bwrap fails"


def command(sandbox, program="zygote", **options):
    """Return the command that starts a worker, or another module of `inside`."""
    options |= {"path": _import_path(), "user": another_user()}
    start = (
        "import json, sys; options = json.loads(sys.argv[1]); sys.path[:0] = options['path'];"
        f"from exercises.grader.inside.{program} import main; main(options)"
    )
    python = [sys.executable, "-I", "-B", "-c", start, json.dumps(options)]
    return [*_bwrap(), "--", *python] if sandbox == "bwrap" else python


def another_user():
    """Return the number of a user that is likely to own nothing, another one in every process.

    It is None if this process is not root, which alone could become another user.
    """
    return 60_100 + os.getpid() % 5_000 if os.geteuid() == 0 else None


def _package(name):
    return Path(importlib.util.find_spec(name).origin).resolve().parent


def _import_path():
    return list(dict.fromkeys(str(p.parent) for p in (_package("minitorch"), EXERCISES)))


def _bwrap():
    arguments = ["bwrap", "--die-with-parent", "--new-session"]
    if os.geteuid() == 0:
        # Without a user namespace, since root in one is root outside. The worker becomes another
        # user (`inside.libc.become`), and that is all it may do.
        arguments += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
        arguments += ["--unshare-cgroup-try", "--cap-drop", "ALL"]
        for right in ("SETUID", "SETGID", "DAC_READ_SEARCH"):
            arguments += ["--cap-add", f"CAP_{right}"]
    else:
        arguments += ["--unshare-all"]
    arguments += ["--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev"]
    for path in _system_paths():
        arguments += ["--ro-bind-try", path, path]
    # The folder of the exercises is covered, and the parts that a worker needs are put back.
    arguments += ["--tmpfs", str(EXERCISES)]
    for path in sorted(EXERCISES.iterdir()):
        if path.name not in SECRET:
            arguments += ["--ro-bind", str(path), str(path)]
    return [*arguments, "--remount-ro", str(EXERCISES), "--chdir", "/"]


def _system_paths():
    """Return the files that Python and the library need, the shortest first."""
    paths = {"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives"}
    paths |= {sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix)}
    paths |= {sysconfig.get_path(key) for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    paths |= {str(_package(name)) for name in ("minitorch", "numpy", "scipy", "threadpoolctl")}
    paths |= {f"{_package(name)}.libs" for name in ("numpy", "scipy")}
    paths.add(os.path.realpath(sys.executable))
    single = importlib.util.find_spec("threadpoolctl").origin
    paths = {path for path in paths if path != "/"} | {single}
    paths.discard(str(_package("threadpoolctl")))
    return sorted(paths, key=lambda path: (path.count("/"), path))


def has_landlock():
    """Return whether the kernel can keep a process away from files."""
    return landlock.version() > 0
