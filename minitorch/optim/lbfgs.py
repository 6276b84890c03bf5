"""L-BFGS: a quasi-Newton method that approximates the Hessian from the last gradient changes.

All parameters are treated as one vector. `_wolfe` contains the line search.
"""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import enable_grad, no_grad
from minitorch.optim._rule import check_lr
from minitorch.optim._wolfe import (
    _cubic_interpolate,  # noqa: F401 (names that packages import)
    _strong_wolfe,  # noqa: F401
    strong_wolfe,
)
from minitorch.optim.optimizer import Optimizer, _to_scalar

__all__ = ["LBFGS"]

_REMEMBERED = ("d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "prev_loss")


class LBFGS(Optimizer):
    """Limited-memory BFGS. One step runs up to `max_iter` iterations over the same data.

    Parameters
    ----------
    params : iterable
        Parameters in a single group.
    lr : float or Tensor
        The step length along the direction, or the first length of the line search.
    max_iter : int
        The maximum number of iterations per step.
    max_eval : int, optional
        The maximum number of evaluations per step; by default 1.25 times `max_iter`.
    tolerance_grad : float
        Stop when no element of the gradient exceeds it.
    tolerance_change : float
        Stop when the loss or the parameters change by less.
    history_size : int
        The number of gradient changes to keep.
    line_search_fn : "strong_wolfe", optional
        The line search; by default the step length is fixed.

    Raises
    ------
    ValueError
        If the learning rate is negative or there is more than one group.
    RuntimeError
        From `step`, if `line_search_fn` is unknown.

    References
    ----------
    Nocedal, Wright: Numerical optimization, second edition, algorithms 7.4 and 7.5 for the
    direction, 3.5 and 3.6 for the line search. PyTorch's ``optim.LBFGS``.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.LBFGS([w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = ((w - 3) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> optimizer.step(closure)
    tensor(29., grad_fn=<SumBackward0>)
    >>> torch.allclose(w, torch.tensor(3.0))
    True
    """

    def __init__(
        self,
        params,
        lr=1,
        max_iter=20,
        max_eval=None,
        tolerance_grad=1e-7,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    ):
        check_lr(lr)
        super().__init__(
            params,
            {
                "lr": lr,
                "max_iter": max_iter,
                "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
                "tolerance_grad": tolerance_grad,
                "tolerance_change": tolerance_change,
                "history_size": history_size,
                "line_search_fn": line_search_fn,
            },
        )
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]
        self._numel_cache = None

    def _flat_grad(self):
        """Return all gradients as one vector, with real and imaginary parts interleaved."""
        parts = []
        for p in self._params:
            grad = p.new_zeros([p.numel()]) if p.grad is None else p.grad.to_dense().reshape(-1)
            parts.append(_ops.view_as_real(grad).view(-1) if grad.is_complex() else grad)
        return _ops.cat(parts, 0)

    def _move(self, length, direction):
        """Add `length` times the direction to the parameters, in place."""
        start = 0
        for p in self._params:
            real = _ops.view_as_real(p) if p.is_complex() else p
            stop = start + real.numel()
            real.add_(direction[start:stop].view_as(real), alpha=length)
            start = stop

    @no_grad()
    def step(self, closure):
        """Update the parameters in up to `max_iter` iterations.

        Parameters
        ----------
        closure : callable
            A function that computes the loss and its gradients. It is called several times.

        Returns
        -------
        Tensor
            The loss of the first evaluation.
        """
        closure = enable_grad()(closure)
        group = self.param_groups[0]
        lr, state = _to_scalar(group["lr"]), self.state[self._params[0]]
        max_iter, max_eval = group["max_iter"], group["max_eval"]
        tolerance_grad, tolerance_change = group["tolerance_grad"], group["tolerance_change"]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        loss, evaluations = float(first_loss), 1
        state["func_evals"] += 1
        grad = self._flat_grad()
        if grad.abs().max() <= tolerance_grad:
            return first_loss
        memory = {name: state.get(name) for name in _REMEMBERED}
        for iteration in range(1, max_iter + 1):
            state["n_iter"] += 1
            first = state["n_iter"] == 1
            direction = self._direction(memory, grad, first, group["history_size"])
            if memory["prev_flat_grad"] is None:
                memory["prev_flat_grad"] = grad.clone()
            else:
                memory["prev_flat_grad"].copy_(grad)
            memory["prev_loss"] = previous_loss = loss
            length = min(1.0, 1.0 / grad.abs().sum()) * lr if first else lr
            memory["t"] = length
            slope = grad.dot(direction)
            if slope > -tolerance_change:
                break
            spent, flat = 0, False
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                loss, grad, length, spent = strong_wolfe(
                    self._evaluator(closure, direction),
                    length,
                    direction,
                    (loss, grad, slope),
                    max_ls=max_eval - evaluations,
                )
                memory["t"] = length
                self._move(length, direction)
                flat = grad.abs().max() <= tolerance_grad
            else:
                self._move(length, direction)
                if iteration != max_iter:
                    loss, spent = float(closure()), 1
                    grad = self._flat_grad()
                    flat = grad.abs().max() <= tolerance_grad
            evaluations += spent
            state["func_evals"] += spent
            if (
                iteration == max_iter
                or evaluations >= max_eval
                or flat
                or direction.mul(length).abs().max() <= tolerance_change
                or abs(loss - previous_loss) < tolerance_change
            ):
                break
        if "al" in memory:
            state["al"] = memory.pop("al")
        state.update(memory)
        return first_loss

    def _evaluator(self, closure, direction):
        """Return a function from length to loss and gradient, which restores the parameters."""
        here = [p.clone() for p in self._params]

        def evaluate(length):
            self._move(length, direction)
            loss = float(closure())
            grad = self._flat_grad()
            for p, value in zip(self._params, here, strict=True):
                p.copy_(value)
            return loss, grad

        return evaluate

    def _direction(self, memory, grad, first, history_size):
        """Return the search direction, computed by the two-loop recursion."""
        if first:
            memory.update(d=grad.neg(), old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return memory["d"]
        changes, steps, inverses = memory["old_dirs"], memory["old_stps"], memory["ro"]
        change, step = grad.sub(memory["prev_flat_grad"]), memory["d"].mul(memory["t"])
        curvature = change.dot(step)
        if curvature > 1e-10:
            if len(changes) == history_size:
                for history in (changes, steps, inverses):
                    history.pop(0)
            changes.append(change)
            steps.append(step)
            inverses.append(1.0 / curvature)
            memory["H_diag"] = curvature / change.dot(change)
        history = list(zip(changes, steps, inverses, strict=True))
        shares, q = [], grad.neg()
        for change, step, inverse in reversed(history):
            shares.append(step.dot(q) * inverse)
            q.add_(change, alpha=-shares[-1])
        direction = q.mul(memory["H_diag"])
        for (change, step, inverse), share in zip(history, reversed(shares), strict=True):
            direction.add_(step, alpha=share - change.dot(direction) * inverse)
        memory["d"] = direction
        # kept in the state because PyTorch's checkpoints contain them
        memory["al"] = [*reversed(shares), *[None] * (history_size - len(shares))]
        return direction
