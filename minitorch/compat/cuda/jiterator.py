"""Elementwise kernels from C++ source: they can be created, but calls need a GPU and raise."""

import re

__all__: list[str] = []

# template <typename T> T name(T x, ...) { ... }
_TEMPLATE = re.compile(r"\s*template\s*<.+>\s*\w+\s+(\w+)\s*\(.+\)\s*\{.+\}\s*", re.DOTALL)


class _JittedFunction:
    """A kernel that would be compiled for a GPU on its first call."""

    def __init__(self, code_string, return_by_ref, num_outputs, **kwargs):
        code = _TEMPLATE.fullmatch(code_string)
        if code is None:
            raise Exception(f"Couldn't parse code, please check correctness:\n {code_string}")
        self.code_string = code_string
        self.return_by_ref, self.num_outputs = return_by_ref, num_outputs
        self.kernel_name = code[1]
        self.kwargs_dict = kwargs

    def __call__(self, *tensors, **kwargs):
        raise AssertionError(
            "Jiterator is only supported on CUDA and ROCm GPUs, none are available."
        )


def _create_jit_fn(code_string, **kwargs):
    """Create an elementwise function with one result from C++ source.

    Raises
    ------
    Exception
        If the source is not a function template. PyTorch raises the same class.
    """
    return _JittedFunction(code_string, False, 1, **kwargs)


def _create_multi_output_jit_fn(code_string, num_outputs, **kwargs):
    """Create an elementwise function that returns several results through references."""
    return _JittedFunction(code_string, True, num_outputs, **kwargs)
