"""`RuleOptimizer`: optimizers that change one parameter after the other by the same rule.

A subclass gives the state a parameter starts with (`_initial_state`) and the rule (`_rule`), a
function made once per group and step, with the group's options at hand. Invariants:

- a rule gets the gradient with the sign of descent, and changes the parameter and its state in
  place alone: of complex parameters it sees the real views of parameter, gradient and state;
- the step is counted before the rule runs;
- no parameter has changed when an exception tells of a group that cannot be updated;
- a fused loop (`_fused`) computes what the rule says, of the parameters that it can take.
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
    """Of every optimizer: the rate is a number or a tensor of one element, and not negative."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    check_not_negative(text, lr)


def check_not_negative(text, value):
    """Raise `ValueError` with the text and the value; a NaN is refused, too."""
    if not value >= 0.0:
        raise ValueError(f"{text}: {value}")


def check_betas(betas):
    """Two shares of a running mean, each in [0, 1)."""
    for k in range(2):
        if not 0.0 <= betas[k] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {k}: {betas[k]}")


def check_fused(fused, foreach, differentiable):
    """The fused way excludes the other two."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def are_numbers(*options):
    """Whether no option is a tensor, which a derivative may be asked of."""
    return all(isinstance(option, float | int) for option in options)


def count(value=0.0, fused=None):
    """A number kept in a tensor, so that checkpoints hold it as PyTorch's do."""
    return tensor(value, dtype=_get_scalar_dtype(fused))


def zero():
    """`count` of none, made otherwise, as some optimizers do in PyTorch."""
    return zeros((), dtype=_get_scalar_dtype())


def change_once(kind, params, grads, group, grad_scale=None, found_inf=None, **states):
    """What an optimizer's step does, with gradients and states that are given as lists.

    Parameters
    ----------
    kind : type
        The optimizer.
    params, grads : list of Tensor
    group : dict
        The options.
    grad_scale, found_inf : Tensor, optional
        By what the gradients were multiplied, and whether one of them is infinite; of the fused way.
    **states : list of Tensor
        What is remembered of each parameter; an empty list where nothing is.

    Raises
    ------
    RuntimeError
        When the numbers of steps are no tensors.
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
    """The ways of a step that is given as lists, under the names that PyTorch has for them.

    Parameters
    ----------
    function : callable
        Such as ``sgd``: lists by position, options by name.
    title : str, optional
        The optimizer, if it has a fused way. Then two numbers of a `GradScaler` follow the lists.

    Returns
    -------
    list of callable
        One parameter after the other, all at once, and the fused way.
    """
    lists = [p for p in signature(function).parameters.values() if p.default is p.empty]
    count = sum(p.kind is p.POSITIONAL_OR_KEYWORD for p in lists)

    def way(prefix, refused=None, **choice):
        def step(*args, **options):
            if refused is not None and options.get("differentiable"):
                raise refused[0](refused[1])
            scale = dict(zip(("grad_scale", "found_inf"), args[count:], strict=False))
            return function(*args[:count], **scale, **options, **choice)

        step.__name__ = step.__qualname__ = f"{prefix}_{function.__name__}"
        step.__module__ = function.__module__
        return step

    refused = AssertionError, "_foreach ops don't support autograd"
    found = [way("_single_tensor", foreach=False), way("_multi_tensor", refused, foreach=True)]
    if title is not None:
        refused = RuntimeError, f"{title} with fused=True does not support differentiable=True"
        found.append(way("_fused", refused, fused=True))
    return found


class RuleOptimizer(Optimizer):
    """An optimizer with one rule for each parameter (see the head of the file)."""

    _later_options: dict[str, object] = {
        "maximize": False,
        "foreach": None,
        "differentiable": False,
    }
    _counts: tuple[str, ...] = (
        "step",
    )  # the entries of a state that old checkpoints have as numbers
    _complex_as_real = True
    _capturable_parts = "params and state_steps"
    _capturable_devices = ["cuda", "xpu", "hpu", "privateuseone", "xla"]
    _lists_on_xla = False  # whether the way over lists is one for XLA as well
    # when the way over lists refuses to be differentiable: "always", with gradients to use, or never
    _lists_refuse: str | None = "with gradients"

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
        """Change the parameters once.

        Parameters
        ----------
        closure : callable, optional
            Computes the loss again and its gradients; the loss is returned.
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
            if self._lists_refuse == "always" or (work and self._lists_refuse):
                raise AssertionError("_foreach ops don't support autograd")
        self._run(group, work, getattr(self, "grad_scale", None), getattr(self, "found_inf", None))

    def _run(self, group, work, grad_scale=None, found_inf=None):
        """Change parameters, given with gradient and state; the fused way takes the scale off first."""
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
        """The state of a parameter, made when it is first updated."""
        state = self.state[p]
        if not state:
            state.update(self._initial_state(p, group))
        return state

    def _check_sparse(self, group):
        """Whether the rule can take a sparse gradient."""
        raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")

    def _initial_state(self, p, group):
        """What is remembered of a parameter before its first step."""
        raise NotImplementedError

    def _fused(self, group, work):
        """Update the parameters that a compiled loop can, and return the others."""
        return work

    def _rule(self, group):
        """The function ``rule(p, grad, state)`` for the options of a group."""
        raise NotImplementedError


def check_fused_dtype(p):
    """The fused way takes floating-point parameters only."""
    if not p.is_floating_point():
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of supported "
            f"devices: {_FUSED_DEVICES} but {p.dtype} and {p.device.type}"
        )
