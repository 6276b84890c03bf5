"""Rprop: steps by the sign of the gradient only."""

from minitorch.autograd.functions.creation import full_like, zeros_like
from minitorch.optim._rule import RuleOptimizer, change_once, check_lr, ways, zero
from minitorch.optim.optimizer import _to_scalar

__all__ = ["Rprop", "rprop"]


class Rprop(RuleOptimizer):
    """Resilient backpropagation: the step size of each element grows while the sign is unchanged.

    Parameters
    ----------
    params : iterable
        Parameters or parameter groups.
    lr : float or Tensor
        The initial step size.
    etas : (float, float)
        The factors of the step size if the sign changes and if it does not.
    step_sizes : (float, float)
        The smallest and the largest step size.
    capturable : bool
        For accelerator graphs; on the CPU, `step` raises RuntimeError if it is set.
    foreach : bool, optional
        Accepted for compatibility; there is only one implementation.
    maximize : bool
        Maximize the objective instead of minimizing it.
    differentiable : bool
        Record the step, so that gradients flow through it.

    Raises
    ------
    ValueError
        If an option is out of range.

    Notes
    -----
    An element whose sign has changed is not updated. The method is meant for full-batch gradients.

    References
    ----------
    Riedmiller, Braun: A direct adaptive method for faster backpropagation learning: the RPROP
    algorithm, ICNN 1993. PyTorch's ``optim.Rprop``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Rprop([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    _lists_on_xla = True
    _later_options = {**RuleOptimizer._later_options, "capturable": False}

    def __init__(
        self,
        params,
        lr=1e-2,
        etas=(0.5, 1.2),
        step_sizes=(1e-6, 50),
        *,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        check_lr(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(
            params,
            {
                "lr": lr,
                "etas": etas,
                "step_sizes": step_sizes,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    def _initial_state(self, p, group):
        lr = _to_scalar(group["lr"])
        lr = complex(lr, lr) if p.is_complex() else float(lr)
        return {"step": zero(), "prev": zeros_like(p), "step_size": full_like(p.grad, lr)}

    def _rule(self, group):
        shrink, grow = group["etas"]
        smallest, largest = group["step_sizes"]

        def rule(p, grad, state):
            previous, size = state["prev"], state["step_size"]
            # the sign of NaN is neither, so NaN stays in the step size
            factor = grad.mul(previous.clone() if group["differentiable"] else previous).sign()
            factor[factor.gt(0)] = grow
            factor[factor.lt(0)] = shrink
            factor[factor.eq(0)] = 1
            size.mul_(factor).clamp_(smallest, largest)
            grad = grad.clone()
            grad[factor.eq(shrink)] = 0
            # the next step modifies the step sizes in place, so autograd must save a copy
            p.addcmul_(grad.sign(), size.clone() if group["differentiable"] else size, value=-1)
            previous.copy_(grad)

        return rule


def rprop(
    params,
    grads,
    prevs,
    step_sizes,
    state_steps,
    foreach=None,
    capturable=False,
    maximize=False,
    differentiable=False,
    has_complex=False,
    *,
    step_size_min,
    step_size_max,
    etaminus,
    etaplus,
):
    """Run one step of `Rprop`, with gradients and states given as lists."""
    group = {"etas": (etaminus, etaplus), "step_sizes": (step_size_min, step_size_max)}
    group |= {"maximize": maximize, "differentiable": differentiable, "capturable": capturable}
    states = {"prev": prevs, "step_size": step_sizes, "step": state_steps}
    change_once(Rprop, params, grads, group, **states)


_single_tensor_rprop, _multi_tensor_rprop = ways(rprop)
