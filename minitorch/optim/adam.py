"""Adam: steps by running means of the gradient and of its square."""

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import zeros_like
from minitorch.autograd.functions.fused_optim import _fused_adam_
from minitorch.optim._rule import (
    RuleOptimizer,
    are_numbers,
    change_once,
    check_betas,
    check_fused,
    check_lr,
    check_not_negative,
    count,
    ways,
)
from minitorch.optim.optimizer import _to_scalar

__all__ = ["Adam", "adam"]


class Adam(RuleOptimizer):
    """Divide the running mean of the gradient by the root of the running mean of its square.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr : float or Tensor
        The learning rate.
    betas : (float, float) or (Tensor, Tensor)
        The decay rates of the two running means.
    eps : float
        Added to the denominator.
    weight_decay : float
        Added to the gradient, times the parameter.
    amsgrad : bool
        Divide by the root of the largest running mean of squares so far.
    foreach, fused : bool, optional
        Accepted for compatibility; parameters are updated in one fused pass whenever possible.
    maximize : bool
        Maximize the objective instead of minimizing it.
    capturable : bool
        For accelerator graphs; on the CPU, `step` raises RuntimeError if it is set.
    differentiable : bool
        Record the step, so that gradients flow through it.
    decoupled_weight_decay : bool
        Apply weight decay to the parameter itself, as `AdamW` does.

    Raises
    ------
    ValueError
        If an option is out of range.

    References
    ----------
    Kingma, Ba: Adam: A method for stochastic optimization, ICLR 2015. Reddi, Kale, Kumar: On the
    convergence of Adam and beyond, ICLR 2018 (`amsgrad`). PyTorch's ``optim.Adam``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    _later_options = {
        "amsgrad": False,
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "fused": None,
    }

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
        if isinstance(lr, Tensor) and foreach and not capturable:
            raise ValueError(
                "lr as a Tensor is not supported for capturable=False and foreach=True"
            )
        check_lr(lr)
        check_not_negative("Invalid epsilon value", eps)
        check_betas(betas)
        check_not_negative("Invalid weight_decay value", weight_decay)
        kinds = [Tensor if isinstance(beta, Tensor) else type(beta) for beta in betas[:2]]
        if kinds[0] is not kinds[1] or not issubclass(kinds[0], float | Tensor):
            raise ValueError("betas must be either both floats or both Tensors")
        for k, beta in enumerate(betas[:2]):
            if isinstance(beta, Tensor):
                if foreach and not capturable:
                    raise ValueError(
                        f"betas[{k}] as a Tensor is not supported for capturable=False and "
                        "foreach=True"
                    )
                if beta.numel() != 1:
                    raise ValueError(f"Tensor betas[{k}] must be 1-element")
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": tuple(map(_to_scalar, betas)),
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
        check_fused(fused, foreach, differentiable)
        if fused:
            self._step_supports_amp_scaling = True

    def _initial_state(self, p, group):
        if isinstance(group["lr"], Tensor) and group["foreach"] and not group["capturable"]:
            raise RuntimeError(
                "lr as a Tensor is not supported for capturable=False and foreach=True"
            )
        state = {
            "step": count(fused=group["fused"]),
            "exp_avg": zeros_like(p),
            "exp_avg_sq": zeros_like(p),
        }
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = zeros_like(p)
        return state

    def _check_sparse(self, group):
        raise RuntimeError(
            "Adam does not support sparse gradients, please consider SparseAdam instead"
        )

    def _fused(self, group, work):
        numbers = group["lr"], *group["betas"], group["eps"], group["weight_decay"]
        if group["differentiable"] or not are_numbers(*numbers):
            return work
        decoupled = group["decoupled_weight_decay"]
        return _fused_adam_(work, *numbers, group["amsgrad"], group["maximize"], decoupled)

    def _rule(self, group):
        beta1, beta2 = (_to_scalar(beta) for beta in group["betas"])
        lr, eps, weight_decay = _to_scalar(group["lr"]), group["eps"], group["weight_decay"]
        amsgrad, differentiable = group["amsgrad"], group["differentiable"]
        decoupled = group["decoupled_weight_decay"]

        def rule(p, grad, state):
            if weight_decay != 0:
                if decoupled:
                    p.mul_(1 - lr * weight_decay)
                elif isinstance(weight_decay, Tensor) and weight_decay.requires_grad:
                    grad = grad.addcmul(p.clone(), weight_decay)
                else:
                    grad = grad.add(p, alpha=weight_decay)
            mean, square = state["exp_avg"], state["exp_avg_sq"]
            mean.lerp_(grad, _weight(beta1, p))
            if isinstance(beta2, Tensor) and beta2.requires_grad:
                square.lerp_(grad.square(), _weight(beta2, p))
            else:
                square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
            if differentiable:
                if amsgrad:
                    largest = state["max_exp_avg_sq"]
                    square = largest.copy_(_ops.maximum(largest.clone(), square))
                # a later step writes into these tensors, so autograd must save copies
                step, mean = state["step"].clone(), mean.clone()
                size = lr / (1 - beta1**step)
                root = (1 - beta2**step).sqrt()
                p.addcdiv_(mean, square.sqrt() / (root * -size) - eps / size)
                return
            step = state["step"].item()
            size = lr / (1 - beta1**step)
            root = (1 - beta2**step) ** 0.5
            if amsgrad:
                square = _ops.maximum(state["max_exp_avg_sq"], square, out=state["max_exp_avg_sq"])
            p.addcdiv_(mean, (square.sqrt() / root).add_(eps), value=-size)

        return rule


def _weight(beta, p):
    """Return the weight of the new value in a running mean, in the dtype of the parameter."""
    return (1 - beta).to(p.dtype) if isinstance(beta, Tensor) else 1 - beta


def adam(
    params,
    grads,
    exp_avgs,
    exp_avg_sqs,
    max_exp_avg_sqs,
    state_steps,
    foreach=None,
    capturable=False,
    differentiable=False,
    fused=None,
    grad_scale=None,
    found_inf=None,
    has_complex=False,
    decoupled_weight_decay=False,
    *,
    amsgrad,
    beta1,
    beta2,
    lr,
    weight_decay,
    eps,
    maximize,
):
    """Run one step of `Adam`, with gradients and states given as lists."""
    group = {"lr": lr, "betas": (beta1, beta2), "eps": eps, "weight_decay": weight_decay}
    group |= {"amsgrad": amsgrad, "maximize": maximize, "capturable": capturable, "fused": fused}
    group |= {"differentiable": differentiable, "decoupled_weight_decay": decoupled_weight_decay}
    states = {"exp_avg": exp_avgs, "exp_avg_sq": exp_avg_sqs, "step": state_steps}
    if amsgrad:
        states["max_exp_avg_sq"] = max_exp_avg_sqs
    change_once(Adam, params, grads, group, grad_scale, found_inf, **states)


_single_tensor_adam, _multi_tensor_adam, _fused_adam = ways(adam, "Adam")
