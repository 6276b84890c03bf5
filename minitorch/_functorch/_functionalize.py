"""`functionalize`: turns a function that writes to tensors into one that makes new tensors.

Note [Functionalization]
A tensor of the level wraps a value that is never written to. A write computes a new value with the
out-of-place operator, and the tensor wraps that value from then on. Tensors that share memory share
a `_Memory`, which has the value of the whole memory and the number of writes. A write to a view
reaches the memory by the inverses of the view's steps. A tensor that has missed writes is viewed
anew from the memory's value when it is next used.
"""

from minitorch._functorch._view_inverses import INVERSES
from minitorch._functorch._wrapping import wraps
from minitorch._tensor import Tensor
from minitorch.autograd.functions.namespace import can_cast
from minitorch.autograd.levels import Level, set_value, wrap_tensor
from minitorch.autograd.operators import _operator, operators
from minitorch.autograd.special import special_of
from minitorch.autograd.vmap_steps import unwrapped
from minitorch.core.context import contextmanager
from minitorch.utils._pytree import tree_leaves, tree_map_only

__all__ = ["functionalize"]

# in-place operator -> the out-of-place operator that computes the same value
_FUNCTIONAL = {
    "copy": "copied",
    "fill": "fill_copy",
    "fill_tensor": "fill_copy_tensor",
    "zero": "zeroed",
    "index_put": "index_put_copy",
}
_COPIES = {
    "squeeze_dim": "squeeze_copy_dim",
    "squeeze_dims": "squeeze_copy_dims",
    "view_dtype": "view_copy_dtype",
}


class _Memory:
    """The memory that several tensors share: its value, and writes not yet applied to it."""

    def __init__(self, value):
        self.value = value
        self.writes = []
        self.count = 0

    def write(self, value, steps):
        self.writes.append((value, steps))
        self.count += 1

    def apply(self):
        for value, steps in self.writes:
            self.value = _written_through(steps, self.value, value)
        self.writes.clear()


def _written_through(steps, base, value):
    """Return `base` with `value` written to the view that the steps make."""
    bases = [base]
    for step in steps[:-1]:
        bases.append(step(bases[-1]))
    for step, of in zip(reversed(steps), reversed(bases), strict=False):
        value = step.inverse(of, value)
    return value


class _Step:
    """A view of a value, or one of several views that an operator returns."""

    def __init__(self, operator, arguments, run, index=None):
        self.name = operator.name
        self.operator = run.view(operator.name)
        self.arguments = arguments
        self.run = run
        self.index = index

    def __call__(self, value):
        result = self.operator(value, *self.arguments)
        return result if self.index is None else result[self.index]

    def inverse(self, base, value):
        rest = self.arguments if self.index is None else (*self.arguments, self.index)
        return INVERSES[self.name](self.run.view, base, value, *rest)


class _State:
    """The view of its memory that a tensor is, and the number of writes that its value includes."""

    def __init__(self, memory, steps=()):
        self.memory = memory
        self.steps = steps
        self.count = 0


class _Run:
    """One call of a functionalized function, with the states of its viewed or written tensors."""

    def __init__(self, level, copies):
        self.level = level
        self.copies = copies  # whether views are replaced by copies
        self.states = {}  # the special of a tensor -> its _State

    def view(self, name):
        """Return the operator that makes a view, or the copying one if views are removed."""
        copy = _COPIES.get(name, f"{name}_copy")
        return _operator(copy if self.copies and (copy, "") in operators else name)

    def state_of(self, t):
        special = special_of(t)
        if special not in self.states:
            self.states[special] = _State(_Memory(special.value))
        return self.states[special]

    def bring_up_to_date(self, t):
        state = self.states.get(special_of(t))
        if state is None or state.count == state.memory.count:
            return
        state.memory.apply()
        value = state.memory.value
        for step in state.steps:
            value = step(value)
        set_value(t, value)
        state.count = state.memory.count

    def value(self, argument):
        """Return the value that an argument wraps, with all writes applied."""
        if isinstance(argument, list):
            return [self.value(item) for item in argument]
        if not self.has(argument):
            return argument
        self.bring_up_to_date(argument)
        return special_of(argument).value

    def has(self, argument):
        return isinstance(argument, Tensor) and unwrapped(argument, self.level)[1] is not None

    def wrap(self, result):
        if isinstance(result, (tuple, list)):
            return type(result)([self.wrap(item) for item in result])
        return wrap_tensor(result, self.level) if isinstance(result, Tensor) else result

    def write(self, t, value):
        """Give a tensor, and the tensors that share its memory, another value."""
        state = self.state_of(t)
        if value.dtype != t.dtype:
            value = value.to(t.dtype)
        set_value(t, value)
        state.memory.write(value, state.steps)
        self.bring_up_to_date(t)

    def view_of(self, operator, t, rest):
        """Return the tensors that a view operator makes from `t`; they share its memory."""
        value = special_of(t).value
        result = self.view(operator.name)(value, *rest)
        if result is value:
            return t
        if isinstance(result, (tuple, list)):
            return [
                self._look(t, item, _Step(operator, rest, self, k)) for k, item in enumerate(result)
            ]
        return self._look(t, result, _Step(operator, rest, self))

    def _look(self, t, value, step):
        state = self.state_of(t)
        view = wrap_tensor(value, self.level)
        self.states[special_of(view)] = _State(state.memory, (*state.steps, step))
        return view

    def look_otherwise(self, operator, t, rest):
        """Apply an in-place operator that only changes the shape of `t`."""
        step = _Step(operator, rest, self)
        state = self.state_of(t)
        state.steps = (*state.steps, step)
        set_value(t, step(special_of(t).value))
        return t


