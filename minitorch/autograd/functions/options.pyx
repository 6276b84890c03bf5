"""`Options`: dtype, device, requires_grad, out and other keyword arguments of functions that make tensors.

Invariant: keywords that are clearly valid take one test each. All other calls go through PyTorch's argument
parser (`parsing/parser.py`), which has the texts of all errors.
"""

from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact

from minitorch.autograd.forward_grad cimport top_level_of
from minitorch.autograd.recording_errors cimport check_unknown_out, no_forward_mode
from minitorch.autograd.meta cimport become_meta, default_is_meta, is_meta, meta_like, without_elements
from minitorch.autograd.special cimport any_level
from minitorch.autograd.inplace cimport check_inplace
from minitorch.autograd.variable cimport TensorBase, make_tensor, requires_grad
from minitorch.core.dtype cimport (
    NoType, class_name, dtype, is_differentiable)
from minitorch.core.dtype_code cimport code_of
from minitorch.core.generator cimport Generator
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, bump_version, empty_tuple, ndim, read_sizes, resize, sizes_tuple)
from minitorch.ops.common.copy cimport PRESERVE_FORMAT, empty_in_format

from minitorch.core import types
from minitorch.core.error_pages import explained
from minitorch.parsing.parser import bind
from minitorch.parsing.signature import parse_signature

cdef object _device = types.device
cdef object _cpu = types.cpu
cdef object _strided = types.strided
cdef object _sparse_coo = types.sparse_coo


cdef tuple plain_ints(object sequence):
    if type(sequence) is not tuple:
        if not isinstance(sequence, (list, tuple)):
            return None
        sequence = tuple(sequence)
    cdef int overflow = 0
    for item in <tuple>sequence:
        if not PyLong_CheckExact(item):
            return None
        PyLong_AsLongLongAndOverflow(item, &overflow)
        if overflow:
            return None
    return <tuple>sequence


cdef tuple plain_size(tuple args):
    if len(args) == 1 and not PyLong_CheckExact(args[0]):
        return plain_ints(args[0])
    return plain_ints(args) if args else None


cdef bint check_device(object device) except -1:
    if device is None or device is _cpu:
        return False
    if not isinstance(device, _device):
        device = _device(device)
    if device.type == "cuda":
        raise explained(AssertionError("Torch not compiled with CUDA enabled"), "cuda")
    if device.type != "cpu" and device.type != "meta":
        raise NotImplementedError(f"minitorch has tensors on the CPU only, not on '{device.type}'")
    return device.type == "meta"


cdef bint wants_meta(object device) except -1:
    return default_is_meta() if device is None else check_device(device)


# what fills the memory that a function makes; PyTorch names it where the memory is sparse
cdef dict _FILLED_BY = {
    "rand": "uniform_", "randn": "normal_", "normal": "normal_", "randint": "random_.from",
    "randperm": "randperm.generator_out", "arange": "arange.start_out", "range": "range.out",
    "linspace": "linspace.out", "logspace": "logspace.out", "eye": "eye.m_out",
    "new_ones": "fill_.Scalar", "new_full": "fill_.Scalar", "scalar_tensor": "fill_.Scalar",
    "tril_indices": "tril_indices", "triu_indices": "triu_indices",
}


cdef object no_sparse(str name):
    """Return the error of ``torch.NAME(..., layout=torch.sparse_coo)``."""
    by = _FILLED_BY.get(name, "empty_strided")
    return NotImplementedError(f"Could not run 'aten::{by}' with arguments from the 'SparseCPU' backend.")


