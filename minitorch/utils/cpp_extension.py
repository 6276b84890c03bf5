"""Stubs of C++ extension building, which raise: minitorch has no C++ interface."""

from minitorch.namespace.absent import absent

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


BuildExtension = absent("torch.utils.cpp_extension.BuildExtension")
CUDAExtension = absent("torch.utils.cpp_extension.CUDAExtension")
CppExtension = absent("torch.utils.cpp_extension.CppExtension")
include_paths = absent("torch.utils.cpp_extension.include_paths")
load = absent("torch.utils.cpp_extension.load")
load_inline = absent("torch.utils.cpp_extension.load_inline")
