"""`Parameter`: a tensor that a module takes for its own when it is assigned to it."""

from collections import OrderedDict

from minitorch import _tensor_str
from minitorch._tensor import Tensor
from minitorch.autograd.functions.creation import empty_ as _empty
from minitorch.autograd.functions.subclass import make_subclass
from minitorch.autograd.grad_mode import no_grad


class Parameter(Tensor):
    """A tensor that is a parameter of the module it is assigned to.

    Parameters
    ----------
    data : Tensor, optional
        The values; the memory is shared.
    requires_grad : bool
        Whether gradients are wanted.
    """

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = _empty(0)
        return make_subclass(cls, data, requires_grad)

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        with no_grad():
            result = type(self)(self.detach().clone(), self.requires_grad)
        memo[id(self)] = result
        return result

    def __repr__(self):
        return "Parameter containing:\n" + Tensor.__repr__(self)

    def __reduce_ex__(self, protocol):
        # this class has the name of PyTorch's, by which pickle would not find it
        cls = None if type(self) is Parameter else type(self)
        return _rebuild, (cls, self.detach().numpy(), self.requires_grad, OrderedDict())


def _rebuild(cls, values, requires_grad, hooks):
    from minitorch.autograd.functions.from_data import from_numpy

    return (cls or Parameter)(from_numpy(values.copy()), requires_grad)


class Buffer(Tensor):
    """A tensor that becomes a buffer of the module it is assigned to."""

    def __new__(cls, data=None, *, persistent=True):
        self = make_subclass(cls, _empty(0) if data is None else data, False)
        self.persistent = persistent
        return self


Parameter.__module__ = "torch.nn.parameter"
Buffer.__module__ = "torch.nn.parameter"
_tensor_str.plain_types.update((Parameter, Buffer))


def __getattr__(name):
    # these are made of `Parameter`, and belong here by their name
    if name in (
        "UninitializedBuffer",
        "UninitializedParameter",
        "UninitializedTensorMixin",
        "is_lazy",
    ):
        from minitorch.nn import _uninitialized

        return getattr(_uninitialized, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
