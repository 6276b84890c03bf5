"""What Adam's relatives share: four options and their checks, two running means."""

from minitorch.autograd.functions.creation import zeros_like
from minitorch.optim._rule import (
    RuleOptimizer,
    check_betas,
    check_lr,
    check_not_negative,
    count,
)


class AdamFamily(RuleOptimizer):
    """An optimizer with `lr`, `betas`, `eps` and `weight_decay`, of which `Adam` says what they are."""

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
    """The gradient with the decay of the weights added; or the parameter is decayed itself."""
    weight_decay = group["weight_decay"]
    if weight_decay == 0:
        return grad
    if not group.get("decoupled_weight_decay"):
        return grad.add(p, alpha=weight_decay)
    p.mul_(1 - lr * weight_decay)
    return grad
