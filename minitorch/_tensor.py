"""The Python part of `Tensor`: `backward`, hooks, and `.grad`. Its base classes have the other methods."""

from collections import OrderedDict

from minitorch import _tensor_str
from minitorch._sparse.methods import SparseMethods
from minitorch.autograd import backward as _backward
from minitorch.autograd.functions import conversions as _conversions
from minitorch.autograd.functions import interchange as _interchange
from minitorch.autograd.functions.tensor_methods import TensorMethods
from minitorch.autograd.graph_api.gc_tracking import _track_held
from minitorch.autograd.hooks import _retain_grad, _start_tensor_hooks
from minitorch.autograd.levels import reject_in_transform
from minitorch.autograd.torch_function import handle_torch_function as handle_torch_function
from minitorch.autograd.torch_function import register_plain_class
from minitorch.autograd.variable import _register_tensor_class
from minitorch.core.error_pages import explained
from minitorch.core.handles import RemovableHandle
from minitorch.tensors import rebuilding as _rebuild
from minitorch.tensors.data_methods import DataMethods
from minitorch.tensors.layout_methods import LayoutMethods
from minitorch.tensors.object_methods import ObjectMethods
from minitorch.tensors.rebuilding import (
    _rebuild_from_type_v2 as _rebuild_from_type_v2,
)  # pickles refer to it by this module
from minitorch.tensors.subclass_methods import SubclassMethods, start_subclasses
from minitorch.tensors.subclass_methods import _convert as _convert

_NO_GRADIENT = "cannot register a hook on a tensor that doesn't require gradient"


class Tensor(  # the last two override nothing: calls of compiled methods search this order
    SubclassMethods, DataMethods, SparseMethods, TensorMethods, ObjectMethods, LayoutMethods
):
    """A multi-dimensional array of one dtype, which autograd can record operations on.

    Parameters
    ----------
    *args, **kwargs
        A size, which leaves the elements uninitialized; or the elements. See `Tensor.new`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([[2., 4.],
            [6., 8.]])
    """

    # docs: step 1
    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        """Add the gradient of this tensor with respect to the graph's leaves to their ``.grad``.

        Parameters
        ----------
        gradient : Tensor, optional
            Of this tensor's shape. A tensor of one element needs none: its gradient is 1.
        retain_graph : bool, optional
            Whether to keep the graph's saved tensors. Default: `create_graph`.
        create_graph : bool
            Record the backward pass.
        inputs : Tensor or sequence of Tensor, optional
            Accumulate into these only.

        Raises
        ------
        RuntimeError
            See `minitorch.autograd.backward`.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.])
        """
        _backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # docs: end

    # stubs of two base classes declare these differently: type checkers need one of them here
    view = _conversions.view
    is_set_to = _interchange.is_set_to
    is_same_size = _interchange.is_same_size

    def register_hook(self, hook):
        """Call ``hook(grad)`` whenever a gradient of this tensor is computed.

        Parameters
        ----------
        hook : callable
            A function of the gradient; a result that is not None replaces it, of the same shape.

        Returns
        -------
        RemovableHandle
            Its `remove` takes the hook away.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> handle = x.register_hook(lambda grad: grad * 10)
        >>> x.sum().backward()
        >>> x.grad
        tensor([10., 10.])
        """
        if not self.requires_grad:
            raise explained(RuntimeError(_NO_GRADIENT), "hook-without-grad")
        if self._backward_hooks is None:
            _start_tensor_hooks(self, OrderedDict())
        handle = RemovableHandle(self._backward_hooks)
        self._backward_hooks[handle.id] = hook
        _track_held(hook)
        return handle

    def register_post_accumulate_grad_hook(self, hook):
        """Call ``hook(self)`` after a gradient is accumulated into this leaf's ``.grad``.

        Parameters
        ----------
        hook : callable
            A function of the tensor, whose ``grad`` has the shape of the tensor.

        Returns
        -------
        RemovableHandle
            Its `remove` takes the hook away.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> handle = x.register_post_accumulate_grad_hook(lambda leaf: print(leaf.grad))
        >>> x.sum().backward()
        tensor([1., 1.])
        """
        if not self.requires_grad:
            raise explained(RuntimeError(_NO_GRADIENT), "hook-without-grad")
        if self.grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        if self._post_accumulate_grad_hooks is None:
            self._post_accumulate_grad_hooks = OrderedDict()
        handle = RemovableHandle(self._post_accumulate_grad_hooks)
        self._post_accumulate_grad_hooks[handle.id] = hook
        _track_held(hook)
        return handle

    @property
    def _grad(self):
        """`grad`, without the warning for non-leaf tensors."""
        return self.grad if self.is_leaf or self.retains_grad else None

    @_grad.setter
    def _grad(self, value):
        self.grad = value

    @_grad.deleter
    def _grad(self):
        del self.grad

    @property
    def _grad_fn(self):
        """`grad_fn`, which can be set to None through this name."""
        return self.grad_fn

    @_grad_fn.setter
    def _grad_fn(self, value):
        self._set_grad_fn(value)

    @_grad_fn.deleter
    def _grad_fn(self):
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    def retain_grad(self):
        """Make backward() fill ``.grad`` of this non-leaf tensor.

        The gradient has the shape and the dtype of the tensor.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.ones(1, requires_grad=True)
        >>> y = x * 2
        >>> y.retain_grad()
        >>> (y * 3).backward()
        >>> y.grad
        tensor([3.])
        """
        if self.requires_grad:
            reject_in_transform("retain_grad()", "retain_grad()")
        _retain_grad(self)


def _tensor_class():
    return Tensor


Tensor.__module__ = "torch"
_rebuild.ClassReference.plain[Tensor] = _tensor_class
start_subclasses(Tensor)
_register_tensor_class(Tensor)
register_plain_class(Tensor, True)
_tensor_str.plain_types.add(Tensor)
