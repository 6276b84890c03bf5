# Predicates of two tensors, and the bit operations.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl eq(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl ne(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl lt(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl le(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl gt(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl ge(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl heaviside(TensorImpl self, TensorImpl values, TensorImpl out=*)
cdef TensorImpl logical_and(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl logical_or(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl logical_xor(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl logical_not(TensorImpl self, TensorImpl out=*)
cdef TensorImpl bitwise_and(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl bitwise_or(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl bitwise_xor(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl bitwise_left_shift(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl bitwise_right_shift(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl bitwise_not(TensorImpl self, TensorImpl out=*)
