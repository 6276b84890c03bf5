"""The `PassManager` class, which runs passes in sequence."""

import inspect
from collections import deque
from functools import wraps

from minitorch.fx.graph_module import GraphModule
from minitorch.fx.passes.infra.pass_base import PassResult
from minitorch.nn import Module

__all__ = ["PassManager", "pass_result_wrapper", "this_before_that_pass_constraint"]


def pass_result_wrapper(fn):
    """Wrap a function that changes a module or returns a new one so that it returns a `PassResult`.

    Parameters
    ----------
    fn : callable or None
    """
    if fn is None:
        return None

    @wraps(fn)
    def wrapped(gm):
        result = fn(gm)
        if result is None:
            return PassResult(gm, True)
        return PassResult(result, True) if isinstance(result, Module) else result

    if not inspect.isfunction(fn):
        wrapped.__name__ = type(fn).__name__
    return wrapped


def this_before_that_pass_constraint(this, that):
    """Return a constraint that pass `this` runs before pass `that`."""
    return lambda a, b: a != that or b != this


def _check_order(constraint, passes):
    for i, a in enumerate(passes):
        for j, b in enumerate(passes[i + 1 :]):
            if not constraint(a, b):
                raise RuntimeError(
                    f"pass schedule constraint violated. Expected {a} before {b} but found {a} at "
                    f"index {i} and {b} at index {j} in pass list."
                )


def _ordered(passes, constraints):
    """Sort the passes so that all constraints are satisfied."""
    later = {a: [] for a in passes}
    before = dict.fromkeys(passes, 0)
    for a in passes:
        for b in passes:
            broken = sum(not allowed(a, b) for allowed in constraints) if a != b else 0
            later[b].extend([a] * broken)
            before[a] += broken
    ready = deque(a for a in passes if not before[a])
    found = []
    while ready:
        found.append(ready.popleft())
        for a in later[found[-1]]:
            before[a] -= 1
            if not before[a]:
                ready.append(a)
    circular = [a for a in before if before[a]]
    if circular:
        raise RuntimeError(f"Circular dependency detected within the following passes: {circular}")
    return found


def _name(pass_):
    return pass_.__name__ if inspect.isfunction(pass_) else type(pass_).__name__


class PassManager:
    """Runs passes in sequence.

    Parameters
    ----------
    passes : list of callable, optional
        Each returns a `PassResult`.
    constraints : list of callable, optional
        Each is called with two passes and returns whether the first may run before the second.
    steps : int, optional
        Maximum number of rounds; a round without changes ends the run.
    run_checks_after_each_pass, suppress_check_failures : bool

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx.passes.infra.pass_base import PassResult
    >>> from minitorch.fx.passes.infra.pass_manager import PassManager
    >>> def clean(module):
    ...     return PassResult(module, module.graph.eliminate_dead_code())
    >>> def program(x):
    ...     torch.neg(x)
    ...     return x
    >>> PassManager([clean])(torch.fx.symbolic_trace(program)).modified
    True
    """

    steps = 1
    _validated = False

    def __init__(
        self, passes=None, constraints=None, steps=None, run_checks_after_each_pass=False,
        suppress_check_failures=False,
    ):  # fmt: skip
        self.passes = passes or []
        self.constraints = constraints or []
        if steps:
            self.steps = steps
        self.run_checks_after_each_pass = run_checks_after_each_pass
        self.suppress_check_failures = suppress_check_failures

    def add_pass(self, _pass):
        """Add a pass."""
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint):
        """Add a constraint on the order of passes."""
        self.constraints.append(constraint)
        self._validated = False

    def validate_constraints(self):
        """Check that the order of passes satisfies the constraints, or raise RuntimeError."""
        if not self._validated:
            for constraint in self.constraints:
                _check_order(constraint, self.passes)
            self._validated = True

    def solve_constraints(self):
        """Reorder the passes to satisfy the constraints; raise RuntimeError if there is a cycle."""
        self.passes = _ordered(self.passes, self.constraints) if self.constraints else self.passes
        self._validated = True

    def add_checks(self, check):
        """Set the check function, called before the passes.

        With `run_checks_after_each_pass`, it is also called after each pass.
        """
        if len(inspect.signature(check).parameters) != 1:
            raise TypeError("PassManager check function should only take in one variable, a module")
        self.check = check

    def check(self, module):
        """Check a module; does nothing by default."""

    def __call__(self, module):
        if not self._validated:
            self.solve_constraints()
        self.check(module)
        changed = False
        for _ in range(self.steps):
            module, modified = self._run_all(module)
            changed = changed or modified
            if not modified:
                break
        return PassResult(module, changed)

    def _run_all(self, module):
        modified = False
        for number, pass_ in enumerate(self.passes):
            try:
                result = self._run(pass_, module)
            except Exception as error:
                before = [_name(done) for done in self.passes[:number]]
                raise Exception(  # noqa: TRY002 (as PyTorch has it)
                    f"An error occurred when running the '{_name(pass_)}' pass after the following "
                    f"passes: {before}"
                ) from error
            module = result.graph_module
            modified = modified or result.modified
        return module, modified

    def _run(self, pass_, module):
        result = pass_(module)
        if not isinstance(result, PassResult) and not hasattr(result, "graph_module"):
            raise TypeError(
                f"The result of the pass {_name(pass_)} should be type PassResult."
                "Please wrap it with pass_result_wrapper()"
            )
        if isinstance(result.graph_module, GraphModule):
            result.graph_module.recompile()
        if self.run_checks_after_each_pass:
            self.check(result.graph_module)
        return result
