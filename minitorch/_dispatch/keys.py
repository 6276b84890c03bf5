"""Queries to PyTorch's dispatcher: the dispatch keys of tensors, and operators by name."""

from minitorch._dispatch.kernels import kernels_of
from minitorch._dispatch.key_sets import is_passed_by, local_exclude_set, local_include_set
from minitorch._dispatch.operators import ops
from minitorch._dispatch.own_kernels import keys_of
from minitorch._tensor import Tensor
from minitorch.autograd.math_bits import bits_of
from minitorch.autograd.python_dispatch import has_own_dispatch
from minitorch.utils._pytree import tree_leaves


def names_of(t):
    """Return the names of the dispatch keys that a tensor has in PyTorch."""
    conj, neg = bits_of(t)
    names = {"ADInplaceOrView"}
    names |= {"Meta", "AutogradMeta"} if t.is_meta else {"CPU", "AutogradCPU", "AutocastCPU"}
    if has_own_dispatch(t):
        names |= {"Python", "PythonTLSSnapshot", *vars(t).get("_extra_dispatch_keys", ())}
    if t.is_sparse:
        names = (names - {"CPU"}) | {"SparseCPU"}
    if t.is_inference():
        names -= {"ADInplaceOrView", "AutogradCPU", "AutogradMeta"}
    bits = {"Conjugate": conj, "Negative": neg, "ZeroTensor": t._is_zerotensor()}
    return names | {name for name, has in bits.items() if has}


def names_of_call(operator, arguments):
    """Return the names of the keys by which PyTorch selects the kernel of a call.

    They are the keys of the tensors and those included on this thread, without the excluded ones.

    Parameters
    ----------
    operator : str
        Name of the operator; ``ADInplaceOrView`` is left out if it has no kernel for that key.
    arguments : tree
    """
    tensors = [t for t in tree_leaves(arguments) if isinstance(t, Tensor)]
    names = local_include_set()._keys.union(*map(names_of, tensors)) - local_exclude_set()._keys
    if tensors:
        names -= {"BackendSelect"}
    if "ADInplaceOrView" not in keys_of(operator) | kernels_of(operator).keys():
        names -= {"ADInplaceOrView"}
    return {name for name in names if not is_passed_by(name)}


class OperatorHandle:
    """Handle of an operator that was looked up by name."""

    def __init__(self, overload):
        self.overload = overload


def find(name, overload_name):
    """Return the handle of an operator.

    Raises
    ------
    RuntimeError
        There is no such operator.
    """
    namespace, _, rest = name.partition("::")
    packet = getattr(getattr(ops, namespace), rest, None)
    overload = None if packet is None else packet._overloads.get(overload_name or "default")
    if overload is None:
        raise RuntimeError(f"Could not find schema for {name}.{overload_name}".rstrip(".") + ".")
    return OperatorHandle(overload)


def call(handle, *args, **kwargs):
    """Call the operator of a handle."""
    return handle.overload(*args, **kwargs)


def is_subclass_like(t):
    """Return whether a tensor may have no readable data.

    This holds for meta tensors, for tensors of a transform or of a class with
    ``__torch_dispatch__``, and for every tensor while a mode is active.
    """
    from minitorch._dispatch import modes
    from minitorch.autograd.levels import wrapped_of

    computed = has_own_dispatch(t) or wrapped_of(t) is not None
    return computed or isinstance(t, Tensor) and t.is_meta or bool(modes.stack())


__all__ = ["OperatorHandle", "call", "find", "is_subclass_like", "names_of", "names_of_call"]
