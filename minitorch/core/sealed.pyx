"""Classes that cannot be derived from, as those that are written in C."""

cdef extern from *:
    """
    static void minitorch_seal(PyObject* cls) {
        ((PyTypeObject*)cls)->tp_flags &= ~Py_TPFLAGS_BASETYPE;
        PyType_Modified((PyTypeObject*)cls);
    }
    """
    void minitorch_seal(object cls)


def sealed(type cls not None):
    """The class itself, which has no subclasses from now on."""
    minitorch_seal(cls)
    return cls
