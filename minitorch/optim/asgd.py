"""Averaged stochastic gradient descent."""

from minitorch._tensor import Tensor
from minitorch.autograd.functions.creation import ones, zeros_like
from minitorch.optim._rule import (
    RuleOptimizer,
    change_once,
    check_lr,
    check_not_negative,
    count,
    ways,
    zero,
)
from minitorch.optim.optimizer import _get_scalar_dtype, _to_scalar

__all__ = ["ASGD", "asgd"]


class ASGD(RuleOptimizer):
    """Averaged SGD with decreasing rates; the state's ``ax`` holds the averaged parameters.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr : float or Tensor
        The learning rate of the first step; at step ``t`` it is ``lr / (1 + lambd * lr * t) **
        alpha``.
    lambd : float
        The decay rate of the parameters and of the learning rate.
    alpha : float
        The exponent in the learning rate.
    t0 : float
        The step at which averaging starts.
    weight_decay : float
        Added to the gradient, times the parameter.
    foreach : bool, optional
        Accepted for compatibility; there is only one implementation.
    maximize : bool
        Maximize the objective instead of minimizing it.
    differentiable : bool
        Record the step, so that gradients flow through it.
    capturable : bool
        For accelerator graphs; on the CPU, `step` raises RuntimeError if it is set.

    Raises
    ------
    ValueError
        If an option is out of range.

    References
    ----------
    Polyak, Juditsky: Acceleration of stochastic approximation by averaging, SIAM Journal on
    Control and Optimization 30, 1992. PyTorch's ``optim.ASGD``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.ASGD([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.8000, -1.6000], requires_grad=True)
    """

    _later_options = {**RuleOptimizer._later_options, "capturable": False}
    _counts = ("step", "eta", "mu")
    _capturable_parts = "params, mus, etas, and state_steps"

    def __init__(
        self,
        params,
        lr=1e-2,
        lambd=1e-4,
        alpha=0.75,
        t0=1e6,
        weight_decay=0,
        foreach=None,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        check_lr(lr)
        check_not_negative("Invalid weight_decay value", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "lambd": lambd,
                "alpha": alpha,
                "t0": t0,
                "weight_decay": weight_decay,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    def _initial_state(self, p, group):
        step, lr = zero(), _to_scalar(group["lr"])
        if isinstance(lr, Tensor):
            lr = lr.detach().clone().to(_get_scalar_dtype())
        else:
            lr = count(lr).clone().detach()
        one = ones((), dtype=_get_scalar_dtype())
        return {"step": step, "eta": lr, "mu": one, "ax": zeros_like(p)}

    def _rule(self, group):
        lr, lambd, alpha, t0 = (
            _to_scalar(group["lr"]),
            group["lambd"],
            group["alpha"],
            group["t0"],
        )
        weight_decay = group["weight_decay"]

        def rule(p, grad, state):
            if weight_decay != 0:
                grad = grad.add(p, alpha=weight_decay)
            rate, average = state["eta"].item(), state["ax"]
            p.mul_(1 - lambd * rate)
            p.add_(grad, alpha=-rate)
            share = state["mu"].item()
            if share != 1:
                average.add_(p.sub(average).mul_(share))
            else:
                average.copy_(p)
            step = state["step"].item()
            state["eta"].copy_(_as_count(lr / (1 + lambd * lr * step) ** alpha))
            state["mu"].copy_(count(1 / max(1, step - t0)))

        return rule


def _as_count(value):
    return value if isinstance(value, Tensor) else count(value)


def asgd(
    params,
    grads,
    axs,
    mus,
    etas,
    state_steps,
    foreach=None,
    maximize=False,
    differentiable=False,
    capturable=False,
    has_complex=False,
    *,
    lambd,
    lr,
    t0,
    alpha,
    weight_decay,
):
    """Run one step of `ASGD`, with gradients and states given as lists."""
    group = {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay}
    group |= {"maximize": maximize, "differentiable": differentiable, "capturable": capturable}
    states = {"ax": axs, "mu": mus, "eta": etas, "step": state_steps}
    change_once(ASGD, params, grads, group, **states)


_single_tensor_asgd, _multi_tensor_asgd = ways(asgd)
