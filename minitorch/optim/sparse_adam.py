"""SparseAdam: Adam for sparse gradients, of which there are none here."""

from minitorch.autograd.grad_mode import enable_grad, no_grad
from minitorch.optim._rule import check_betas, check_lr
from minitorch.optim.optimizer import Optimizer

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """Adam that changes only the elements that a sparse gradient names.

    Parameters
    ----------
    params : iterable
        Parameters or groups of them.
    lr : float or Tensor
        The learning rate, above zero.
    betas : (float, float)
        How much of the two means is kept at each step.
    eps : float
        Added to the denominator, above zero.
    maximize : bool
        Go up instead of down.

    Raises
    ------
    ValueError
        If an option is out of its range, or a parameter is complex.
    RuntimeError
        From `step`, if a gradient is dense. There are no sparse tensors here, so that every
        gradient is.

    References
    ----------
    PyTorch's ``optim.SparseAdam``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.ones(2, requires_grad=True)
    >>> optimizer = torch.optim.SparseAdam([w])
    >>> w.sum().backward()
    >>> optimizer.step()
    Traceback (most recent call last):
    RuntimeError: SparseAdam does not support dense gradients, please consider Adam instead
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        check_lr(lr)
        for name, value in (("learning rate", lr), ("epsilon value", eps)):
            if not value > 0.0:
                raise ValueError(f"Invalid {name}: {value}")
        check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        complex_params = [
            [number, k]
            for number, group in enumerate(self.param_groups)
            for k, p in enumerate(group["params"])
            if p.is_complex()
        ]
        if complex_params:
            raise ValueError(
                f"Complex params at indices {complex_params}: SparseAdam does not support "
                "complex parameters"
            )

    @no_grad()
    def step(self, closure=None):
        """Refuse gradients, which are dense; without one there is nothing to do.

        Parameters
        ----------
        closure : callable, optional
            Computes the loss again and its gradients; the loss is returned.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        if any(p.grad is not None for group in self.param_groups for p in group["params"]):
            raise RuntimeError(
                "SparseAdam does not support dense gradients, please consider Adam instead"
            )
        return loss
