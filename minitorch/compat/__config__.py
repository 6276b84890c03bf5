"""Description of this build, as text."""

import os

from minitorch.autograd.functions.namespace import get_num_threads
from minitorch.kernels.common.parallel import OPENMP
from minitorch.tensors.settings import get_num_interop_threads
from minitorch.version import __version__, git_version

__all__ = ["parallel_info", "show"]

# None of PyTorch's optional libraries is used; linear algebra is SciPy's.
_SETTINGS = {
    "BLAS_INFO": "scipy",
    "LAPACK_INFO": "scipy",
    "TORCH_VERSION": __version__.partition("+")[0],
    **{f"USE_{name}": "OFF" for name in ("CUDA", "CUDNN", "GLOO", "MKL", "MKLDNN", "MPI", "NCCL")},
    "USE_OPENMP": "ON" if OPENMP else "OFF",
    "USE_ROCM": "OFF",
    "USE_XPU": "OFF",
}


def show():
    """Return the build settings as text.

    Examples
    --------
    >>> import minitorch as torch
    >>> "USE_MKL=OFF" in torch.__config__.show()
    True
    """
    settings = "".join(f"{name}={value}, " for name, value in _SETTINGS.items())
    return (
        "PyTorch built with:\n"
        f"  - minitorch {git_version}\n"
        "  - LAPACK is enabled\n"
        f"  - Build settings: {settings}\n"
    )


def parallel_info():
    """Return the thread counts as text."""
    variables = "".join(
        f"\t{name} : {os.environ.get(name, '[not set]')}\n"
        for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS")
    )
    return (
        "ATen/Parallel:\n"
        f"\tat::get_num_threads() : {get_num_threads()}\n"
        f"\tat::get_num_interop_threads() : {get_num_interop_threads()}\n"
        f"std::thread::hardware_concurrency() : {os.cpu_count()}\n"
        f"Environment variables:\n{variables}"
        f"ATen parallel backend: {'OpenMP' if OPENMP else 'native thread pool'}\n"
    )
