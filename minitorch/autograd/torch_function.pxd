# `__torch_function__`: who takes calls over, and the call of it.

from cpython.bool cimport PyBool_Check
from cpython.object cimport PyObject, PyTypeObject, Py_TYPE

cdef extern from "Python.h":
    PyTypeObject PyLong_Type
    PyTypeObject PyFloat_Type

cdef struct Watched:
    PyTypeObject* tensor                 # Tensor and Parameter: the classes of tensors that override nothing
    PyTypeObject* parameter
    int modes                            # function modes that are on, those of all threads together

cdef Watched watched

cdef inline bint is_plain(PyObject* x) noexcept nogil:
    # what nearly all arguments are; anything else is looked at by `may_override`
    cdef PyTypeObject* cls = x.ob_type
    return (cls == watched.tensor or cls == &PyLong_Type or cls == watched.parameter
            or cls == &PyFloat_Type)

cdef bint may_override(object x) noexcept             # the class has an override, or that of an item has

cdef object no_override                               # what `call_override` returns when nobody takes over

cdef enum Style:                                      # how PyTorch's function of that name looks for overrides
    PARSED                                            # by its argument parser
    UNPARSED                                          # a method or attribute in C without a parser
    PYTHON                                            # by `handle_torch_function`
    KEYWORDS                                          # the same, and it hands all arguments on by keyword

cdef object call_override(object function, int style, tuple args, object kwargs, object looked_at)

# after `no_override`: whether it was because of `_set_skip_next_torch_function`
cdef bint was_skipped() noexcept

# one attribute or method of a tensor, by the name that it has in class Tensor
cdef object override_method(str name, int style, tuple args)
cdef object override_operator(str name, int style, object self, object other)

cdef inline bint are_plain(object self, object other) noexcept:
    return watched.modes == 0 and is_plain(<PyObject*>self) and is_plain(<PyObject*>other)
cdef inline bint is_alone_plain(object self) noexcept:
    return watched.modes == 0 and is_plain(<PyObject*>self)
