"""What programs ask of the tables of PyTorch's dispatcher: which operators there are, and what has kernels for which keys."""

from minitorch._dispatch.custom import has_kernel_for
from minitorch._dispatch.kernels import all_kernels
from minitorch._dispatch.key_sets import (
    DispatchKey,
    is_included_in_alias,
    key_of_name,
    parsed,
)
from minitorch._dispatch.operators import custom, table
from minitorch._dispatch.own_kernels import all_keys

# keys whose kernel for all operators hands a call on, or says that there is none
_FALLBACKS = frozenset(
    """
    AutogradOther Conjugate ZeroTensor Negative BackendSelect ADInplaceOrView PythonTLSSnapshot Python
    FuncTorchDynamicLayerFrontMode FuncTorchDynamicLayerBackMode FuncTorchBatched FuncTorchVmapMode
    FuncTorchGradWrapper PythonDispatcher PreDispatch Functionalize AutocastCPU AutocastMPS AutocastXPU AutocastCUDA
    Meta AutogradFunctionality AutogradCPU AutogradCUDA AutogradXLA AutogradMPS AutogradXPU AutogradHPU AutogradLazy
    AutogradMTIA AutogradMAIA AutogradPrivateUse1 AutogradMeta
    """.split()
)


def has_fallback(key):
    """Whether there is a kernel of a key for all operators, by which a call goes on."""
    return key.name in _FALLBACKS


def has_kernel_for_any(name, keys):
    """Whether an operator has a kernel of its own for one of a set of keys."""
    return any(has_kernel_for(name, key) for key in keys._keys if key in DispatchKey.__members__)


def has_computed_kernel_for(name, key):
    """Whether a call of an operator finds a kernel for a key: its own, that of a key for several, or a fallback."""
    key = key_of_name(key)
    own = [alias for alias in DispatchKey if has_kernel_for(name, alias)]
    return any(a is key or is_included_in_alias(key, a) for a in own) or has_fallback(key)


def is_fallthrough(name, key):
    """Whether an operator's own kernel for a key hands calls on.

    Raises
    ------
    RuntimeError
        It has none.
    """
    key = key_of_name(key)
    if not has_kernel_for(name, key):
        raise RuntimeError(f"no kernel for {key.name} on {name}")
    kernel = all_kernels().get(name, {}).get(key.name)
    return getattr(kernel, "__name__", None) == "fallthrough_kernel"


def _schemas():
    for _, schema in table():
        yield schema
    for packet in list(custom.values()):
        for overload in list(packet._overloads.values()):
            yield overload._schema


def _name(schema):
    return schema.name + (f".{schema.overload_name}" if schema.overload_name else "")


def names():
    """The names of all operators, with their overloads."""
    return [_name(schema) for schema in _schemas()]


def registrations(key=""):
    """The names of the operators that have a kernel of their own for a key; without one, all of them."""
    if not key:
        return names()
    parsed(key)
    found = [f"aten::{name}" for name, keys in all_keys().items() if key in keys]
    return found + [name for name, kernels in all_kernels().items() if key in kernels]


def schemas():
    """The schemas of all operators."""
    return list(_schemas())


def schemas_of(name):
    """The schemas of the overloads of an operator, ``"aten::add"``."""
    return [schema for schema in _schemas() if schema.name == name]


def schema_of(name, overload_name):
    """The schema of one overload.

    Raises
    ------
    RuntimeError
        There is none.
    """
    for schema in schemas_of(name):
        if schema.overload_name == ("" if overload_name == "default" else overload_name):
            return schema
    raise RuntimeError("Found no matching schema")


__all__ = [
    "has_computed_kernel_for",
    "has_fallback",
    "has_kernel_for_any",
    "is_fallthrough",
    "names",
    "registrations",
    "schema_of",
    "schemas",
    "schemas_of",
]
