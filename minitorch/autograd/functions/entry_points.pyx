"""The functions and methods that Python calls for the operators.

Purpose
-------
tensor_methods.pyx has one body for each form of an operator, a C function that takes all parameters. call_table.py
lists the names under which Python calls it, `mul` and `multiply`, as functions and as methods. This module makes a
builtin function or a method descriptor for each name, and matches the arguments of a call with the parameters.

A call tries the forms of its name in turn. A form fits if all its parameters have a value and its body accepts
their types. If no form fits, PyTorch's argument parser chooses the form and converts the arguments, or raises.

Note [Entry points]
Cython gives each `def` a parser for its arguments, 8 KB of machine code for `mul`; for a thousand names that is most
of the time and memory that a build takes. `Form.fill` is one parser for all names. Python passes nothing to a C
function that would identify the name, so that each name needs a C function of its own. These functions, the entry
points, differ only in the number that they pass on, and the C preprocessor writes them.
"""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyTuple_New, PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_Compare
from libc.string cimport memcpy

from minitorch.autograd.functions.arguments import choose
from minitorch.autograd.functions.call_table import BODIES, FUNCTIONS, METHODS

cdef extern from *:
    """
    /* X(0x000) ... X(0x4ff) */
    #define MINITORCH_16(X, k) X(k##0) X(k##1) X(k##2) X(k##3) X(k##4) X(k##5) X(k##6) X(k##7) \\
                               X(k##8) X(k##9) X(k##a) X(k##b) X(k##c) X(k##d) X(k##e) X(k##f)
    #define MINITORCH_256(X, k) \\
        MINITORCH_16(X, k##0) MINITORCH_16(X, k##1) MINITORCH_16(X, k##2) MINITORCH_16(X, k##3) \\
        MINITORCH_16(X, k##4) MINITORCH_16(X, k##5) MINITORCH_16(X, k##6) MINITORCH_16(X, k##7) \\
        MINITORCH_16(X, k##8) MINITORCH_16(X, k##9) MINITORCH_16(X, k##a) MINITORCH_16(X, k##b) \\
        MINITORCH_16(X, k##c) MINITORCH_16(X, k##d) MINITORCH_16(X, k##e) MINITORCH_16(X, k##f)
    #define MINITORCH_1280(X) MINITORCH_256(X, 0x0) MINITORCH_256(X, 0x1) MINITORCH_256(X, 0x2) \\
                              MINITORCH_256(X, 0x3) MINITORCH_256(X, 0x4)

    __attribute__((noinline))
    static PyObject* minitorch_call(Py_ssize_t, PyObject*, PyObject**, Py_ssize_t, PyObject*);
    #define MINITORCH_ENTRY(k) \\
        static PyObject* minitorch_entry_##k(PyObject* self, PyObject** args, Py_ssize_t given, PyObject* names) { \\
            return minitorch_call(k, self, args, given, names); \\
        }
    #define MINITORCH_ADDRESS(k) (PyCFunction)(void*)minitorch_entry_##k,
    MINITORCH_1280(MINITORCH_ENTRY)
    static const PyCFunction minitorch_entries[] = { MINITORCH_1280(MINITORCH_ADDRESS) };

    /* calls a body with `count` values */
    static PyObject* minitorch_apply(void* body, int parsed, PyObject** v, int count) {
        typedef PyObject* o;
        switch (count) {
        case 0: return ((o (*)(int))body)(parsed);
        case 1: return ((o (*)(int, o))body)(parsed, v[0]);
        case 2: return ((o (*)(int, o, o))body)(parsed, v[0], v[1]);
        case 3: return ((o (*)(int, o, o, o))body)(parsed, v[0], v[1], v[2]);
        case 4: return ((o (*)(int, o, o, o, o))body)(parsed, v[0], v[1], v[2], v[3]);
        case 5: return ((o (*)(int, o, o, o, o, o))body)(parsed, v[0], v[1], v[2], v[3], v[4]);
        case 6: return ((o (*)(int, o, o, o, o, o, o))body)(parsed, v[0], v[1], v[2], v[3], v[4], v[5]);
        case 7: return ((o (*)(int, o, o, o, o, o, o, o))body)(parsed, v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
        case 8: return ((o (*)(int, o, o, o, o, o, o, o, o))body)(
            parsed, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
        case 9: return ((o (*)(int, o, o, o, o, o, o, o, o, o))body)(
            parsed, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
        case 10: return ((o (*)(int, o, o, o, o, o, o, o, o, o, o))body)(
            parsed, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]);
        case 11: return ((o (*)(int, o, o, o, o, o, o, o, o, o, o, o))body)(
            parsed, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10]);
        default: return ((o (*)(int, o, o, o, o, o, o, o, o, o, o, o, o))body)(
            parsed, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]);
        }
    }
    """
    ctypedef void* PyCFunction
    PyCFunction minitorch_entries[1280]
    object minitorch_apply(void* body, bint parsed, PyObject** values, int count)

