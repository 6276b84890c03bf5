"""The base class of Adam's variants: four options with their checks, and two running means."""

from minitorch.autograd.functions.creation import zeros_like
from minitorch.optim._rule import (
    RuleOptimizer,
    check_betas,
    check_lr,
    check_not_negative,
    count,
)


class AdamFamily(RuleOptimizer):
    """An optimizer with the options `lr`, `betas`, `eps` and `weight_decay` of `Adam`."""

    _later_options = {**RuleOptimizer._later_options, "capturable": False}

    def __init__(self, params, **options):
        check_lr(options["lr"])
        check_not_negative("Invalid epsilon value", options["eps"])
        check_betas(options["betas"])
        for name in ("weight_decay", "momentum_decay"):
            if name in options:
                check_not_negative(f"Invalid {name} value", options[name])
        super().__init__(params, options)

    def _initial_state(self, p, group):
        return {"step": count(), "exp_avg": zeros_like(p), "exp_avg_sq": zeros_like(p)}


def decayed(p, grad, group, lr):
    """Return the gradient after weight decay.

    Coupled decay is added to the gradient. Decoupled decay scales the parameter in place instead.
    """
    weight_decay = group["weight_decay"]
    if weight_decay == 0:
        return grad
    if not group.get("decoupled_weight_decay"):
        return grad.add(p, alpha=weight_decay)
    p.mul_(1 - lr * weight_decay)
    return grad
