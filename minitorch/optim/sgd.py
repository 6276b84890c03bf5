"""Stochastic gradient descent."""

from minitorch._tensor import Tensor
from minitorch.autograd.functions.fused_optim import _fused_sgd_
from minitorch.optim._rule import (
    RuleOptimizer,
    are_numbers,
    change_once,
    check_fused,
    check_lr,
    ways,
)
from minitorch.optim.optimizer import _to_scalar

__all__ = ["SGD", "sgd"]


class SGD(RuleOptimizer):
    """Stochastic gradient descent, optionally with momentum.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr : float or Tensor
        The learning rate.
    momentum, dampening : float
        ``velocity = momentum * velocity + (1 - dampening) * grad``; the first is ``grad``.
    weight_decay : float or Tensor
        Added to the gradient, times the parameter.
    nesterov : bool
        Step along ``grad + momentum * velocity``.
    maximize : bool
        Maximize the objective instead of minimizing it.
    foreach, fused : bool, optional
        Accepted for compatibility; parameters are updated in one fused pass whenever possible.
    differentiable : bool
        Record the step, so that gradients flow through it.

    Raises
    ------
    ValueError
        If an option is negative, or `nesterov` comes without momentum or with dampening.

    References
    ----------
    Sutskever, Martens, Dahl, Hinton: On the importance of initialization and momentum in deep
    learning, ICML 2013. The velocity is not scaled by the rate, as in PyTorch's ``optim.SGD``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000, 1.6000], requires_grad=True)
    """

    _foreach_rejects = None
    _later_options = {
        "nesterov": False,
        "maximize": False,
        "foreach": None,
        "differentiable": False,
        "fused": False,
    }
    _counts = ()
    _complex_as_real = False

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
        if isinstance(lr, Tensor):
            check_lr(lr)
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
        check_fused(fused, foreach, differentiable)
        if fused:
            self._step_supports_amp_scaling = True

    def _state_of(self, p, group):
        return self.state[p] if group["momentum"] != 0 else None

    def _check_sparse(self, group):
        if group["fused"]:
            raise RuntimeError("`_fused_sgd` does not support sparse gradients")

    def _fused(self, group, work):
        numbers = group["lr"], group["momentum"], group["dampening"], group["weight_decay"]
        if group["differentiable"] or not are_numbers(*numbers):
            return work
        return _fused_sgd_(work, *numbers, group["nesterov"], group["maximize"])

    def _rule(self, group):
        momentum, weight_decay, nesterov = (
            group["momentum"],
            group["weight_decay"],
            group["nesterov"],
        )
        lr, kept = _to_scalar(group["lr"]), 1 - group["dampening"]

        def rule(p, grad, state):
            if weight_decay != 0:
                if isinstance(weight_decay, Tensor) and weight_decay.requires_grad:
                    grad = grad.addcmul(p.clone(), weight_decay)
                else:
                    grad = grad.add(p, alpha=weight_decay)
            if momentum != 0:
                velocity = state.get("momentum_buffer")
                if velocity is None:
                    velocity = state["momentum_buffer"] = grad.detach().clone()
                else:
                    velocity.mul_(momentum).add_(grad, alpha=kept)
                grad = grad.add(velocity, alpha=momentum) if nesterov else velocity
            if isinstance(lr, Tensor) and lr.requires_grad:
                p.addcmul_(grad, lr, value=-1)
            else:
                p.add_(grad, alpha=-lr)

        return rule


def sgd(
    params,
    d_p_list,
    momentum_buffer_list,
    has_sparse_grad=False,
    foreach=None,
    fused=None,
    grad_scale=None,
    found_inf=None,
    *,
    weight_decay,
    momentum,
    lr,
    dampening,
    nesterov,
    maximize,
):
    """Run one step of `SGD`, with gradients and states given as lists.

    Examples
    --------
    >>> import minitorch as torch
    >>> w, buffers = torch.ones(2), [None]
    >>> options = {"weight_decay": 0, "lr": 0.1, "dampening": 0, "nesterov": False}
    >>> torch.optim.sgd.sgd([w], [torch.ones(2)], buffers, momentum=0.9, maximize=False, **options)
    >>> w, buffers
    (tensor([0.9000, 0.9000]), [tensor([1., 1.])])
    """
    group = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
    group |= {"nesterov": nesterov, "maximize": maximize, "fused": fused, "differentiable": False}
    states = {"momentum_buffer": momentum_buffer_list} if momentum != 0 else {}
    after = change_once(SGD, params, d_p_list, group, grad_scale, found_inf, **states)
    if momentum != 0:
        # the buffers are made by the first step
        momentum_buffer_list[:] = [state.get("momentum_buffer") for state in after]


_single_tensor_sgd, _multi_tensor_sgd, _fused_sgd = ways(sgd, "SGD")
