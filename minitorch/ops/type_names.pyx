"""C++ names of element types."""

from minitorch.core.dtype cimport BFloat16, Bool, class_name, dtype_of, is_complex
from minitorch.core.tensor_impl cimport TensorImpl

cdef dict _NAMES = {
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int",
    "int64": "long int",
    "float16": "c10::Half", "float32": "float", "float64": "double",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>", "bool": "bool",
    "bfloat16": "c10::BFloat16",
}


cdef str type_name(int code):
    return _NAMES[dtype_of(code)._name]


cdef str tensor_type_name(int code):
    # the older types have the names that Lua's torch gave them
    name = class_name(code)
    if code == Bool or code == BFloat16 or is_complex(code):
        return f"CPU{name}Type"
    return f"torch.{name}Tensor"


cdef int check_out_dtype(TensorImpl out, int dtype) except -1:
    if out.dtype != dtype:
        raise RuntimeError(f"Expected out tensor to have dtype {type_name(dtype)}, but got "
                           f"{type_name(out.dtype)} instead")
    return 0
