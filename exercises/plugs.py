"""Plug a student's piece into the library, and take the library's own piece away.

`forbid` removes what the library offers for the same purpose, everywhere in the process: it deletes
entries of the dictionaries of compiled classes, which ordinary assignments cannot reach.
"""

import ctypes
import gc
import importlib
import sys

import minitorch as torch

# imported here and not in every fork; what is imported later would keep its functions
for _name in ("func", "autograd.functional", "autograd.forward_ad", "autograd.engine_steps"):
    importlib.import_module(f"minitorch.{_name}")


_TP_CALL = 16 * ctypes.sizeof(ctypes.c_void_p)  # the place of `tp_call` in a type object


class Retired(RuntimeError):
    """The library's own implementation is called, in a process in which it is the student's."""


def _gone(name):
    def gone(*arguments, **keywords):
        raise Retired(f"{name} is yours to write; the library's own is switched off here")

    return gone


def forbid_attributes(cls, *names):
    """Remove methods from a class and from the classes it inherits from, compiled ones too."""
    for owner in cls.__mro__:
        if owner is object:
            continue
        (entries,) = (d for d in gc.get_referents(owner.__dict__) if type(d) is dict)
        for name in names:
            if name in entries:
                entries[name] = _gone(name)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))


def forbid_calls(cls):
    """Make the objects of a class and of all its subclasses uncallable."""
    for sub in (cls, *cls.__subclasses__()):
        ctypes.c_void_p.from_address(id(sub) + _TP_CALL).value = None
        if sub is not cls:
            forbid_calls(sub)


def forbid_functions(*names):
    """Replace functions of these names in every module of the library."""
    for module in list(sys.modules.values()):
        name = getattr(module, "__name__", None)
        if isinstance(name, str) and name.partition(".")[0] in ("minitorch", "torch"):
            for name in names:
                if name in vars(module):
                    setattr(module, name, _gone(name))


def forbid_backward():
    """Take every way to a backward pass away."""
    engine = torch.autograd.Variable._execution_engine
    node = type(torch.ones((), requires_grad=True).exp().grad_fn).__mro__[-2]
    forbid_attributes(type(engine), "run_backward")
    forbid_attributes(torch.Tensor, "backward", "grad_fn")
    forbid_attributes(node, "__call__")
    forbid_calls(node)
    forbid_functions(
        *("backward", "grad", "grad_and_value", "call_function", "_apply", "vjp", "jacrev"),
        *("jacobian", "jvp", "jacfwd", "linearize", "make_dual", "hessian", "hvp", "vhp"),
    )
