"""Building extensions in C++ for PyTorch: minitorch has no C++ interface, and whoever needs it is told so."""

__all__ = [
    "BuildExtension",
    "CUDAExtension",
    "CppExtension",
    "include_paths",
    "load",
    "load_inline",
]

CUDA_HOME = None
ROCM_HOME = None


def _not_there(name):
    def function(*args, **kwargs):
        raise NotImplementedError(f"torch.utils.cpp_extension.{name} is not part of minitorch")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Raises NotImplementedError: there is no C++ interface."
    return function


BuildExtension = _not_there("BuildExtension")
CUDAExtension = _not_there("CUDAExtension")
CppExtension = _not_there("CppExtension")
include_paths = _not_there("include_paths")
load = _not_there("load")
load_inline = _not_there("load_inline")
