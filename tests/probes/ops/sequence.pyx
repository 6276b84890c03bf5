"""What the tests see of `sequence`."""

from minitorch.core.dtype cimport NoType
from minitorch.core.tensor_impl cimport TensorImpl, data, numel
from minitorch.ops.common.scalar cimport read_scalar
from minitorch.ops.creation cimport sequence


cdef class Tensor:
    """Stands for the tensor class, which the operators do not know."""
    cdef TensorImpl impl

    def __cinit__(self, TensorImpl impl):
        self.impl = impl

    def __len__(self):
        return 0

    def __getitem__(self, index):
        raise IndexError(index)

    def __float__(self):
        if numel(self.impl) != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return float(read_scalar(data(self.impl), self.impl.dtype))

    def __index__(self):
        if numel(self.impl) != 1 or 4 < self.impl.dtype < 11:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(read_scalar(data(self.impl), self.impl.dtype))


cdef TensorImpl impl_of(object value):
    return (<Tensor>value).impl if isinstance(value, Tensor) else None


def tensor(data, int dtype=NoType):
    return sequence.tensor_from_data(data, impl_of, dtype)
