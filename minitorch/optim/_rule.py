"""`RuleOptimizer`: optimizers that update one parameter at a time by the same rule.

A subclass provides the initial state of a parameter (`_initial_state`) and the rule (`_rule`), a
function that is created once per group and step from the options of the group. Invariants:

- a rule receives the gradient with the sign for descent and modifies the parameter and its state in
place only; for complex parameters it receives real views of parameter, gradient and state;
  place alone: of complex parameters it sees the real views of parameter, gradient and state;
- the step counter is incremented before the rule runs;
- if a group cannot be updated, the exception is raised before any parameter has changed;
- a fused loop (`_fused`) computes the same as the rule, for the parameters it supports.
"""

from inspect import signature

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import zeros
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.grad_mode import enable_grad
from minitorch.namespace.rename_method import own_method
from minitorch.optim.optimizer import (
    Optimizer,
    _get_scalar_dtype,
    _use_grad_for_differentiable,
)

_FUSED_DEVICES = ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]


def check_lr(lr, text="Invalid learning rate"):
    """Raise ValueError unless the learning rate is a nonnegative number or one-element tensor."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    check_not_negative(text, lr)


def check_not_negative(text, value):
    """Raise ValueError with the text and the value if it is negative or NaN."""
    if not value >= 0.0:
        raise ValueError(f"{text}: {value}")


def check_betas(betas):
    """Raise ValueError unless both decay rates are in [0, 1)."""
    for k in range(2):
        if not 0.0 <= betas[k] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {k}: {betas[k]}")


def check_fused(fused, foreach, differentiable):
    """Raise RuntimeError if `fused` is combined with `foreach` or `differentiable`."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def are_numbers(*options):
    """Return True if no option is a tensor, which could require a gradient."""
    return all(isinstance(option, float | int) for option in options)


def count(value=0.0, fused=None):
    """Return a step counter as a tensor, so that checkpoints match PyTorch's."""
    return tensor(value, dtype=_get_scalar_dtype(fused))


def zero():
    """Return a zero step counter created by `zeros`, as some optimizers in PyTorch do."""
    return zeros((), dtype=_get_scalar_dtype())


def change_once(kind, params, grads, group, grad_scale=None, found_inf=None, **states):
    """Run one step of an optimizer on gradients and states given as lists.

    Parameters
    ----------
    kind : type
        The optimizer class.
    params, grads : list of Tensor
    group : dict
        The options.
    grad_scale, found_inf : Tensor, optional
        The loss scale, and whether a gradient is infinite. Only the fused implementation uses them.
    **states : list of Tensor
        The state of each parameter; an empty list if the optimizer does not keep it.

    Raises
    ------
    RuntimeError
        If the step counters are not tensors.
    """
    if not all(isinstance(step, Tensor) for step in states.get("step", ())):
        raise RuntimeError(
            "API has changed, `state_steps` argument must contain a list of singleton tensors"
        )
    states = {name: values for name, values in states.items() if values}
    each = [
        {name: values[k] for name, values in states.items() if values[k] is not None}
        for k in range(len(params))
    ]
    optimizer = kind.__new__(kind)
    optimizer._run(group, list(zip(params, grads, each, strict=True)), grad_scale, found_inf)
    return each


def ways(function, title=None):
    """Return the variants of a functional step under PyTorch's names.

    Parameters
    ----------
    function : callable
        A functional step such as ``sgd``, with the lists as positional parameters and options by
        name.
    title : str, optional
        The name of the optimizer, if it has a fused variant. This variant takes two values of a
        `GradScaler` after the lists.

    Returns
    -------
    list of callable
        The single-tensor, the multi-tensor and the fused variant.
    """
    lists = [p for p in signature(function).parameters.values() if p.default is p.empty]
    count = sum(p.kind is p.POSITIONAL_OR_KEYWORD for p in lists)

    def way(prefix, error=None, **choice):
        def step(*args, **options):
            if error is not None and options.get("differentiable"):
                raise error[0](error[1])
            scale = dict(zip(("grad_scale", "found_inf"), args[count:], strict=False))
            return function(*args[:count], **scale, **options, **choice)

        step.__name__ = step.__qualname__ = f"{prefix}_{function.__name__}"
        step.__module__ = function.__module__
        return step

    error = AssertionError, "_foreach ops don't support autograd"
    found = [way("_single_tensor", foreach=False), way("_multi_tensor", error, foreach=True)]
    if title is not None:
        error = RuntimeError, f"{title} with fused=True does not support differentiable=True"
        found.append(way("_fused", error, fused=True))
    return found


