"""`Tensor`: what of it is written in Python."""

from collections import OrderedDict

from minitorch import _tensor_str
from minitorch.autograd import backward as _backward
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import from_data as _from_data
from minitorch.autograd.functions import interchange as _interchange
from minitorch.autograd.functions.tensor_methods import TensorMethods
from minitorch.autograd.hooks import _attach_tensor_hooks, _retain_grad
from minitorch.autograd.variable import _register_tensor_class
from minitorch.core.handles import RemovableHandle


class Tensor(TensorMethods):
    """A multi-dimensional array of one element type that autograd can follow.

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
            The gradient with respect to this tensor, of its shape; not needed for a tensor of one
            element.
        retain_graph : bool, optional
            Keep what the graph has saved. Default: `create_graph`.
        create_graph : bool
            Record the backward pass.
        inputs : Tensor or sequence of Tensor, optional
            Accumulate into these only.

        Raises
        ------
        RuntimeError
            See `minitorch.autograd.backward`.
        """
        _backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # docs: end

    def register_hook(self, hook):
        """Call ``hook(grad)`` whenever a gradient of this tensor is computed.

        What the hook returns, if not None, takes the gradient's place. Returns a handle with a method
        ``remove()``.
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._backward_hooks is None:
            self._backward_hooks = OrderedDict()
        handle = RemovableHandle(self._backward_hooks)
        self._backward_hooks[handle.id] = hook
        _attach_tensor_hooks(self)
        return handle

    def register_post_accumulate_grad_hook(self, hook):
        """Call ``hook(self)`` after a gradient was added to the ``.grad`` of this leaf."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        hooks = self._post_accumulate_grad_hooks_dict()
        handle = RemovableHandle(hooks)
        hooks[handle.id] = hook
        return handle

    def retain_grad(self):
        """Let backward() fill ``.grad`` although this tensor is no leaf."""
        _retain_grad(self)

    new_tensor = _from_data.new_tensor
    new_zeros = _creation.new_zeros
    new_ones = _creation.new_ones
    new_empty = _creation.new_empty
    new_full = _creation.new_full
    new_empty_strided = _creation.new_empty_strided

    numpy = _interchange.numpy
    __array__ = _interchange.__array__
    __array_wrap__ = _interchange.__array_wrap__
    __array_priority__ = 1000  # NumPy leaves ``array + tensor`` to the tensor
    __dlpack__ = _interchange.__dlpack__
    __dlpack_device__ = _interchange.__dlpack_device__
    is_set_to = _interchange.is_set_to
    is_same_size = _interchange.is_same_size

    def __repr__(self, *, tensor_contents=None):
        return _tensor_str._str(self, tensor_contents=tensor_contents)

    def __format__(self, spec):
        if self.dim() == 0:
            return self.item().__format__(spec)
        return object.__format__(self, spec)


Tensor.__module__ = "torch"
_register_tensor_class(Tensor)
_tensor_str.plain_types.add(Tensor)
