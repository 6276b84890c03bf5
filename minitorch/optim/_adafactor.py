"""Adafactor: second moments of a matrix factored into one row and one column."""

from minitorch.autograd.functions.creation import zeros_like
from minitorch.optim._rule import RuleOptimizer, check_lr, check_not_negative, count
from minitorch.optim.optimizer import _to_scalar
from minitorch.tensors.type_info import finfo

__all__ = ["Adafactor"]


class Adafactor(RuleOptimizer):
    """Scale the gradient by the root of a factored second moment, which takes little memory.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups. Complex parameters are not supported.
    lr : float or Tensor
        The upper bound of the learning rate, which is ``min(lr, 1 / sqrt(t))`` times the scale of
        the parameter at step ``t``.
    beta2_decay : float
        At step ``t`` the new squared gradient enters the running mean with the weight ``t **
        beta2_decay``.
    eps : (float or None, float)
        The lower bounds of the second moment (by default the machine epsilon of the dtype) and of
        the parameter scale.
    d : float
        The root mean square above which an update is scaled down.
    weight_decay : float
        The parameter is decayed by ``lr * weight_decay`` at each step.
    foreach : bool, optional
        Accepted for compatibility; there is only one implementation.
    maximize : bool
        Maximize the objective instead of minimizing it.

    Raises
    ------
    ValueError
        If an option is out of range.

    References
    ----------
    Shazeer, Stern: Adafactor: Adaptive learning rates with sublinear memory cost, ICML 2018.
    PyTorch's ``optim.Adafactor``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.ones(3, 2, requires_grad=True)
    >>> optimizer = torch.optim.Adafactor([w])
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> [tuple(optimizer.state[w][name].shape) for name in ("row_var", "col_var")]
    [(3, 1), (1, 2)]
    """

    _later_options = {"foreach": None}

    def __init__(
        self,
        params,
        lr=1e-2,
        beta2_decay=-0.8,
        eps=(None, 1e-3),
        d=1.0,
        weight_decay=0.0,
        *,
        foreach=None,
        maximize=False,
    ):
        check_lr(lr, "Learning rate should be >= 0 but is")
        if not beta2_decay <= 0.0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None:
            check_not_negative("epsilon1 should be >= 0 but is", eps[0])
        check_not_negative("epsilon2 should be >= 0 but is", eps[1])
        if not d >= 1.0:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        check_not_negative("weight_decay should be >= 0 but is", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "beta2_decay": beta2_decay,
                "eps": eps,
                "d": d,
                "weight_decay": weight_decay,
                "foreach": foreach,
                "maximize": maximize,
            },
        )

    def _state_of(self, p, group):
        if p.is_complex():
            raise RuntimeError("Adafactor does not support complex parameters")
        return super()._state_of(p, group)

    def _initial_state(self, p, group):
        grad = p.grad
        if grad.dim() <= 1:
            return {"step": count(), "variance": zeros_like(grad)}
        *rest, rows, columns = grad.shape
        return {
            "step": count(),
            "row_var": grad.new_zeros([*rest, rows, 1]),
            "col_var": grad.new_zeros([*rest, 1, columns]),
        }

    def _rule(self, group):
        lr, beta2_decay, d = _to_scalar(group["lr"]), group["beta2_decay"], group["d"]
        weight_decay, (eps1, eps2) = group["weight_decay"], group["eps"]

        def rule(p, grad, state):
            nonlocal eps1
            if eps1 is None:
                eps1 = finfo(p.dtype).eps
            step = state["step"].item()
            new = step**beta2_decay
            size = p.norm(2).item() / p.numel() ** 0.5
            rate = max(eps2, size) * min(lr, 1 / step**0.5)
            if weight_decay != 0:
                p.mul_(1 - lr * weight_decay)
            if grad.dim() > 1:
                row, column = state["row_var"], state["col_var"]
                row.lerp_(_mean_square(grad, -1), new)
                column.lerp_(_mean_square(grad, -2), new)
                square = row @ column
                square.div_(row.mean(dim=-2, keepdim=True).clamp_(min=eps1))
            else:
                square = state["variance"].lerp_(grad * grad, new).clone()
            update = square.clamp_(min=eps1 * eps1).rsqrt_().mul_(grad)
            clip = max(1.0, update.norm(2).item() / (update.numel() ** 0.5 * d))
            p.add_(update, alpha=-rate / clip)

        return rule


def _mean_square(grad, dim):
    return grad.norm(dim=dim, keepdim=True).square_().div_(grad.size(dim))
