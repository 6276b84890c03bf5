"""Elementwise kernels compiled for a graphics card from their source: they can be made, not called."""

import re

__all__: list[str] = []

# template <typename T> T name(T x, ...) { ... }, perhaps after functions that it calls
_TEMPLATE = re.compile(r"\s*template\s*<.+>\s*\w+\s+(\w+)\s*\(.+\)\s*\{.+\}\s*", re.DOTALL)


class _JittedFunction:
    """A function compiled at its first call, which needs a graphics card."""

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
    """An elementwise function of one result, from its source in C++.

    Raises
    ------
    Exception
        The source is no function template. PyTorch raises no narrower class either.
    """
    return _JittedFunction(code_string, False, 1, **kwargs)


def _create_multi_output_jit_fn(code_string, num_outputs, **kwargs):
    """The same for a function that returns several results through references."""
    return _JittedFunction(code_string, True, num_outputs, **kwargs)
