"""Queries to the dispatcher's tables: the operators, their schemas, and their kernels by key."""

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

# keys whose fallback passes a call to the next key, or raises that there is no kernel
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
    """Return whether a key has a fallback, a kernel for all operators."""
    return key.name in _FALLBACKS


def has_kernel_for_any(name, keys):
    """Return whether an operator has its own kernel for one of the keys in a set."""
    return any(has_kernel_for(name, key) for key in keys._keys if key in DispatchKey.__members__)


def has_computed_kernel_for(name, key):
    """Return whether a key has a kernel for an operator: its own, an alias's, or a fallback."""
    key = key_of_name(key)
    own = [alias for alias in DispatchKey if has_kernel_for(name, alias)]
    return any(a is key or is_included_in_alias(key, a) for a in own) or has_fallback(key)


def is_fallthrough(name, key):
    """Return whether an operator's own kernel for a key passes calls to the next key.

    Raises
    ------
    RuntimeError
        The operator has no kernel for the key.
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
    """Return the names of all operators, with their overloads."""
    return [_name(schema) for schema in _schemas()]


def registrations(key=""):
    """Return the names of the operators with their own kernel for a key, by default all names."""
    if not key:
        return names()
    parsed(key)
    found = [f"aten::{name}" for name, keys in all_keys().items() if key in keys]
    return found + [name for name, kernels in all_kernels().items() if key in kernels]


def schemas():
    """Return the schemas of all operators."""
    return list(_schemas())


def schemas_of(name):
    """Return the schemas of the overloads of an operator such as ``"aten::add"``."""
    return [schema for schema in _schemas() if schema.name == name]


def schema_of(name, overload_name):
    """Return the schema of one overload.

    Raises
    ------
    RuntimeError
        There is no such overload.
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
