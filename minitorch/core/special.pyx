"""`Special`, the base class of `TensorImpl.special`.

Note [Special tensors]
For an ordinary tensor, a kernel computes on its memory, and its `special` is None. The `special` of any other tensor
is an instance of a subclass of `Special`. Each subclass is one kind of tensor: its file has the data and the methods
in which the kind differs. The code for ordinary tensors tests only whether `special` is None, and otherwise calls a
method. It knows no particular kind.

The kinds are Wrapped (levels.pyx), Dispatched and Modes (python_dispatch.pyx), Sparse (sparse_tensor.pyx), ZeroTensor
(zero_tensor.pyx), MathBits (math_bits.pyx) and Meta (meta.pyx), all in minitorch/autograd/.
"""

from cpython.object cimport PyObject

cdef extern from *:
    """
    static _Thread_local PyObject* minitorch_special_of_thread = NULL;       /* borrowed */
    """
    PyObject* minitorch_special_of_thread

cdef class Special:
    cdef object compute(self, object operator, tuple arguments):
        return None

    cdef int check_data(self, object t, int use) except -1:
        return 0

    cdef TensorImpl resolved(self, TensorImpl impl):
        return impl

    cdef int data_kind(self) except -1:
        return DETACHED_WITH_COUNTER

    cdef int check_set_data(self) except -1:
        return 0

    cdef bint stays_with_tensor(self) noexcept:
        return False

    cdef object copy_gradient(self, object leaf, object gradient):
        return None

    cdef object add(self, object old, object new):
        return None

    cdef bint accumulate(self, object leaf, object gradient, bint recording, bint alone) except -1:
        return False

    cdef TensorImpl to_save(self, object t, TensorImpl impl):
        return impl

    cdef object saved_tensor(self, TensorImpl saved):
        return None

    cdef object saved_output(self, TensorImpl saved):
        return None

    cdef int check_edge(self, str what, object number) except -1:
        return 0


cdef int raise_no_data(int use) except -1:
    if use == ITEM or use == TRUTH:
        raise RuntimeError("Tensor.item() cannot be called on meta tensors")
    raise NotImplementedError("Cannot copy out of meta tensor; no data!")


cdef Special special_of_thread():
    return None if minitorch_special_of_thread == NULL else <Special>minitorch_special_of_thread


cdef void set_special_of_thread(Special special) noexcept:
    global minitorch_special_of_thread
    minitorch_special_of_thread = NULL if special is None else <PyObject*>special
