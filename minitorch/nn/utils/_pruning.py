"""Pruning masks of modules: `BasePruningMethod`, and several of them in a `PruningContainer`.

While a tensor ``weight`` is pruned, the module has a parameter ``weight_orig``, a buffer
``weight_mask`` and an attribute ``weight``. The attribute is the product of the two, computed by a
hook before each call.
"""

from abc import ABC, abstractmethod

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.core.types import contiguous_format


def _check_scores(scores, tensor, what):
    if scores is not None and scores.shape != tensor.shape:
        raise AssertionError(
            f"importance_scores should have the same shape as {what}, got {scores.shape} vs "
            f"{tensor.shape}"
        )


def hooks_of(module, name=None):
    """Return (key, hook) pairs of the pruning methods for a tensor name, or for all tensors."""
    return [
        (key, hook)
        for key, hook in module._forward_pre_hooks.items()
        if isinstance(hook, BasePruningMethod) and name in (None, hook._tensor_name)
    ]


class BasePruningMethod(ABC):
    """Base class of methods that choose elements to set to zero.

    A subclass defines `PRUNING_TYPE` and `compute_mask`.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils import prune
    >>> class Last(prune.BasePruningMethod):
    ...     PRUNING_TYPE = "unstructured"
    ...     def compute_mask(self, t, default_mask):
    ...         mask = default_mask.clone()
    ...         mask[..., -1] = 0
    ...         return mask
    >>> layer = torch.nn.Linear(2, 1)
    >>> _ = Last.apply(layer, "weight")
    >>> layer.weight_mask
    tensor([[1., 0.]])
    """

    _tensor_name: str

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t, default_mask):
        """Return the mask of a tensor.

        Parameters
        ----------
        t : Tensor
            The importance score of each element.
        default_mask : Tensor
            The mask of the elements that are already pruned.

        Returns
        -------
        Tensor
            Zeros for pruned elements, ones for the rest.
        """

    def apply_mask(self, module):
        """Return the product of the original tensor and the mask."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        original = getattr(module, self._tensor_name + "_orig")
        mask = getattr(module, self._tensor_name + "_mask")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prune a tensor of a module, in addition to earlier pruning.

        Parameters
        ----------
        module : Module
        name : str
        *args, **kwargs
            The arguments of the constructor.
        importance_scores : Tensor, optional
            By default, the values of the tensor.
        """
        found = hooks_of(module, name)
        if len(found) > 1:
            raise AssertionError(
                f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use "
                "a PruningContainer."
            )
        for key, _ in found:
            del module._forward_pre_hooks[key]
        method = cls(*args, **kwargs)
        method._tensor_name = name
        if not found:
            return method._start(module, importance_scores)
        container = found[0][1]
        if not isinstance(container, PruningContainer):
            container = PruningContainer(container)
        container.add_pruning_method(method)
        return container._go_on(module, importance_scores)

    def _start(self, module, scores):
        name = self._tensor_name
        original = getattr(module, name)
        _check_scores(scores, original, f"parameter {name} of {module}")
        module.register_parameter(name + "_orig", original)
        del module._parameters[name]
        everything, done = _ops.ones_like(original), False
        try:
            self._set_mask(module, original if scores is None else scores, everything)
            done = True
        finally:
            if not done:
                module.register_parameter(name, getattr(module, name + "_orig"))
                del module._parameters[name + "_orig"]
        return self

    def _go_on(self, module, scores):
        name = self._tensor_name
        pruned = getattr(module, name)
        _check_scores(scores, pruned, f"parameter {name} of {module}")
        mask = getattr(module, name + "_mask").detach().clone(memory_format=contiguous_format)
        self._set_mask(module, pruned if scores is None else scores, mask)
        return self

    def _set_mask(self, module, scores, default_mask):
        name = self._tensor_name
        module.register_buffer(name + "_mask", self.compute_mask(scores, default_mask=default_mask))
        setattr(module, name, self.apply_mask(module))
        module.register_forward_pre_hook(self)

    def prune(self, t, default_mask=None, importance_scores=None):
        """Return a pruned tensor, without a module.

        Parameters
        ----------
        t : Tensor
        default_mask : Tensor, optional
        importance_scores : Tensor, optional

        Returns
        -------
        Tensor
        """
        _check_scores(importance_scores, t, "tensor t")
        scores = t if importance_scores is None else importance_scores
        default_mask = _ops.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=default_mask)

    def remove(self, module):
        """Make the pruned tensor an ordinary parameter; its zeros stay."""
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        pruned = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters.pop(name + "_orig")
        original.data = pruned.data
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several pruning methods, applied in order; each gets what the previous ones left.

    Parameters
    ----------
    *args : BasePruningMethod
        Methods for the same tensor, which may have any shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils import prune
    >>> layer = torch.nn.Linear(4, 1)
    >>> _ = prune.L1Unstructured.apply(layer, "weight", 1)
    >>> _ = prune.RandomUnstructured.apply(layer, "weight", 1)
    >>> hook = next(iter(layer._forward_pre_hooks.values()))
    >>> type(hook).__name__, len(hook)
    ('PruningContainer', 2)
    >>> layer.weight_mask.sum()
    tensor(2.)
    """

    def __init__(self, *args):
        self._pruning_methods = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        """Append a method."""
        if method is not None:
            if not isinstance(method, BasePruningMethod):
                raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
            if self._tensor_name != method._tensor_name:
                raise ValueError(
                    "Can only add pruning methods acting on the parameter named "
                    f"'{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'"
                )
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        """Return the mask after the last method, which gets only elements not pruned yet."""
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        mask = mask.clone() if mask is default_mask else mask
        left = _left_over(method, t, default_mask)
        mask[left] = method.compute_mask(t[left], default_mask=default_mask[left]).to(mask.dtype)
        return mask


def _left_over(method, t, mask):
    """Return the index of the elements that a further method may prune."""
    kind = method.PRUNING_TYPE
    if kind == "unstructured":
        return mask == 1
    everything = [slice(None)] * t.dim()
    if kind == "structured":
        if not hasattr(method, "dim"):
            raise AttributeError(
                'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.'
            )
        dim = method.dim + t.dim() if method.dim < 0 else method.dim
        if dim < 0:
            raise IndexError(f"Index is out of bounds for tensor with dimensions {t.dim()}")
        # slices with at least one element left
        everything[dim] = mask.sum(dim=[d for d in range(t.dim()) if d != dim]) != 0
    elif kind != "global":
        raise ValueError(f"Unrecognized PRUNING_TYPE {kind}")
    return tuple(everything)
