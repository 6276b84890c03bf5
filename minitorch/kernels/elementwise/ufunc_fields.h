/* What minitorch reads of a ufunc, taken from the struct in numpy/ufuncobject.h.
 *
 * NumPy's own Cython declarations are not used: since NumPy 2.5 they make the fields properties and
 * leave out `types`. The struct in C is the same in all versions from 2.0 on, for NumPy's ufuncs and
 * for SciPy's. NumPy 2.5 hides its name behind _PyUFuncObject_GET_ITEM_DATA; older versions do not
 * have that macro.
 *
 * tools/machine.py compiles this file into a small module before anything else is translated, and
 * ufunc_loops.pyx checks the same ufunc again when it is imported.
 */
#ifndef MINITORCH_UFUNC_FIELDS_H
#define MINITORCH_UFUNC_FIELDS_H

#include <Python.h>
#include <numpy/ndarraytypes.h>
#include <numpy/ufuncobject.h>

#ifndef _PyUFuncObject_GET_ITEM_DATA
#define _PyUFuncObject_GET_ITEM_DATA(ufunc) ((PyUFuncObject*)(ufunc))
#endif

typedef struct {
    int nin, nargs, ntypes;
    PyUFuncGenericFunction* functions; /* a loop for each signature */
    void* const* data;                 /* the last argument of each loop; may be NULL */
    const char* types;                 /* nargs type numbers for each signature */
} minitorch_ufunc;

static inline minitorch_ufunc minitorch_ufunc_fields(PyObject* ufunc) {
    minitorch_ufunc fields;
    fields.nin = _PyUFuncObject_GET_ITEM_DATA(ufunc)->nin;
    fields.nargs = _PyUFuncObject_GET_ITEM_DATA(ufunc)->nargs;
    fields.ntypes = _PyUFuncObject_GET_ITEM_DATA(ufunc)->ntypes;
    fields.functions = _PyUFuncObject_GET_ITEM_DATA(ufunc)->functions;
    fields.data = _PyUFuncObject_GET_ITEM_DATA(ufunc)->data;
    fields.types = _PyUFuncObject_GET_ITEM_DATA(ufunc)->types;
    return fields;
}

#endif
