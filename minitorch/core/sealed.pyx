"""Classes that cannot be subclassed, like many classes written in C."""

cdef extern from *:
    """
    static void minitorch_seal(PyObject* cls) {
        ((PyTypeObject*)cls)->tp_flags &= ~Py_TPFLAGS_BASETYPE;
        PyType_Modified((PyTypeObject*)cls);
    }
    """
    void minitorch_seal(object cls)


def sealed(type cls not None):
    """Forbid further subclasses of `cls`, and return it."""
    minitorch_seal(cls)
    return cls
