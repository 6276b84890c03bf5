"""RAdam: Adam with a rectified adaptive learning rate."""

from minitorch.optim._adam_family import AdamFamily, decayed
from minitorch.optim._rule import RuleOptimizer, change_once, ways
from minitorch.optim.optimizer import _to_scalar

__all__ = ["RAdam", "radam"]


class RAdam(AdamFamily):
    """Adam whose steps are rectified for the variance of the running mean of squares.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr, betas, eps, weight_decay, decoupled_weight_decay, foreach, maximize, capturable, differentiable
        See `Adam`.

    Raises
    ------
    ValueError
        If an option is out of range.

    References
    ----------
    Liu, Jiang, He, Chen, Liu, Gao, Han: On the variance of the adaptive learning rate and beyond,
    ICLR 2020. PyTorch's ``optim.RAdam``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.RAdam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.8000, -1.6000], requires_grad=True)
    """

    _later_options = {
        **RuleOptimizer._later_options,
        "decoupled_weight_decay": False,
        "capturable": False,
    }

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
    ):
        super().__init__(
            params,
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            maximize=maximize,
            foreach=foreach,
            capturable=capturable,
            decoupled_weight_decay=decoupled_weight_decay,
            differentiable=differentiable,
        )

    def _rule(self, group):
        (beta1, beta2), lr, eps = group["betas"], _to_scalar(group["lr"]), group["eps"]
        rho_inf = 2 / (1 - beta2) - 1  # the limit of the averaging length

        def rule(p, grad, state):
            step = state["step"].item()
            grad = decayed(p, grad, group, lr)
            mean, square = state["exp_avg"], state["exp_avg_sq"]
            mean.lerp_(grad, 1 - beta1)
            square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
            update = mean / (1 - beta1**step) * lr
            correction = 1 - beta2**step
            rho = rho_inf - 2 * step * beta2**step / correction
            if rho > 5.0:
                rectification = (rho - 4) * (rho - 2) * rho_inf
                rectification /= (rho_inf - 4) * (rho_inf - 2) * rho
                update = update * (correction**0.5 / (square.sqrt() + eps)) * rectification**0.5
            p.add_(update, alpha=-1.0)

        return rule


def radam(
    params,
    grads,
    exp_avgs,
    exp_avg_sqs,
    state_steps,
    decoupled_weight_decay=False,
    foreach=None,
    differentiable=False,
    capturable=False,
    has_complex=False,
    maximize=False,
    *,
    beta1,
    beta2,
    lr,
    weight_decay,
    eps,
):
    """Run one step of `RAdam`, with gradients and states given as lists."""
    group = {"lr": lr, "betas": (beta1, beta2), "eps": eps, "weight_decay": weight_decay}
    group |= {"decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize}
    group |= {"differentiable": differentiable, "capturable": capturable}
    states = {"exp_avg": exp_avgs, "exp_avg_sq": exp_avg_sqs, "step": state_steps}
    change_once(RAdam, params, grads, group, **states)


_single_tensor_radam, _multi_tensor_radam = ways(radam)