cdef extern from "Python.h":
    ctypedef struct PyMethodDef:
        const char* ml_name
        PyCFunction ml_meth
        int ml_flags
        const char* ml_doc
    ctypedef struct PyTypeObject:
        PyObject* tp_dict
    int METH_FASTCALL
    int METH_KEYWORDS
    object PyCFunction_NewEx(PyMethodDef* definition, PyObject* self, object module)
    object PyDescr_NewMethod(type cls, PyMethodDef* definition)
    void PyType_Modified(type cls)

cdef enum:
    MOST_VALUES = 12
    MOST_ENTRIES = 1280


class _Unfit:
    def __repr__(self):
        return "<arguments do not fit>"


cdef object unfit = _Unfit()
cdef PyObject* entry_points[MOST_ENTRIES]
cdef list installed = []                   # the same objects, which live forever


@cython.final
cdef class Form:
    """One form of an operator under one name: its body, and which argument is which of the body's parameters."""

    cdef void* body
    cdef int count                         # of the body's parameters
    cdef int positional                    # how many arguments may be given by position
    cdef int receiver                      # which parameter `self` of a method is, or -1
    cdef bint varargs                      # all positional arguments together are the first one's value
    cdef int named                         # of arguments
    cdef PyObject* names[MOST_VALUES]      # of the arguments; `pairs` holds them
    cdef int places[MOST_VALUES]           # the parameter that each argument is
    cdef PyObject* defaults[MOST_VALUES]   # of the parameters; NULL if there is none
    cdef tuple pairs                       # (name, default) of each argument; ``...`` if there is none

    cdef object fill(self, PyObject** values, PyObject* receiver, PyObject** args, Py_ssize_t given, PyObject* names):
        """Write a value for each parameter of the body.

        Parameters
        ----------
        values : pointer to objects
            Room for the values. They are borrowed.
        receiver : object
            The tensor of a method.
        args, given, names : pointer to objects, int, tuple
            As ``vectorcall`` passes them: the positional arguments, whose number is `given`, and those by name.

        Returns
        -------
        object
            `unfit` if an argument is missing or unknown; otherwise an object to keep while the values are used.
        """
        cdef Py_ssize_t k
        cdef int place
        cdef object together = None
        memcpy(values, self.defaults, MOST_VALUES * sizeof(PyObject*))     # the compiler writes moves for a constant
        if self.receiver >= 0:
            values[self.receiver] = receiver
        if self.varargs:
            if given == 0:
                return unfit
            together = <object>args[0]
            if given > 1 or not isinstance(together, (tuple, list)):
                together = PyTuple_New(given)
                for k in range(given):
                    Py_INCREF(<object>args[k])
                    PyTuple_SET_ITEM(together, k, <object>args[k])
            values[self.places[0]] = <PyObject*>together
        elif given > self.positional:
            return unfit
        else:
            for k in range(given):
                values[self.places[k]] = args[k]
        if names is not NULL:
            for k in range(PyTuple_GET_SIZE(<object>names)):
                place = self.place_of(PyTuple_GET_ITEM(<object>names, k), 1 if self.varargs else given)
                if place < 0:
                    return unfit
                values[place] = args[given + k]
        for k in range(self.count):
            if values[k] is NULL:
                return unfit
        return together

    cdef int place_of(self, PyObject* name, Py_ssize_t start) except -2:
        """Return which parameter the argument of this name is, one from `start` on, or -1."""
        cdef Py_ssize_t k
        for k in range(start, self.named):
            if self.names[k] is name:
                return self.places[k]
        for k in range(start, self.named):     # a name that is not interned
            if PyUnicode_Compare(<object>self.names[k], <object>name) == 0:
                return self.places[k]
        return -1


