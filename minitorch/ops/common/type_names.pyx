"""The names of dtypes in error messages, where they differ from the dtype's own name."""

from minitorch.core.dtype cimport BFloat16, Bool, c_name, class_name, is_complex
from minitorch.core.tensor_impl cimport TensorImpl


cdef str tensor_type_name(int code):
    # the older dtypes have the names of Lua's torch
    name = class_name(code)
    if code == Bool or code == BFloat16 or is_complex(code):
        return f"CPU{name}Type"
    return f"torch.{name}Tensor"


cdef int check_out_dtype(TensorImpl out, int dtype) except -1:
    if out.dtype != dtype:
        raise RuntimeError(f"Expected out tensor to have dtype {c_name(dtype)}, but got "
                           f"{c_name(out.dtype)} instead")
    return 0
