"""NAdam: Adam with Nesterov's momentum."""

from minitorch.autograd.functions.creation import zeros_like
from minitorch.optim._adam_family import AdamFamily, decayed
from minitorch.optim._rule import change_once, count, ways
from minitorch.optim.optimizer import _to_scalar

__all__ = ["NAdam", "nadam"]


class NAdam(AdamFamily):
    """Adam with Nesterov momentum: each step applies the momentum of the next one.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr, betas, eps, weight_decay, decoupled_weight_decay, foreach, maximize, capturable, differentiable
        See `Adam`.
    momentum_decay : float
        At step ``t`` the momentum is ``betas[0] * (1 - 0.96 ** (t * momentum_decay) / 2)``.

    Raises
    ------
    ValueError
        If an option is out of range.

    References
    ----------
    Dozat: Incorporating Nesterov momentum into Adam, ICLR workshop 2016. PyTorch's
    ``optim.NAdam``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.NAdam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> float(w[0]) < 1.0 and float(w[1]) > -2.0
    True
    """

    _later_options = {**AdamFamily._later_options, "decoupled_weight_decay": False}
    _counts = ("step", "mu_product")
    _capturable_parts = "params, mu_products and state_steps"

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        momentum_decay=4e-3,
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
            momentum_decay=momentum_decay,
            decoupled_weight_decay=decoupled_weight_decay,
            maximize=maximize,
            foreach=foreach,
            capturable=capturable,
            differentiable=differentiable,
        )

    def _initial_state(self, p, group):
        return {
            "step": count(),
            "mu_product": count(1.0),
            "exp_avg": zeros_like(p),
            "exp_avg_sq": zeros_like(p),
        }

    def _rule(self, group):
        (beta1, beta2), lr, eps = group["betas"], _to_scalar(group["lr"]), group["eps"]
        momentum_decay, differentiable = group["momentum_decay"], group["differentiable"]

        def momentum(step):
            return beta1 * (1.0 - 0.5 * 0.96 ** (step * momentum_decay))

        def rule(p, grad, state):
            step = state["step"].item()
            grad = decayed(p, grad, group, lr)
            mean, square = state["exp_avg"], state["exp_avg_sq"]
            now, following = momentum(step), momentum(step + 1)
            state["mu_product"].mul_(now)
            mean.lerp_(grad, 1 - beta1)
            square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
            root = square.div(1 - beta2**step).sqrt()
            of_mean = -lr * following / (1.0 - state["mu_product"].item() * following)
            denominator = root.add(eps) if differentiable else root.add_(eps)
            of_grad = -lr * (1.0 - now) / (1.0 - state["mu_product"].item())
            if differentiable:
                p.addcdiv_(grad * of_grad, denominator)
                p.addcdiv_(mean * of_mean, denominator)
            else:
                p.addcdiv_(grad, denominator, value=of_grad)
                p.addcdiv_(mean, denominator, value=of_mean)

        return rule


def nadam(
    params,
    grads,
    exp_avgs,
    exp_avg_sqs,
    mu_products,
    state_steps,
    decoupled_weight_decay=False,
    foreach=None,
    capturable=False,
    differentiable=False,
    has_complex=False,
    maximize=False,
    *,
    beta1,
    beta2,
    lr,
    weight_decay,
    momentum_decay,
    eps,
):
    """Run one step of `NAdam`, with gradients and states given as lists."""
    group = {"lr": lr, "betas": (beta1, beta2), "eps": eps, "weight_decay": weight_decay}
    group |= {"momentum_decay": momentum_decay, "decoupled_weight_decay": decoupled_weight_decay}
    group |= {"maximize": maximize, "differentiable": differentiable, "capturable": capturable}
    states = {"exp_avg": exp_avgs, "exp_avg_sq": exp_avg_sqs, "mu_product": mu_products}
    change_once(NAdam, params, grads, group, **states, step=state_steps)


_single_tensor_nadam, _multi_tensor_nadam = ways(nadam)