class _FunctionalLevel(Level):
    """The level of one call of a functionalized function."""

    run = None  # while the level is entered, its `_Run`

    def __new__(cls):
        return super().__new__(cls, "functionalize")

    def compute(self, operator, arguments):
        return _compute(operator, arguments, self.run)

    def bring_up_to_date(self, t):
        self.run.bring_up_to_date(t)

    def take_over(self, out, result):
        if self.run is None or not self.run.has(result):
            return False
        self.run.write(out, self.run.value(result))
        return True


def _compute(operator, arguments, run):
    """Apply an operator to tensors of the level."""
    if operator.name in INVERSES:
        # writes to the memory reach the view when it is used
        t, *rest = arguments
        look = run.look_otherwise if operator.form else run.view_of
        return look(operator, t, rest)
    values = [run.value(a) for a in arguments]
    if operator.form == "_out":
        *given, out = arguments
        _check_functional(run, out)
        run.write(out, _operator(operator.name)(*values[:-1]))
        return out
    if operator.form == "_":
        first = next(k for k, a in enumerate(arguments) if isinstance(a, Tensor))
        t = arguments[first]
        _check_functional(run, t)
        run.write(t, _value_written(operator, values, first))
        return t
    result = operator(*values)
    for argument, value in zip(arguments, values, strict=True):
        if result is value and isinstance(argument, Tensor):
            return argument
    return run.wrap(result)


def _check_functional(run, t):
    if not run.has(t):
        raise RuntimeError(
            "mutating a non-functional tensor with a functional tensor is not allowed. Please ensure that all of "
            "your inputs are wrapped inside of a functionalize() call."
        )


def _value_written(operator, values, first):
    """Return the value that an in-place operator writes."""
    name = _FUNCTIONAL.get(operator.name, operator.name)
    before = values[first]
    if (name, "") in operators:
        value = _operator(name)(*values)
        if value.shape == before.shape and can_cast(value.dtype, before.dtype):
            return value
    # there is no such operator, or the in-place operator has to raise its own error
    copy = before.clone()
    return operator(*values[:first], copy, *values[first + 1 :])


@contextmanager
def _running(copies):
    with _FunctionalLevel() as level:
        try:
            level.run = _Run(level, copies)
            yield level.run
        finally:
            level.run = None


def _give_back(original, end):
    """Copy to an input the value that its wrapper has at the end."""
    if original.numel() * original.element_size() != end.numel() * end.element_size():
        original.resize_(end.shape)
    if original.shape != end.shape:
        original.as_strided_(end.shape, end.stride())
    original.copy_(end)


def functionalize(func, *, remove="mutations"):
    """Return a function with the values of `func` whose only writes are to its inputs, at its end.

    Parameters
    ----------
    func : callable
        Takes tensors and trees of tensors. It may write to tensors in place.
    remove : {"mutations", "mutations_and_views"}
        With "mutations_and_views", views are replaced by copies as well.

    Returns
    -------
    callable
        Runs `func` with out-of-place operators instead of those that write, as a trace of it shows.
        Then it copies to each input the value written to it.

    Raises
    ------
    RuntimeError
        For another `remove`. When the function is called: for a write of a value that depends on
        its inputs to a tensor that does not.

    Notes
    -----
    See `Note [Functionalization]` in this module. In-place random operators draw into a copy.

    Examples
    --------
    >>> import minitorch as torch
    >>> def f(x):
    ...     x.add_(1)
    ...     return x.view(-1).mul_(2)
    >>> x = torch.zeros(2)
    >>> torch.func.functionalize(f)(x), x
    (tensor([2., 2.]), tensor([2., 2.]))
    """
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid "
            "options are:\n     remove='mutations': all inplace and out= operators will be removed from the "
            "program, and replaced with their out-of-place equivalents.\n     remove='mutations_and_views': "
            "In addition to the above, all aliasing operators {view} will be replaced with their "
            "non-aliasing counterparts, {view}_copy.\n"
        )

    @wraps(func)
    def wrapped(*args, **kwargs):
        with _running(remove == "mutations_and_views") as run:
            inner = tree_map_only(Tensor, lambda t: wrap_tensor(t, run.level), (args, kwargs))
            outputs = func(*inner[0], **inner[1])
        # the level is left, so that this is computed outside of it
        outputs = tree_map_only(Tensor, run.value, outputs)
        ends = [run.value(t) for t in tree_leaves(inner)]
        for original, end in zip(tree_leaves((args, kwargs)), ends, strict=True):
            if isinstance(original, Tensor) and end is not original:
                _give_back(original, end)
        return outputs

    return wrapped
