"""Muon: momentum orthogonalized approximately.

The iteration runs in bfloat16, as in PyTorch.
"""

import math

from minitorch.autograd.functions.creation import zeros_like
from minitorch.optim._rule import RuleOptimizer, check_lr, check_not_negative
from minitorch.optim.optimizer import _to_scalar

__all__ = ["Muon"]


class Muon(RuleOptimizer):
    """Step along the orthogonal matrix nearest to the momentum, found by Newton-Schulz iteration.

    Parameters
    ----------
    params : iterable
        Matrices or groups of them.
    lr : float or Tensor
        The learning rate.
    weight_decay : float
        The parameter is decayed by ``lr * weight_decay`` at each step.
    momentum : float
        The decay rate of the running mean of gradients.
    nesterov : bool
        Use the average of the gradient and the momentum.
    ns_coefficients : (float, float, float)
        ``a, b, c`` of one iteration, ``a X + b (X X^T) X + c (X X^T)^2 X``.
    eps : float
        The lower bound of the norm in the normalization.
    ns_steps : int
        The number of iterations, less than 100.
    adjust_lr_fn : "original" or "match_rms_adamw", optional
        How the learning rate is scaled for a matrix with A rows and B columns: by ``sqrt(max(1, A /
        B))``, the default, or by ``0.2 * sqrt(max(A, B))``.

    Raises
    ------
    ValueError
        If an option is out of its range, or a parameter is not a matrix.

    References
    ----------
    Jordan et al.: Muon: An optimizer for hidden layers in neural networks, 2024. Liu et al.: Muon
    is scalable for LLM training, arXiv:2502.16982, 2025. PyTorch's ``optim.Muon``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.ones(3, 2, requires_grad=True)
    >>> optimizer = torch.optim.Muon([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> bool((w < 1).all())
    True
    """

    _later_options = {}
    _counts = ()

    def __init__(
        self,
        params,
        lr=1e-3,
        weight_decay=0.1,
        momentum=0.95,
        nesterov=True,
        ns_coefficients=(3.4445, -4.775, 2.0315),
        eps=1e-7,
        ns_steps=5,
        adjust_lr_fn=None,
    ):
        check_lr(lr, "Learning rate should be >= 0 but is")
        check_not_negative("momentum should be >= 0 but is", momentum)
        check_not_negative("weight decay should be >= 0 but is", weight_decay)
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(
            params,
            {
                "lr": lr,
                "weight_decay": weight_decay,
                "momentum": momentum,
                "nesterov": nesterov,
                "ns_coefficients": ns_coefficients,
                "eps": eps,
                "ns_steps": ns_steps,
                "adjust_lr_fn": adjust_lr_fn,
            },
        )
        for group in self.param_groups:
            for p in group["params"]:
                if p.ndim != 2:
                    raise ValueError(
                        "Muon only supports 2D parameters whereas we found a parameter with "
                        f"size: {p.size()}"
                    )

    def _state_of(self, p, group):
        if p.is_complex():
            raise RuntimeError("Muon does not support complex parameters")
        state = self.state[p]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = zeros_like(p.grad)
        return state

    def _rule(self, group):
        lr, momentum, nesterov = _to_scalar(group["lr"]), group["momentum"], group["nesterov"]
        weight_decay, scale = group["weight_decay"], group["adjust_lr_fn"]

        def rule(p, grad, state):
            mean = state["momentum_buffer"].lerp_(grad, 1 - momentum)
            update = grad.lerp(mean, momentum) if nesterov else mean
            update = _orthogonal(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
            rows, columns = p.shape
            if scale == "match_rms_adamw":
                rate = lr * (0.2 * math.sqrt(max(rows, columns)))
            else:
                rate = lr * math.sqrt(max(1, rows / columns))
            p.mul_(1 - lr * weight_decay)
            p.add_(update, alpha=-rate)

        return rule


def _orthogonal(matrix, coefficients, steps, eps):
    """Return approximately the nearest orthogonal matrix, with singular values near one."""
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if matrix.dim() != 2:
        raise ValueError("Input tensor gradient must be a 2D matrix")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    tall = matrix.size(0) > matrix.size(1)
    x = matrix.bfloat16()
    x = x.T if tall else x
    x.div_(x.norm().clamp(min=eps))
    for _ in range(steps):
        gram = x @ x.T
        update = gram.addmm(gram, gram, beta=b, alpha=c)
        x = x.addmm(update, x, beta=a)
    return x.T if tall else x