class RuleOptimizer(Optimizer):
    """An optimizer with one update rule for all parameters (see the module docstring)."""

    _later_options: dict[str, object] = {
        "maximize": False,
        "foreach": None,
        "differentiable": False,
    }
    _counts: tuple[str, ...] = ("step",)  # state entries that are plain numbers in old checkpoints
    _complex_as_real = True
    _capturable_parts = "params and state_steps"
    _capturable_devices = ["cuda", "xpu", "hpu", "privateuseone", "xla"]
    _lists_on_xla = False  # whether the multi-tensor variant also applies on XLA
    # when the multi-tensor variant rejects `differentiable`: "always", "with gradients" or None
    _foreach_rejects: str | None = "with gradients"

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self._later_options.items():
                group.setdefault(name, value)
            for p in group["params"]:
                known = self.state.get(p, {})
                for name in self._counts:
                    if known and not isinstance(known[name], Tensor):
                        known[name] = count(float(known[name]), group.get("fused"))

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.step is RuleOptimizer.step and cls._rule is not RuleOptimizer._rule:
            cls.step = _use_grad_for_differentiable(own_method(cls, cls.step.__wrapped__))

    @_use_grad_for_differentiable
    def step(self, closure=None):
        """Update the parameters once.

        Parameters
        ----------
        closure : callable, optional
            A function that recomputes the loss and its gradients. Its result is returned.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            self._update(group)
        return loss

    def _update(self, group):
        work = []
        for p in group["params"]:
            grad = p.grad
            if grad is not None:
                if grad.is_sparse:
                    self._check_sparse(group)
                if group.get("fused"):
                    check_fused_dtype(p)
                work.append((p, grad, self._state_of(p, group)))
        if work and group.get("capturable"):
            lists = group.get("foreach") and not self._lists_on_xla
            devices = [d for d in self._capturable_devices if d != "xla" or not lists]
            parts = self._capturable_parts
            if group.get("foreach"):
                parts = parts.replace("mu_products and", "mu_products, and")
            raise AssertionError(
                f"If capturable=True, {parts} must be on supported devices: {devices}."
            )
        if group.get("foreach") and group.get("differentiable"):
            if self._foreach_rejects == "always" or (work and self._foreach_rejects):
                raise AssertionError("_foreach ops don't support autograd")
        self._run(group, work, getattr(self, "grad_scale", None), getattr(self, "found_inf", None))

    def _run(self, group, work, grad_scale=None, found_inf=None):
        """Update parameters, given as (parameter, gradient, state).

        The fused variant divides the gradients by the loss scale first and does nothing if
        `found_inf` is set.
        """
        if group.get("fused") and found_inf is not None and found_inf.item():
            return
        if group.get("fused") and grad_scale is not None:
            for _, grad, _ in work:
                grad.div_(grad_scale)
        work = self._fused(group, work)
        if not work:
            return
        rule, maximize = self._rule(group), group.get("maximize")
        for p, grad, state in work:
            if maximize:
                grad = -grad
            if state and "step" in state:
                state["step"].add_(1)
            if self._complex_as_real and p.is_complex():
                p, grad = _ops.view_as_real(p), _ops.view_as_real(grad)
                state = {
                    name: _ops.view_as_real(value) if value.is_complex() else value
                    for name, value in state.items()
                }
            rule(p, grad, state)

    def _state_of(self, p, group):
        """Return the state of a parameter, creating it at the first update."""
        state = self.state[p]
        if not state:
            state.update(self._initial_state(p, group))
        return state

    def _check_sparse(self, group):
        """Raise RuntimeError if the rule does not support sparse gradients."""
        raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")

    def _initial_state(self, p, group):
        """Return the state of a parameter before its first step."""
        raise NotImplementedError

    def _fused(self, group, work):
        """Update the parameters that a compiled loop supports, and return the others."""
        return work

    def _rule(self, group):
        """Return the function ``rule(p, grad, state)`` for the options of a group."""
        raise NotImplementedError


def check_fused_dtype(p):
    """Raise RuntimeError unless the parameter is floating point, as the fused variant requires."""
    if not p.is_floating_point():
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of supported "
            f"devices: {_FUSED_DEVICES} but {p.dtype} and {p.device.type}"
        )
