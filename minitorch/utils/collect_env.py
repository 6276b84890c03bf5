"""`python -m minitorch.utils.collect_env`: what a report of a fault says about the machine."""

import platform
import re
import subprocess
import sys
from importlib import metadata

from minitorch.utils._version_numbers import VERSION

__all__ = ["get_pretty_env_info", "main"]

# what numerical programs' results depend on
_LIBRARIES = ("cython", "minitorch", "numpy", "optree", "scipy", "torch", "triton")

_REPORT = """\
PyTorch version: {version}
Is debug build: False
CUDA used to build PyTorch: None
ROCM used to build PyTorch: N/A

OS: {os}
GCC version: {gcc}
Clang version: {clang}
CMake version: {cmake}
Libc version: {libc}

Python version: {python} ({bits}-bit runtime)
Python platform: {platform}
Is CUDA available: False
CUDA runtime version: No CUDA
CUDA_MODULE_LOADING set to: N/A
GPU models and configuration: No CUDA
Nvidia driver version: No CUDA
cuDNN version: No CUDA
Is XPU available: False
HIP runtime version: N/A
MIOpen runtime version: N/A
Is XNNPACK available: False
Caching allocator config: N/A

CPU:
{cpu}

Versions of relevant libraries:
{libraries}"""


def _first_line(*command):
    """Return the first line that a command prints, or PyTorch's text if there is none."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return "Could not collect"
    return done.stdout.partition("\n")[0] if done.returncode == 0 else "Could not collect"


def _program_version(name):
    line = _first_line(name, "--version")
    return re.sub(rf"^(\S*{name}|{name} version|version)\s+", "", line)


def _system():
    if sys.platform != "linux":
        return f"{platform.system()} {platform.release()} ({platform.machine()})"
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = "Linux"
    return f"{name} ({platform.machine()})"


def _processor():
    try:
        done = subprocess.run(["lscpu"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return platform.processor() or "Could not collect"
    return done.stdout.rstrip()


def _libraries():
    found = []
    for name in _LIBRARIES:
        try:
            found.append(f"[pip3] {name}=={metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return "\n".join(found) or "Could not collect"


def get_pretty_env_info():
    """Return the report as text, in PyTorch's layout.

    Examples
    --------
    >>> from minitorch.utils.collect_env import get_pretty_env_info
    >>> get_pretty_env_info().splitlines()[1]
    'Is debug build: False'
    """
    return _REPORT.format(
        version=VERSION,
        os=_system(),
        gcc=_program_version("gcc"),
        clang=_program_version("clang"),
        cmake=_program_version("cmake"),
        libc="-".join(platform.libc_ver()) if sys.platform == "linux" else "N/A",
        python=sys.version.replace("\n", " "),
        bits=64 if sys.maxsize > 2**32 else 32,
        platform=platform.platform(),
        cpu=_processor(),
        libraries=_libraries(),
    )


def main():
    """Print the report."""
    print("Collecting environment information...")
    print(get_pretty_env_info())


if __name__ == "__main__":
    main()
