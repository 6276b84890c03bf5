"""Tensors of a Python subclass of Tensor, such as `Parameter`."""

from minitorch.autograd.functions.generated.recorded cimport r_alias
from minitorch.autograd.variable cimport TensorBase, make_of_class
from minitorch.core.dtype cimport is_differentiable
from minitorch.core.tensor_impl cimport alias

from minitorch.autograd.python_dispatch import has_own_dispatch


def _of_preexisting(cls, made):
    """Return the tensor that ``__torch_dispatch__`` made if it is of the requested class, else raise."""
    if isinstance(made, cls):
        return made
    raise RuntimeError(
        f"Creating a new Tensor subclass {cls.__name__} but the raw Tensor object is already associated to a python "
        f"object of type {type(made).__name__} which is not a subclass of the requested type")


def check_arguments(data, require_grad):
    """Raise PyTorch's errors for arguments of ``_make_subclass``, which `nn.Parameter` calls."""
    if not isinstance(data, TensorBase):
        raise TypeError(
            f"_make_subclass(): argument 'data' (position 2) must be Tensor, not {type(data).__name__}")
    if not isinstance(require_grad, bool):
        raise TypeError(
            f"_make_subclass(): argument 'require_grad' (position 3) must be bool, not {type(require_grad).__name__}")


def make_subclass(cls, data, require_grad=False):
    """Return an instance of `cls` that shares the memory of `data` and has no history.

    Raises
    ------
    TypeError
        If `cls` is not a subclass of Tensor, `data` not a tensor or `require_grad` not a bool.
    RuntimeError
        If a gradient is required of integers.
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
    # no mode sees this; only the class of a special `data` computes the alias
    self = make_of_class(
        alias(source.impl) if source.impl.special is None else (<TensorBase?>source.detach()).impl, cls)
    if require_grad:
        self._change_requires_grad(True, "Only Tensors of floating point and complex dtype can require gradients")
    return self


def as_subclass(TensorBase t, cls):
    """Return an alias of `t` as an instance of `cls`, with the history of `t`."""
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
