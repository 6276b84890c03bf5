"""Adam, and AdamW, which decays weights apart from the gradient."""

import math

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import zeros_like
from minitorch.autograd.functions.from_data import tensor
from minitorch.optim.optimizer import Optimizer


class Adam(Optimizer):
    """Steps by running means of the gradient and of its square (Kingma and Ba 2015).

    Parameters
    ----------
    params : iterable
        Parameters or groups of them.
    lr : float
        The learning rate.
    betas : (float, float)
        How much of the two means is kept at each step.
    eps : float
        Added to the denominator.
    weight_decay : float
        Added to the gradient, times the parameter.
    amsgrad : bool
        Divide by the largest mean of squares so far (Reddi et al. 2018).
    decoupled_weight_decay : bool
        Decay the parameter itself (Loshchilov and Hutter 2019).
    """

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        amsgrad=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
        fused=None,
        decoupled_weight_decay=False,
    ):
        if not lr >= 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not eps >= 0.0:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for k in range(2):
            if not 0.0 <= betas[k] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {k}: {betas[k]}")
        if not weight_decay >= 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "amsgrad": amsgrad,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "differentiable": differentiable,
                "fused": fused,
                "decoupled_weight_decay": decoupled_weight_decay,
            },
        )

    def _update(self, group):
        beta1, beta2 = group["betas"]
        lr, weight_decay = group["lr"], group["weight_decay"]
        for p in group["params"]:
            grad = p.grad
            if grad is None:
                continue
            state = self.state[p]
            if not state:
                state["step"] = tensor(0.0)
                state["exp_avg"] = zeros_like(p)
                state["exp_avg_sq"] = zeros_like(p)
                if group["amsgrad"]:
                    state["max_exp_avg_sq"] = zeros_like(p)
            if group["maximize"]:
                grad = -grad
            state["step"].add_(1)
            step = state["step"].item()
            if weight_decay != 0:
                if group["decoupled_weight_decay"]:
                    p.mul_(1 - lr * weight_decay)
                else:
                    grad = grad.add(p, alpha=weight_decay)
            mean, square = state["exp_avg"], state["exp_avg_sq"]
            mean.lerp_(grad, 1 - beta1)
            square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
            size = -lr / (1 - beta1**step)
            root = math.sqrt(1 - beta2**step)
            if group["amsgrad"]:
                largest = state["max_exp_avg_sq"]
                largest.copy_(_ops.maximum(largest, square))
                square = largest
            p.addcdiv_(mean, (square.sqrt() / root).add_(group["eps"]), value=size)


class AdamW(Adam):
    """Adam that decays the parameters themselves (Loshchilov and Hutter 2019)."""

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=1e-2,
        amsgrad=False,
        *,
        maximize=False,
        foreach=None,
        capturable=False,
        differentiable=False,
        fused=None,
    ):
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )
