"""What programs ask of PyTorch's dispatcher itself: the keys of tensors, and operators by their names."""

from minitorch._dispatch.operators import ops
from minitorch._tensor import Tensor
from minitorch.autograd.math_bits import bits_of
from minitorch.autograd.python_dispatch import has_own_dispatch

# in the order in which sets show them
_ORDER = (
    "CPU Meta Python NestedTensor SparseCPU Conjugate Negative ZeroTensor ADInplaceOrView AutogradCPU AutogradMeta "
    "AutogradNestedTensor AutocastCPU PythonTLSSnapshot"
).split()


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
    return names | ({"Conjugate"} if conj else set()) | ({"Negative"} if neg else set())


def in_order(names):
    """Names of keys as a set of keys shows them."""
    return sorted(names, key=lambda name: (_ORDER.index(name) if name in _ORDER else -1, name))


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


__all__ = ["OperatorHandle", "call", "find", "in_order", "is_subclass_like", "names_of"]