cdef Form make_form(void* body, int count, int positional, int receiver, bint varargs, tuple pairs):
    cdef Form form = Form.__new__(Form)
    cdef Py_ssize_t k
    cdef PyObject* none = <PyObject*>None
    form.body, form.count, form.positional, form.receiver, form.varargs = body, count, positional, receiver, varargs
    form.pairs = pairs                     # their names are interned, as all names in a module's constants
    form.named = len(pairs)
    for k in range(count):
        form.defaults[k] = none            # of `out`, which no method has
    for k in range(form.named):
        name, default = <tuple>form.pairs[k]
        form.names[k] = <PyObject*>name
        form.places[k] = k + (0 <= receiver <= k)
        form.defaults[form.places[k]] = NULL if default is ... else <PyObject*>default
    return form


@cython.final
cdef class EntryPoint:
    """The forms of a function, in the order in which they are tried, and PyTorch's signatures."""

    cdef str name
    cdef tuple signatures                  # pairs of a text and the forms that serve it
    cdef tuple forms
    cdef bytes c_name
    cdef bytes doc
    cdef PyMethodDef definition

    cdef object run(self, PyObject* receiver, PyObject** args, Py_ssize_t given, PyObject* names):
        cdef PyObject* values[MOST_VALUES]
        cdef Form form
        for form in self.forms:
            together = form.fill(values, receiver, args, given, names)
            if together is not unfit:
                result = minitorch_apply(form.body, False, values, form.count)
                if result is not unfit:
                    return result
        return self.parse(receiver, args, given, names)

    cdef object parse(self, PyObject* receiver, PyObject** args, Py_ssize_t given, PyObject* names):
        """Let PyTorch's parser choose the form."""
        cdef PyObject* values[MOST_VALUES]
        cdef Py_ssize_t k
        cdef Form form
        positional = tuple([<object>args[k] for k in range(given)])
        keywords = {}
        if names is not NULL:
            for k, name in enumerate(<tuple>names):
                keywords[name] = <object>args[given + k]
        which, chosen = choose(self.name, self.signatures, [(<Form>f).pairs for f in self.forms], positional, keywords)
        if which < 0:
            return chosen
        form = self.forms[which]
        memcpy(values, form.defaults, sizeof(values))
        if form.receiver >= 0:
            values[form.receiver] = receiver
        for k in range(form.named):
            values[form.places[k]] = PyTuple_GET_ITEM(chosen, k)
        return minitorch_apply(form.body, True, values, form.count)


cdef object call "minitorch_call"(Py_ssize_t number, PyObject* receiver, PyObject** args, Py_ssize_t given,
                                  PyObject* names):
    return (<EntryPoint>entry_points[number]).run(receiver, args, given, names)


cdef EntryPoint make_entry_point(str name, tuple signatures, tuple forms):
    cdef EntryPoint made = EntryPoint.__new__(EntryPoint)
    cdef Py_ssize_t number = len(installed)
    if number == MOST_ENTRIES:
        raise RuntimeError(f"there are more than {MOST_ENTRIES} names: see Note [Entry points]")
    made.name, made.signatures, made.forms = name, signatures, forms
    made.c_name, made.doc = name.encode(), "\n".join([text for text, _ in signatures]).encode()
    made.definition.ml_name, made.definition.ml_doc = made.c_name, made.doc
    made.definition.ml_meth = minitorch_entries[number]
    made.definition.ml_flags = METH_FASTCALL | METH_KEYWORDS
    entry_points[number] = <PyObject*>made
    installed.append(made)
    return made


cdef int install(void** bodies, dict namespace, type cls) except -1:
    cdef dict methods = <dict>(<PyTypeObject*>cls).tp_dict
    cdef dict number_of = {name: k for k, name in enumerate(BODIES)}
    cdef EntryPoint made
    for table in (FUNCTIONS, METHODS):
        for name, (signatures, forms) in (<dict>table).items():
            made = make_entry_point(name, signatures, tuple([
                make_form(bodies[<Py_ssize_t>number_of[body]], BODIES[body], positional, receiver, varargs, pairs)
                for body, positional, receiver, varargs, pairs in forms]))
            if table is METHODS:
                methods[name] = PyDescr_NewMethod(cls, &made.definition)
            else:
                namespace[name] = PyCFunction_NewEx(&made.definition, NULL, namespace["__name__"])
    PyType_Modified(cls)
    return 0
