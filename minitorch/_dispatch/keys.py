"""What programs ask of PyTorch's dispatcher itself: the keys of tensors, and operators by their names."""

from minitorch._dispatch.kernels import kernels_of
from minitorch._dispatch.key_sets import is_passed_by, local_exclude_set, local_include_set
from minitorch._dispatch.operators import ops
from minitorch._dispatch.own_kernels import keys_of
from minitorch._tensor import Tensor
from minitorch.autograd.math_bits import bits_of
from minitorch.autograd.python_dispatch import has_own_dispatch
from minitorch.utils._pytree import tree_leaves


def names_of(t):
    """The keys by which PyTorch finds what computes for a tensor."""
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
    """The keys by which PyTorch finds the kernel of a call: those of the tensors, and those of this thread.

    Parameters
    ----------
    operator : str
        Its name; keys for which it hands all calls on are left out.
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
    """An operator, found by its name."""

    def __init__(self, overload):
        self.overload = overload


def find(name, overload_name):
    """The handle of an operator.

    Raises
    ------
    RuntimeError
        There is none.
    """
    namespace, _, rest = name.partition("::")
    packet = getattr(getattr(ops, namespace), rest, None)
    overload = None if packet is None else packet._overloads.get(overload_name or "default")
    if overload is None:
        raise RuntimeError(f"Could not find schema for {name}.{overload_name}".rstrip(".") + ".")
    return OperatorHandle(overload)


def call(handle, *args, **kwargs):
    """Call an operator that `find` has found."""
    return handle.overload(*args, **kwargs)


def is_subclass_like(t):
    """Whether a class or a transform computes for a tensor, or a mode would see it, or it has no elements."""
    from minitorch._dispatch import modes
    from minitorch.autograd.levels import Wrapped
    from minitorch.autograd.special import special_of

    computed = has_own_dispatch(t) or isinstance(special_of(t), Wrapped)
    return computed or isinstance(t, Tensor) and t.is_meta or bool(modes.stack())


__all__ = ["OperatorHandle", "call", "find", "is_subclass_like", "names_of", "names_of_call"]
