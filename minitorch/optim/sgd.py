"""Stochastic gradient descent."""

from minitorch.optim.optimizer import Optimizer


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum (Sutskever et al. 2013) if wanted.

    Parameters
    ----------
    params : iterable
        Parameters or groups of them.
    lr : float
        The learning rate.
    momentum, dampening : float
        ``velocity = momentum * velocity + (1 - dampening) * grad``.
    weight_decay : float
        Added to the gradient, times the parameter.
    nesterov : bool
        Step along ``grad + momentum * velocity``.
    maximize : bool
        Go up instead of down.
    """

    def __init__(
        self,
        params,
        lr=1e-3,
        momentum=0,
        dampening=0,
        weight_decay=0,
        nesterov=False,
        *,
        maximize=False,
        foreach=None,
        differentiable=False,
        fused=None,
    ):
        if lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "dampening": dampening,
                "weight_decay": weight_decay,
                "nesterov": nesterov,
                "maximize": maximize,
                "foreach": foreach,
                "differentiable": differentiable,
                "fused": fused,
            },
        )

    def _update(self, group):
        momentum, weight_decay = group["momentum"], group["weight_decay"]
        for p in group["params"]:
            grad = p.grad
            if grad is None:
                continue
            if group["maximize"]:
                grad = -grad
            if weight_decay != 0:
                grad = grad.add(p, alpha=weight_decay)
            if momentum != 0:
                state = self.state[p]
                velocity = state.get("momentum_buffer")
                if velocity is None:
                    velocity = state["momentum_buffer"] = grad.detach().clone()
                else:
                    velocity.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
                grad = grad.add(velocity, alpha=momentum) if group["nesterov"] else velocity
            p.add_(grad, alpha=-group["lr"])
