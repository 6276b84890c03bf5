"""SparseAdam: Adam that changes only what a sparse gradient names."""

import math

from minitorch._sparse.coo import like
from minitorch.autograd.functions.creation import zeros_like
from minitorch.autograd.grad_mode import enable_grad, no_grad
from minitorch.optim._rule import check_betas, check_lr
from minitorch.optim.optimizer import Optimizer, _to_scalar

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """Adam that changes only the elements that a sparse gradient names.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr : float or Tensor
        The learning rate, above zero.
    betas : (float, float)
        How much of the two means is kept at each step.
    eps : float
        Added to the denominator, above zero.
    maximize : bool
        Maximize the objective instead of minimizing it.

    Raises
    ------
    ValueError
        If an option is out of its range, or a parameter is complex.
    RuntimeError
        From `step`, if a gradient is dense.

    Notes
    -----
    The means of a row that has no gradient are left as they are, instead of being scaled down at each
    step.

    References
    ----------
    Kingma, Ba: Adam, a method for stochastic optimization, ICLR 2015. PyTorch's ``optim.SparseAdam``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.ones(3, 1, requires_grad=True)
    >>> optimizer = torch.optim.SparseAdam([w], lr=0.1)
    >>> torch.nn.functional.embedding(torch.tensor([1]), w, sparse=True).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([[1.0000],
            [0.9000],
            [1.0000]], requires_grad=True)
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        check_lr(lr)
        for name, value in (("learning rate", lr), ("epsilon value", eps)):
            if not value > 0.0:
                raise ValueError(f"Invalid {name}: {value}")
        check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        places = [
            ([number, k], p)
            for number, group in enumerate(self.param_groups)
            for k, p in enumerate(group["params"])
        ]
        sparse_params = [place for place, p in places if p.is_sparse]
        complex_params = [place for place, p in places if p.is_complex()]
        if sparse_params:
            raise ValueError(
                f"Sparse params at indices {sparse_params}: SparseAdam requires dense parameter "
                "tensors"
            )
        if complex_params:
            raise ValueError(
                f"Complex params at indices {complex_params}: SparseAdam does not support "
                "complex parameters"
            )

    @no_grad()
    def step(self, closure=None):
        """Change the parameters once.

        Parameters
        ----------
        closure : callable, optional
            Computes the loss again and its gradients; the loss is returned.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            work = [p for p in group["params"] if p.grad is not None]
            for p in work:
                if not p.grad.is_sparse:
                    raise RuntimeError(
                        "SparseAdam does not support dense gradients, please consider Adam instead"
                    )
                state = self.state[p]
                if not state:
                    state.update(step=0, exp_avg=zeros_like(p), exp_avg_sq=zeros_like(p))
                state["step"] += 1
            for p in work:
                self._change(p, group)
        return loss

    def _change(self, p, group):
        state, grad = self.state[p], (-p.grad if group["maximize"] else p.grad).coalesce()
        values = grad._values()
        if not values.numel():
            return
        means = []
        for name, new, beta in zip(
            ("exp_avg", "exp_avg_sq"), (values, values.pow(2)), group["betas"], strict=True
        ):
            old = state[name].sparse_mask(grad)._values()
            change = new.sub(old).mul_(1 - beta)
            state[name].add_(like(grad, change))
            means.append(change + old)
        beta1, beta2 = group["betas"]
        step = state["step"]
        size = _to_scalar(group["lr"]) * math.sqrt(1 - beta2**step) / (1 - beta1**step)
        p.add_(like(grad, -size * means[0].div_(means[1].sqrt_().add_(group["eps"]))))