cdef class Options:
    def __cinit__(self):
        self.dtype = NoType
        self.memory_format = -1
        self.meta = default_is_meta()

    cdef bint read(self, dict keywords) except -1:
        for key, value in keywords.items():
            if key == "dtype":
                if isinstance(value, dtype):
                    self.dtype = code_of(<dtype>value)
                elif value is not None:
                    return False
            elif key == "requires_grad":
                if not isinstance(value, bool):
                    return False
                self.requires_grad = value
            elif key == "device":
                if value is None:
                    continue
                if not (value is _cpu or (type(value) is _device and value.type == "cpu")
                        or (type(value) is str and value == "cpu")):
                    return False
                self.placed = True
                self.meta = False
            elif key == "generator":
                if not isinstance(value, Generator):
                    return False
                self.generator = value
            elif key == "layout" and (value is None or value is _strided):
                pass
            elif value is not None:
                return False
            elif key not in ("out", "layout", "pin_memory", "memory_format"):
                return False
        return True

    cdef dict bind(self, str name, list signatures, tuple args, dict keywords):
        index, values = bind(signatures, args, keywords, name=name)
        given = dict(zip(parse_signature(signatures[index]).names, values))
        if isinstance(given.get("device"), (str, int, _device)):
            self.placed = True
            self.meta = check_device(given["device"])
        self.dtype = NoType
        if isinstance(given.get("dtype"), dtype):
            self.dtype = code_of(<dtype>given["dtype"])
        if given.get("memory_format") is not None:
            self.memory_format = given["memory_format"]._code
        self.requires_grad = bool(given.get("requires_grad"))
        self.generator = given.get("generator")
        self.out = given.get("out")
        if self.out is not None and self.memory_format >= 0:
            raise RuntimeError("'memory_format' argument is incompatible with 'out' tensor argument")
        if self.out is not None:
            self.name = name
            self.check_out()
        layout = given.get("layout")
        if layout is _sparse_coo:
            raise no_sparse(name)
        # a default in a signature is a text
        if layout is not None and str(layout) != "torch.strided":
            raise NotImplementedError(f"{name}: layout={layout}")
        if given.get("pin_memory"):
            raise RuntimeError("pin_memory=True requires a CUDA or other accelerator backend; no "
                               "pinned memory allocator is available on this system.")
        return given

    cdef int beside(self, TensorBase like) except -1:
        if not self.placed:
            self.meta = like.impl.special is not None and is_meta(like)
        return 0

    cdef int check_out(self) except -1:
        if self.dtype != NoType and self.dtype != self.out.impl.dtype:
            raise RuntimeError(f"dtype {class_name(self.dtype)} does not match dtype of out "
                               f"parameter ({class_name(self.out.impl.dtype)})")
        if self.placed and self.meta != is_meta(self.out):
            raise RuntimeError(f"device type {'meta' if self.meta else 'cpu'} does not match device type of out "
                               f"parameter ({'cpu' if self.meta else 'meta'})")
        return 0

    cdef TensorImpl target(self, tuple size, int code):
        cdef Py_ssize_t[MAX_DIMS] n
        cdef int dims
        cdef TensorBase out = self.out
        if self.meta and (out is None or is_meta(out)):
            return self._without_elements(size, self.dtype if self.dtype != NoType else code)
        if out is None:
            if self.memory_format > 0:
                return _in_format(empty_tuple(size, self.dtype if self.dtype != NoType else code), self.memory_format)
            return empty_tuple(size, self.dtype if self.dtype != NoType else code)
        if requires_grad(out) and self.name in ("empty", "randn"):
            raise RuntimeError("cannot resize variables that require grad")
        check_unknown_out(self.name, out)
        if any_level and top_level_of((out,)) >= 0:
            if self.name == "empty":
                raise RuntimeError("cannot resize variables that has a forward grad")
            raise no_forward_mode(f"aten::{self.name}", "not_implemented")
        check_inplace(out, False)
        dims = read_sizes(size, n)
        if sizes_tuple(out.impl) != size:
            resize(out.impl, dims, n)
        return out.impl

    cdef TensorImpl _without_elements(self, tuple size, int code):
        """Set `self.shape` to a tensor without elements, and return an empty tensor to fill instead."""
        cdef TensorImpl nothing = empty_tuple((0,), code)
        cdef Py_ssize_t[MAX_DIMS] n
        cdef int dims = read_sizes(size, n), d
        for d in range(dims):
            if n[d] < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension {n[d]}: {list(size)}")
        self.shape = without_elements(dims, n, NULL, 0, code)
        if self.memory_format > 0:
            self.shape = _in_format(self.shape, self.memory_format)
        return nothing

    cdef TensorBase finish(self, TensorImpl result):
        cdef TensorBase t
        if self.meta:
            if self.shape is not None:
                result = self.shape
            if self.out is not None:
                become_meta(self.out, result)
            else:
                result = meta_like(result)
        if self.out is not None:
            bump_version(self.out.impl)
            return self.out
        if self.requires_grad and not is_differentiable(result.dtype):
            raise explained(RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"), "integer-requires-grad")
        t = make_tensor(result)
        t._requires_grad = self.requires_grad
        return t


cdef TensorImpl _in_format(TensorImpl t, int memory_format):
    """Return an empty tensor of the shape of `t` in channels_last or channels_last_3d."""
    if memory_format == PRESERVE_FORMAT:
        raise RuntimeError("unsupported memory format Preserve")
    wanted = 4 if memory_format == 2 else 5
    if ndim(t) != wanted:
        raise RuntimeError(f"required rank {wanted} tensor to use channels_last"
                           f"{'' if wanted == 4 else '_3d'} format")
    return empty_in_format(t, t.dtype, memory_format)
