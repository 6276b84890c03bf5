"""Calling a module that has hooks, and the hooks registered for all modules.

Note [The order of hooks]
A call runs the global forward pre-hooks, the module's own pre-hooks, `forward`, the global forward
hooks and the module's own hooks. If there are backward hooks, one node is inserted after the inputs
(once the pre-hooks have run) and one before the outputs (once the hooks have run). In the backward
pass, the backward pre-hooks run at the output node and the backward hooks at the input node.
"""

import warnings
import weakref
from collections import OrderedDict

from minitorch.autograd.variable import TensorBase
from minitorch.core.handles import RemovableHandle
from minitorch.utils.hooks import BackwardHook


class GlobalHooks:
    """The hooks registered for every module."""

    def __init__(self):
        self.forward_pre = OrderedDict()
        self.forward = OrderedDict()
        self.forward_with_kwargs = OrderedDict()
        self.forward_always_called = OrderedDict()
        self.backward_pre = OrderedDict()
        self.backward = OrderedDict()
        self.is_full = None  # None until a backward hook is registered
        self.buffer_registration = OrderedDict()
        self.module_registration = OrderedDict()
        self.parameter_registration = OrderedDict()

    def registered(self, kind, module, name, value):
        """Return the value to assign, after the registration hooks of its kind."""
        for hook in getattr(self, kind + "_registration").values():
            replaced = hook(module, name, value)
            if replaced is not None:
                value = replaced
        return value


everywhere = GlobalHooks()


def register(hooks, hook, prepend=False, **marks):
    """Add a hook to its table, and its key to the table of each mark that is set.

    Parameters
    ----------
    marks : (dict, bool)

    Returns
    -------
    RemovableHandle
    """
    handle = RemovableHandle(hooks, extra_dict=[marked for marked, _ in marks.values()])
    hooks[handle.id] = hook
    for marked, wanted in marks.values():
        if wanted:
            marked[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


class WrappedHook:
    """A hook with a weak reference to its module.

    Parameters
    ----------
    hook : callable
    module : Module, optional
        Passed to the hook as its first argument.
    """

    def __init__(self, hook, module=None):
        self.hook = hook
        self.with_module = module is not None
        self.module = weakref.ref(module) if self.with_module else None
        self.__name__ = getattr(hook, "__name__", type(hook).__name__)

    def __call__(self, *args, **kwargs):
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self):
        return {"hook": self.hook, "module": self.module() if self.with_module else None}

    def __setstate__(self, state):
        self.__init__(state["hook"], state["module"])


# ---- the call


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)


def _before(module, args, kwargs):
    """Run the forward pre-hooks and return the arguments they leave."""
    with_kwargs = module._forward_pre_hooks_with_kwargs
    for key, hook in [*everywhere.forward_pre.items(), *module._forward_pre_hooks.items()]:
        if key not in with_kwargs:
            changed = hook(module, args)
            if changed is not None:
                args = _tuple(changed)
            continue
        changed = hook(module, args, kwargs)
        if changed is not None:
            if not isinstance(changed, tuple) or len(changed) != 2:
                raise RuntimeError(
                    "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                    f"but got {changed}."
                )
            args, kwargs = changed
    return args, kwargs


class _Call:
    """The state of one call, kept for hooks that must run even when the call fails."""

    def __init__(self, module, args, kwargs):
        self.module = module
        self.args = args
        self.kwargs = kwargs
        self.result = None
        self.called = set()  # keys of the hooks that have run

    def run(self):
        module = self.module
        full, plain = _backward_hooks(module)
        before_backward = [*everywhere.backward_pre.values(), *module._backward_pre_hooks.values()]
        self.args, self.kwargs = _before(module, self.args, self.kwargs)
        backward = None
        if full or before_backward:
            backward = BackwardHook(module, full, before_backward)
            self.args = backward.setup_input_hook(self.args)
        self.result = module.forward(*self.args, **self.kwargs)
        for hooks, with_kwargs in self.forward_hooks():
            for key, hook in list(hooks.items()):
                self.called.add(key)
                self.call(hook, key in with_kwargs)
        if backward is not None:
            if not isinstance(self.result, (TensorBase, tuple)):
                warnings.warn(
                    "For backward hooks to be called, module output should be a Tensor or a tuple of "
                    f"Tensors but received {type(self.result)}",
                    stacklevel=4,
                )
            self.result = backward.setup_output_hook(self.result)
        if plain:
            _register_on_node(module, plain, self.args, self.result)
        return self.result

    def forward_hooks(self):
        yield everywhere.forward, everywhere.forward_with_kwargs
        yield self.module._forward_hooks, self.module._forward_hooks_with_kwargs

    def call(self, hook, with_kwargs):
        if with_kwargs:
            changed = hook(self.module, self.args, self.kwargs, self.result)
        else:
            changed = hook(self.module, self.args, self.result)
        if changed is not None:
            self.result = changed

    def call_the_rest(self):
        """Run the remaining ``always_call`` hooks after an exception.

        Their own exceptions become warnings.
        """
        places = (
            ("global module", everywhere.forward, everywhere.forward_always_called),
            ("module", self.module._forward_hooks, self.module._forward_hooks_always_called),
        )
        for (label, hooks, always), (_, with_kwargs) in zip(
            places, self.forward_hooks(), strict=True
        ):
            for key, hook in list(hooks.items()):
                if key not in always or key in self.called:
                    continue
                try:
                    self.call(hook, key in with_kwargs)
                except Exception as error:  # noqa: BLE001 (any error of a user's hook)
                    warnings.warn(
                        f"{label} forward hook with ``always_call=True`` raised an exception that was "
                        f"silenced as another error was raised in forward: {error}",
                        stacklevel=4,
                    )


