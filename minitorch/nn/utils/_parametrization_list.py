"""The parametrizations of a tensor and the tensors from which they compute it."""

from collections.abc import Sequence

from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.nn.modules.container import ModuleList
from minitorch.nn.parameter import Parameter


def check_kept(result, before, text, changed):
    """Raise ValueError if the dtype or shape of a tensor has changed."""
    for what in ("dtype", "shape"):
        old, new = getattr(before, what), getattr(result, what)
        if old != new:
            raise ValueError(text.format(what=what) + changed.format(what=what, old=old, new=new))


def own(module, name, value):
    register = module.register_parameter if isinstance(value, Parameter) else module.register_buffer
    register(name, value)


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, applied in order, and the original tensors.

    The attribute `original` holds the tensor that the first parametrization gets. If
    `right_inverse` returns several tensors, they are `original0`, `original1`, ...

    Parameters
    ----------
    modules : sequence of Module
    original : Tensor
        The tensor before it is parametrized.
    unsafe : bool, default False
        Allow the dtype and shape to change, without a check.

    Raises
    ------
    ValueError
        When there is no module, or the dtype or shape changes.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(2, 2))
    >>> type(layer.parametrizations.weight).__name__
    'ParametrizationList'
    >>> layer.parametrizations.weight.original.shape
    torch.Size([2, 2])
    """

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        before = original.detach()
        start = self._invert_what_can_be(original)
        self.is_tensor = isinstance(start, Tensor)
        if not self.is_tensor and not isinstance(start, Sequence):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(start).__name__}"
            )
        self.ntensors = 1 if self.is_tensor else len(start)
        if self.is_tensor:
            self._keep_one(original, start)
        else:
            self._keep_several(original, start)
        if not unsafe:
            result = self()
            if not isinstance(result, Tensor):
                raise ValueError(
                    f"A parametrization must return a tensor. Got {type(result).__name__}."
                )
            check_kept(
                result,
                before,
                "Registering a parametrization may not change the {what} of the tensor, unless "
                "`unsafe` flag is enabled.\n",
                "unparametrized {what}: {old}\nparametrized {what}: {new}",
            )

    @no_grad()
    def _invert_what_can_be(self, value):
        for module in reversed(self):
            if hasattr(module, "right_inverse"):
                try:
                    value = module.right_inverse(value)
                except NotImplementedError:
                    # continue with the unchanged value
                    continue
        return value

    def _keep_one(self, original, start):
        if original.dtype != start.dtype:
            raise ValueError(
                "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                f"original.dtype: {original.dtype}\nright_inverse(original).dtype: {start.dtype}"
            )
        with no_grad():
            original.set_(start)
        own(self, "original", original)

    def _keep_several(self, original, start):
        for k, value in enumerate(start):
            if not isinstance(value, Tensor):
                raise ValueError(
                    "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                    f"Got element {k} of the sequence with type {type(value).__name__}."
                )
            if isinstance(original, Parameter):
                value = Parameter(value, original.requires_grad)
            value.requires_grad_(original.requires_grad)
            own(self, f"original{k}", value)

    def _originals(self):
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{k}") for k in range(self.ntensors)]

    @no_grad()
    def right_inverse(self, value):
        """Set the original tensors so that the parametrized tensor has a given value.

        This is what an assignment to the tensor does.

        Parameters
        ----------
        value : Tensor

        Raises
        ------
        RuntimeError
            When a parametrization has no `right_inverse`.
        ValueError
            When a `right_inverse` returns an invalid value.
        """
        for module in reversed(self):
            if not hasattr(module, "right_inverse"):
                raise RuntimeError(
                    f"parametrization {type(module).__name__} does not implement right_inverse."
                )
            value = module.right_inverse(value)
        if self.is_tensor:
            if not isinstance(value, Tensor):
                raise ValueError(
                    f"`right_inverse` should return a tensor. Got {type(value).__name__}"
                )
            if value.dtype != self.original.dtype:
                raise ValueError(
                    f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` "
                    f"has dtype {self.original.dtype}"
                )
            self.original.set_(value)
            return
        if not isinstance(value, Sequence):
            raise ValueError(
                f"'right_inverse' must return a sequence of tensors. Got {type(value).__name__}."
            )
        if len(value) != self.ntensors:
            raise ValueError(
                f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a "
                f"sequence of length {len(value)}."
            )
        for k, (original, new) in enumerate(zip(self._originals(), value, strict=True)):
            if not isinstance(new, Tensor):
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors or reference-type opaques. Got "
                    f"element {k} of type {type(new).__name__}."
                )
            if original.dtype != new.dtype:
                raise ValueError(
                    f"Tensor {k} returned by `right_inverse` has dtype {new.dtype} while `original{k}` "
                    f"has dtype {original.dtype}"
                )
            original.set_(new)

    def forward(self):
        """Compute the parametrized tensor."""
        first, *rest = self
        value = first(*self._originals())
        for module in rest:
            value = module(value)
        return value
