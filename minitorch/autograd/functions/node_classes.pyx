"""Completing the generated classes of nodes: names, destructors, and attributes such as ``_saved_self``.

Attributes are descriptors that are made from a table, as those of C classes are.
"""

from cpython.mem cimport PyMem_Malloc
from cpython.object cimport PyObject

from minitorch.autograd.functions.formula_queries cimport unsigned
from minitorch.autograd.functions.support cimport saved_list
from minitorch.autograd.node cimport Node, name_plainly, share_dealloc
from minitorch.autograd.operators cimport Operator
from minitorch.autograd.saved_tensor cimport IN_LIST
from minitorch.autograd.saved_variable cimport unpack_recorded
from minitorch.autograd.wide_node cimport WideNode

from minitorch.autograd.operators import operators

cdef extern from "Python.h":
    ctypedef object (*getter)(object, void*)
    ctypedef struct PyGetSetDef:
        const char* name
        getter get
        void* set
        const char* doc
        void* closure
    ctypedef struct PyTypeObject:
        PyObject* tp_dict
    object PyDescr_NewGetSet(PyTypeObject* cls, PyGetSetDef* definition)
    void PyType_Modified(PyTypeObject* cls)

classes = {}                             # name -> class of node
cdef list _kept = []                     # what the definitions of attributes point at


cdef int register_node(type cls, type base, tuple saved, bint view) except -1:
    cdef list table = []
    name_plainly(cls)
    share_dealloc(cls, base)
    classes[cls.__name__] = cls
    for entry in saved:
        if entry[1] == TENSOR or entry[1] == HIDDEN:
            table.append((entry[0], entry[2], entry[3]))
        elif entry[1] == TENSORS:
            table.append((entry[0], 0, IN_LIST - entry[2]))
        if entry[1] != HIDDEN:
            _add_attribute(cls, entry)
    if table:
        _set_attribute(cls, "_saved_table", tuple(table))
    if view:
        _set_attribute(cls, "_makes_view", True)
    return 0


cdef int set_node(str name, str form, type cls, tuple twins=()) except -1:
    operator = <Operator?>operators[(name, form)]
    operator.node = cls
    operator.twins = twins
    return 0


cdef int _add_attribute(type cls, tuple entry) except -1:
    cdef PyGetSetDef* definition = <PyGetSetDef*>PyMem_Malloc(sizeof(PyGetSetDef))
    cdef bytes name = f"_saved_{entry[0]}".encode()
    if definition is NULL:
        raise MemoryError
    definition.name = name
    definition.get = _saved
    definition.set = NULL
    definition.doc = NULL
    definition.closure = <void*>entry
    _kept.append((name, entry))
    return _set_attribute(cls, name.decode(), PyDescr_NewGetSet(<PyTypeObject*>cls, definition))


cdef int _set_attribute(type cls, str name, object value) except -1:
    """Set an attribute of a compiled class, which Python does not allow."""
    (<dict>(<PyTypeObject*>cls).tp_dict)[name] = value
    PyType_Modified(<PyTypeObject*>cls)
    return 0


cdef object _saved(object self, void* entry):
    """Return the value of an attribute."""
    cdef Node node = self
    cdef int slot = (<tuple>entry)[2]
    cdef unsigned int version
    kind = (<tuple>entry)[1]
    if kind == TENSOR:
        saved = node.get_saved(slot, &version)
        return unpack_recorded(node, saved, version, (<tuple>entry)[3])
    value = _value(node, slot)
    if kind == TENSORS:
        return tuple(saved_list(node, value))
    if kind == UNSIGNED:
        return unsigned(value)
    if kind == SIZES:
        return (0,) if value is None else value
    return value


cdef object _value(Node node, int slot):
    if slot == 0:
        return node.arg0
    if slot == 1:
        return node.arg1
    if slot == 2:
        return node.arg2
    wide = <WideNode?>node
    if slot == 3:
        return wide.arg3
    if slot == 4:
        return wide.arg4
    return wide.arg5 if slot == 5 else wide.arg6
