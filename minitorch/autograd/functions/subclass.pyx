"""Tensors of a Python subclass of Tensor, which `Parameter` is one of."""

from minitorch.autograd.functions.generated.recorded cimport r_alias
from minitorch.autograd.variable cimport TensorBase, make_of_class
from minitorch.core.dtype cimport is_differentiable
from minitorch.core.tensor_impl cimport alias

from minitorch.autograd.python_dispatch import has_own_dispatch


def _of_preexisting(cls, made):
    """What a class with ``__torch_dispatch__`` gave as another tensor: it has its class already."""
    if isinstance(made, cls):
        return made
    raise RuntimeError(
        f"Creating a new Tensor subclass {cls.__name__} but the raw Tensor object is already associated to a python "
        f"object of type {type(made).__name__} which is not a subclass of the requested type")


def check_arguments(data, require_grad):
    """PyTorch's errors of what is given to ``_make_subclass``, which `nn.Parameter` calls."""
    if not isinstance(data, TensorBase):
        raise TypeError(
            f"_make_subclass(): argument 'data' (position 2) must be Tensor, not {type(data).__name__}")
    if not isinstance(require_grad, bool):
        raise TypeError(
            f"_make_subclass(): argument 'require_grad' (position 3) must be bool, not {type(require_grad).__name__}")


def make_subclass(cls, data, require_grad=False):
    """An instance of `cls` that shares the memory of `data` and has no history.

    Raises
    ------
    TypeError
        When `cls` is no class of tensors, `data` no tensor, `require_grad` no bool.
    RuntimeError
        When a gradient is required of integers.
    """
    cdef TensorBase source
    cdef TensorBase self
    check_arguments(data, require_grad)
    source = data
    if require_grad and not is_differentiable(source.impl.dtype):
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    if has_own_dispatch(source):
        made = source.detach()
        if has_own_dispatch(made):
            return _of_preexisting(cls, made)
    # nobody is told of it, except who computes for `data`
    self = make_of_class(
        alias(source.impl) if source.impl.special is None else (<TensorBase?>source.detach()).impl, cls)
    if require_grad:
        self._change_requires_grad(True, "Only Tensors of floating point and complex dtype can require gradients")
    return self


def as_subclass(TensorBase t, cls):
    """A view of all of `t` as an instance of `cls`, with its history."""
    cdef TensorBase whole = r_alias(t)
    if has_own_dispatch(t):
        cls = type(_of_preexisting(cls, t))
    cdef TensorBase self = make_of_class(whole.impl, cls)
    self._grad_fn = whole._grad_fn
    self._output_nr = whole._output_nr
    self._requires_grad = whole._requires_grad
    self._view = whole._view
    self._tangent = whole._tangent
    return self