def _forward_alone(module, args, kwargs):
    """Run `forward` and its hooks; the fast path without backward and ``always_call`` hooks."""
    if everywhere.forward_pre or module._forward_pre_hooks:
        args, kwargs = _before(module, args, kwargs)
    result = module.forward(*args, **kwargs)
    for hooks, with_kwargs in (
        (everywhere.forward, everywhere.forward_with_kwargs),
        (module._forward_hooks, module._forward_hooks_with_kwargs),
    ):
        if not hooks:
            continue
        for key, hook in list(hooks.items()):
            if key in with_kwargs:
                changed = hook(module, args, kwargs, result)
            else:
                changed = hook(module, args, result)
            if changed is not None:
                result = changed
    return result


def call_with_hooks(module, args, kwargs):
    """Call the module and its hooks; see Note [The order of hooks]."""
    always = everywhere.forward_always_called or module._forward_hooks_always_called
    if not (
        always
        or module._backward_hooks
        or module._backward_pre_hooks
        or everywhere.backward
        or everywhere.backward_pre
    ):
        return _forward_alone(module, args, kwargs)
    call = _Call(module, args, kwargs)
    if not always:
        return call.run()
    try:
        return call.run()
    except Exception:
        call.call_the_rest()
        raise


# ---- non-full backward hooks, which are registered on a single node


def _backward_hooks(module):
    """Return the full backward hooks and the non-full ones."""
    kinds = {True: [], False: []}
    if everywhere.is_full is not None:
        kinds[everywhere.is_full] += everywhere.backward.values()
    if module._is_full_backward_hook is not None:
        kinds[module._is_full_backward_hook] += module._backward_hooks.values()
    return kinds[True], kinds[False]


def _register_on_node(module, hooks, args, result):
    found = result
    while not isinstance(found, TensorBase):
        if isinstance(found, dict):
            found = next(value for value in found.values() if isinstance(value, TensorBase))
        elif isinstance(found, str):
            # indexing a string gives a string again, forever
            raise TypeError("'str' object has no tensor to register a backward hook on")
        else:
            found = found[0]
    node = found.grad_fn
    if node is None:
        return
    for hook in hooks:
        node.register_hook(WrappedHook(hook, module))
    trouble = _why_incomplete(args, result, node)
    if trouble is not None:
        warnings.warn(trouble, FutureWarning, stacklevel=5)


def _are_tensors(value):
    return all(isinstance(item, TensorBase) for item in _tuple(value))


_FULL = " Please use register_full_backward_hook to get the documented behavior."


def _why_incomplete(args, result, node):
    """Return a warning that says which gradients a non-full hook will miss, or None."""
    if not _are_tensors(result):
        return (
            "Using non-full backward hooks on a Module that does not return a single Tensor or a tuple of "
            "Tensors is deprecated and will be removed in future versions. This hook will be missing some "
            f"of the grad_output.{_FULL}"
        )
    if not _are_tensors(args):
        return (
            "Using non-full backward hooks on a Module that does not take as input a single Tensor or a "
            "tuple of Tensors is deprecated and will be removed in future versions. This hook will be "
            f"missing some of the grad_input.{_FULL}"
        )
    nodes = {item.grad_fn for item in _tuple(result) if item.grad_fn is not None}
    if len(nodes) > 1 or nodes != {node}:
        return (
            "Using a non-full backward hook when outputs are generated by different autograd Nodes is "
            "deprecated and will be removed in future versions. This hook will be missing some "
            f"grad_output.{_FULL}"
        )
    inputs = {item.grad_fn for item in args if item.grad_fn is not None}
    if {following for following, _ in node.next_functions} != inputs:
        return (
            "Using a non-full backward hook when the forward contains multiple autograd Nodes is deprecated "
            f"and will be removed in future versions. This hook will be missing some grad_input.{_FULL}"
        )
    return None
