"""Adadelta: steps scaled by the ratio of past step sizes to past gradient sizes."""

from minitorch.autograd.functions.creation import zeros_like
from minitorch.optim._rule import (
    RuleOptimizer,
    change_once,
    check_lr,
    check_not_negative,
    ways,
    zero,
)
from minitorch.optim.optimizer import _to_scalar

__all__ = ["Adadelta", "adadelta"]


class Adadelta(RuleOptimizer):
    """Scale the gradient by the root mean square of past steps over that of past gradients.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr : float or Tensor
        Scales the step.
    rho : float
        How much of the running means of squares is kept at each step.
    eps : float
        Added under the roots.
    weight_decay : float
        Added to the gradient, times the parameter.
    foreach : bool, optional
        Accepted for compatibility; there is only one implementation.
    capturable : bool
        For accelerator graphs; on the CPU, `step` raises RuntimeError if it is set.
    maximize : bool
        Maximize the objective instead of minimizing it.
    differentiable : bool
        Record the step, so that gradients flow through it.

    Raises
    ------
    ValueError
        If an option is out of range.

    References
    ----------
    Zeiler: ADADELTA: An adaptive learning rate method, arXiv:1212.5701, 2012. PyTorch's
    ``optim.Adadelta``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adadelta([w], lr=100.0)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.6838, -1.6838], requires_grad=True)
    """

    _foreach_rejects = "always"
    _later_options = {**RuleOptimizer._later_options, "capturable": False}
    _capturable_devices = ["cuda", "xpu", "hpu", "privateuseone"]

    def __init__(
        self,
        params,
        lr=1.0,
        rho=0.9,
        eps=1e-6,
        weight_decay=0,
        foreach=None,
        *,
        capturable=False,
        maximize=False,
        differentiable=False,
    ):
        check_lr(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_not_negative("Invalid epsilon value", eps)
        check_not_negative("Invalid weight_decay value", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "rho": rho,
                "eps": eps,
                "weight_decay": weight_decay,
                "maximize": maximize,
                "capturable": capturable,
                "foreach": foreach,
                "differentiable": differentiable,
            },
        )

    def _initial_state(self, p, group):
        return {"step": zero(), "square_avg": zeros_like(p), "acc_delta": zeros_like(p)}

    def _rule(self, group):
        lr, rho, eps = _to_scalar(group["lr"]), group["rho"], group["eps"]
        weight_decay, differentiable = group["weight_decay"], group["differentiable"]

        def rule(p, grad, state):
            if weight_decay != 0:
                grad = grad.add(p, alpha=weight_decay)
            square, steps = state["square_avg"], state["acc_delta"]
            square.mul_(rho).addcmul_(grad, grad, value=1 - rho)
            size = steps.add(eps).sqrt_()
            if differentiable:
                size = size.clone()
            delta = size.div_(square.add(eps).sqrt_()).mul_(grad)
            steps.mul_(rho).addcmul_(delta, delta, value=1 - rho)
            p.add_(delta, alpha=-lr)

        return rule


def adadelta(
    params,
    grads,
    square_avgs,
    acc_deltas,
    state_steps,
    capturable=False,
    foreach=None,
    differentiable=False,
    has_complex=False,
    *,
    lr,
    rho,
    eps,
    weight_decay,
    maximize,
):
    """Run one step of `Adadelta`, with gradients and states given as lists."""
    group = {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
    group |= {"capturable": capturable, "differentiable": differentiable}
    states = {"square_avg": square_avgs, "acc_delta": acc_deltas, "step": state_steps}
    change_once(Adadelta, params, grads, group, **states)


_single_tensor_adadelta, _multi_tensor_adadelta = ways(adadelta)
