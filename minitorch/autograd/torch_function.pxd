# `__torch_function__`: finding the override that handles a call, and calling it.

from cpython.bool cimport PyBool_Check
from cpython.object cimport PyObject, PyTypeObject, Py_TYPE

cdef extern from "Python.h":
    PyTypeObject PyLong_Type
    PyTypeObject PyFloat_Type

cdef struct Watched:
    PyTypeObject* tensor                 # Tensor and Parameter: the tensor classes that override nothing
    PyTypeObject* parameter
    int modes                            # the number of function modes that are on, in all threads

cdef Watched watched

cdef inline bint is_plain(PyObject* x) noexcept nogil:
    # true of nearly all arguments; `may_override` checks the others
    cdef PyTypeObject* cls = x.ob_type
    return (cls == watched.tensor or cls == &PyLong_Type or cls == watched.parameter
            or cls == &PyFloat_Type)

cdef bint may_override(object x) noexcept             # the class of `x`, or of an item of it, has an override

cdef object no_override                               # `call_override` returns it if no override handles the call

cdef enum Style:                                      # how PyTorch's function of that name looks for overrides
    PARSED                                            # by its argument parser
    UNPARSED                                          # a method or attribute in C without a parser
    PYTHON                                            # by `handle_torch_function`
    KEYWORDS                                          # like PYTHON, but it passes all arguments by keyword

cdef object call_override(object function, int style, tuple args, object kwargs, object looked_at)

# after `no_override`: whether `_set_skip_next_torch_function` was the reason
cdef bint was_skipped() noexcept

# call the override of an attribute or method of a tensor, given by its name in class Tensor
cdef object override_method(str name, int style, tuple args)
cdef object override_operator(str name, int style, object self, object other)

cdef inline bint are_plain(object self, object other) noexcept:
    return watched.modes == 0 and is_plain(<PyObject*>self) and is_plain(<PyObject*>other)
cdef inline bint is_alone_plain(object self) noexcept:
    return watched.modes == 0 and is_plain(<PyObject*>self)
