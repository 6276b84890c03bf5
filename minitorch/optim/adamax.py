"""Adamax: Adam with a running maximum in place of the mean square."""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import zeros_like
from minitorch.optim._adam_family import AdamFamily, decayed
from minitorch.optim._rule import change_once, count, ways
from minitorch.optim.optimizer import _to_scalar

__all__ = ["Adamax", "adamax"]


class Adamax(AdamFamily):
    """Divide the running mean of the gradient by a running maximum of its magnitude.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr, betas, eps, weight_decay, foreach, maximize, differentiable, capturable
        See `Adam`. The second of `betas` is the decay rate of the running maximum, and `eps` is
        added to the magnitude of each gradient.

    Raises
    ------
    ValueError
        If an option is out of range.

    References
    ----------
    Kingma, Ba: Adam: A method for stochastic optimization, ICLR 2015, section 7.1. PyTorch's
    ``optim.Adamax``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adamax([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    _foreach_rejects = "always"

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        super().__init__(
            params,
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
            capturable=capturable,
        )

    def _initial_state(self, p, group):
        return {"step": count(), "exp_avg": zeros_like(p), "exp_inf": zeros_like(p)}

    def _rule(self, group):
        (beta1, beta2), lr, eps = group["betas"], _to_scalar(group["lr"]), group["eps"]
        differentiable = group["differentiable"]

        def rule(p, grad, state):
            grad = decayed(p, grad, group, lr)
            mean, largest = state["exp_avg"], state["exp_inf"]
            mean.lerp_(grad, 1 - beta1)
            if differentiable:
                largest.copy_(_ops.maximum(largest * beta2, grad.abs() + eps))
                # the next step writes into these tensors, so autograd must save copies
                mean, largest = mean.clone(), largest.clone()
            else:
                _ops.maximum(largest.mul_(beta2), grad.abs().add_(eps), out=largest)
            p.addcdiv_(mean, largest, value=-lr / (1 - beta1 ** state["step"].item()))

        return rule


def adamax(
    params,
    grads,
    exp_avgs,
    exp_infs,
    state_steps,
    foreach=None,
    maximize=False,
    differentiable=False,
    capturable=False,
    has_complex=False,
    *,
    eps,
    beta1,
    beta2,
    lr,
    weight_decay,
):
    """Run one step of `Adamax`, with gradients and states given as lists."""
    group = {"lr": lr, "betas": (beta1, beta2), "eps": eps, "weight_decay": weight_decay}
    group |= {"maximize": maximize, "differentiable": differentiable, "capturable": capturable}
    states = {"exp_avg": exp_avgs, "exp_inf": exp_infs, "step": state_steps}
    change_once(Adamax, params, grads, group, **states)


_single_tensor_adamax, _multi_tensor_adamax = ways(adamax)
