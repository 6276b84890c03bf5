"""Adagrad: learning rates that decrease with the sum of squared gradients."""

from minitorch._sparse.coo import like
from minitorch.autograd.functions.creation import full_like
from minitorch.optim._rule import (
    RuleOptimizer,
    change_once,
    check_fused,
    check_lr,
    check_not_negative,
    count,
    ways,
)
from minitorch.optim.optimizer import _to_scalar

__all__ = ["Adagrad", "adagrad"]


class Adagrad(RuleOptimizer):
    """Divide the gradient by the root of the sum of all squared gradients.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr : float or Tensor
        The learning rate.
    lr_decay : float
        At step ``t`` the rate is ``lr / (1 + (t - 1) * lr_decay)``.
    weight_decay : float
        Added to the gradient, times the parameter.
    initial_accumulator_value : float
        The initial value of the sum of squares.
    eps : float
        Added to the denominator.
    foreach, fused : bool, optional
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
    Duchi, Hazan, Singer: Adaptive subgradient methods for online learning and stochastic
    optimization, JMLR 12, 2011. PyTorch's ``optim.Adagrad``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adagrad([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    _foreach_rejects = "always"
    _later_options = {**RuleOptimizer._later_options, "fused": None}

    def __init__(
        self,
        params,
        lr=1e-2,
        lr_decay=0,
        weight_decay=0,
        initial_accumulator_value=0,
        eps=1e-10,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        fused=None,
    ):
        check_lr(lr)
        check_not_negative("Invalid lr_decay value", lr_decay)
        check_not_negative("Invalid weight_decay value", weight_decay)
        check_not_negative("Invalid initial_accumulator_value value", initial_accumulator_value)
        check_not_negative("Invalid epsilon value", eps)
        super().__init__(
            params,
            {
                "lr": lr,
                "lr_decay": lr_decay,
                "eps": eps,
                "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "fused": fused,
            },
        )
        check_fused(fused, foreach, differentiable)
        if fused:
            self._step_supports_amp_scaling = True
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p].update(self._initial_state(p, group))

    def share_memory(self):
        """Move the sums of squares into shared memory."""
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["sum"].share_memory_()

    def _initial_state(self, p, group):
        value = self.defaults["initial_accumulator_value"]
        if p.is_complex():
            value = complex(value, value)
        return {"step": count(fused=group["fused"]), "sum": full_like(p, value)}

    def _check_sparse(self, group):
        if group["fused"]:
            raise RuntimeError("`fused` does not support sparse grad or complex param")

    def _rule(self, group):
        lr, lr_decay, eps = _to_scalar(group["lr"]), group["lr_decay"], group["eps"]
        weight_decay = group["weight_decay"]

        def rule(p, grad, state):
            rate = lr / (1 + (state["step"].item() - 1) * lr_decay)
            if weight_decay != 0:
                if grad.is_sparse:
                    raise RuntimeError(
                        "weight_decay option is not compatible with sparse gradients"
                    )
                grad = grad.add(p, alpha=weight_decay)
            if grad.is_sparse:
                _sparse_step(p, grad.coalesce(), state["sum"], rate, eps)
                return
            total = state["sum"].addcmul_(grad, grad, value=1)
            root = total.sqrt()
            root = root.add(eps) if group["differentiable"] else root.add_(eps)
            p.addcdiv_(grad, root, value=-rate)

        return rule


def _sparse_step(p, grad, total, rate, eps):
    """Apply the rule to the elements of a coalesced sparse gradient."""
    values = grad._values()
    total.add_(like(grad, values.pow(2)))
    root = total.sparse_mask(grad)._values().sqrt().add_(eps)
    p.add_(like(grad, values / root), alpha=-rate)


def adagrad(
    params,
    grads,
    state_sums,
    state_steps,
    fused=None,
    grad_scale=None,
    found_inf=None,
    has_sparse_grad=False,
    foreach=None,
    differentiable=False,
    has_complex=False,
    *,
    lr,
    weight_decay,
    lr_decay,
    eps,
    maximize,
):
    """Run one step of `Adagrad`, with gradients and states given as lists."""
    group = {"lr": lr, "weight_decay": weight_decay, "lr_decay": lr_decay, "eps": eps}
    group |= {"maximize": maximize, "differentiable": differentiable, "fused": fused}
    states = {"sum": state_sums, "step": state_steps}
    change_once(Adagrad, params, grads, group, grad_scale, found_inf, **states)


_single_tensor_adagrad, _multi_tensor_adagrad, _fused_adagrad = ways(adagrad, "Adagrad")
