"""RMSprop: the gradient divided by its root mean square."""

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

__all__ = ["RMSprop", "rmsprop"]


class RMSprop(RuleOptimizer):
    """Divide the gradient by the root of the running mean of its square.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr : float or Tensor
        The learning rate.
    alpha : float
        The decay rate of the running means.
    eps : float
        Added to the denominator.
    weight_decay : float
        Added to the gradient, times the parameter.
    momentum : float
        The momentum: ``velocity = momentum * velocity + grad / root``, and the step is along it.
    centered : bool
        Divide by the root of the variance, that is, subtract the squared mean gradient.
    capturable : bool
        For accelerator graphs; on the CPU, `step` raises RuntimeError if it is set.
    foreach : bool, optional
        Accepted for compatibility; there is only one implementation.
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
    Hinton: Neural networks for machine learning, lecture 6e, 2012. Graves: Generating sequences
    with recurrent neural networks, arXiv:1308.0850, 2013 (`centered`). PyTorch's
    ``optim.RMSprop``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.RMSprop([w], lr=0.01)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    _lists_on_xla = True
    _later_options = {
        "momentum": 0,
        "centered": False,
        **RuleOptimizer._later_options,
        "capturable": False,
    }

    def __init__(
        self,
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0,
        momentum=0,
        centered=False,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        check_lr(lr)
        check_not_negative("Invalid epsilon value", eps)
        check_not_negative("Invalid momentum value", momentum)
        check_not_negative("Invalid weight_decay value", weight_decay)
        check_not_negative("Invalid alpha value", alpha)
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "alpha": alpha,
                "eps": eps,
                "centered": centered,
                "weight_decay": weight_decay,
                "capturable": capturable,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
            },
        )

    def _initial_state(self, p, group):
        state = {"step": zero(), "square_avg": zeros_like(p)}
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros_like(p)
        if group["centered"]:
            state["grad_avg"] = zeros_like(p)
        return state

    def _rule(self, group):
        lr, alpha, eps = _to_scalar(group["lr"]), group["alpha"], group["eps"]
        weight_decay, momentum = group["weight_decay"], group["momentum"]
        centered = group["centered"]

        def rule(p, grad, state):
            if weight_decay != 0:
                grad = grad.add(p, alpha=weight_decay)
            square = state["square_avg"].mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
            if centered:
                mean = state["grad_avg"].lerp_(grad, 1 - alpha)
                if group["differentiable"]:
                    mean = mean.clone()  # the next step writes into it
                square = square.addcmul(mean, mean, value=-1)
            root = square.sqrt_() if centered and not group["differentiable"] else square.sqrt()
            root = root.add(eps) if group["differentiable"] else root.add_(eps)
            if momentum > 0:
                velocity = state["momentum_buffer"].mul_(momentum).addcdiv_(grad, root)
                p.add_(velocity, alpha=-lr)
            else:
                p.addcdiv_(grad, root, value=-lr)

        return rule


def rmsprop(
    params,
    grads,
    square_avgs,
    grad_avgs,
    momentum_buffer_list,
    state_steps,
    foreach=None,
    maximize=False,
    differentiable=False,
    capturable=False,
    has_complex=False,
    *,
    lr,
    alpha,
    eps,
    weight_decay,
    momentum,
    centered,
):
    """Run one step of `RMSprop`, with gradients and states given as lists."""
    group = {"lr": lr, "alpha": alpha, "eps": eps, "weight_decay": weight_decay}
    group |= {"momentum": momentum, "centered": centered, "maximize": maximize}
    group |= {"differentiable": differentiable, "capturable": capturable}
    states = {"square_avg": square_avgs, "grad_avg": grad_avgs, "step": state_steps}
    change_once(RMSprop, params, grads, group, **states, momentum_buffer=momentum_buffer_list)


_single_tensor_rmsprop, _multi_tensor_rmsprop = ways(rmsprop)
