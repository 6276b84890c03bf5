"""Activation checkpointing: recompute a part of the forward pass during the backward pass.

It costs one more forward pass through the part and saves the memory of its intermediate results.
"""

import contextlib
import warnings

from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.random import fork_rng, get_rng_state, set_rng_state
from minitorch.utils._checkpoint_devices import (
    DefaultDeviceType,
    _infer_device_type,
    autocast_as_now,
    get_device_states,
    set_device_states,
)
from minitorch.utils._checkpoint_frames import (
    CheckpointError,
    Frame,
    current_group,
    metadata,
    set_current_group,
)
from minitorch.utils._checkpoint_log import debug_contexts
from minitorch.utils._checkpoint_reentrant import (
    CheckpointFunction,
    check_backward_validity,
    detach_variable,
)
from minitorch.utils._checkpoint_selective import (
    CheckpointPolicy,
    SelectiveCheckpointContext,
    _CachedTorchDispatchMode,  # noqa: F401
    _CachingTorchDispatchMode,  # noqa: F401
    create_selective_checkpoint_contexts,
    ignored_operators,
)

__all__ = [
    "SAC_IGNORED_OPS",  # noqa: F822  (read on first access, below)
    "CheckpointError",
    "CheckpointFunction",
    "CheckpointPolicy",
    "DefaultDeviceType",
    "GraphExecGroup",
    "SelectiveCheckpointContext",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "create_selective_checkpoint_contexts",
    "detach_variable",
    "get_device_states",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
    "set_device_states",
]


def __getattr__(name):
    if name == "SAC_IGNORED_OPS":
        # the table of PyTorch's operators is read on first access
        return ignored_operators()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_DETERMINISM_CHECKS = {"default": metadata, "none": lambda tensor: None}
_debug_enabled = None
_early_stop = None


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled):
    """Override the argument `debug` of every `checkpoint` call in the block.

    Parameters
    ----------
    enabled : bool or None
        None leaves the argument as it was given.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.checkpoint import checkpoint, set_checkpoint_debug_enabled
    >>> x = torch.ones(1, requires_grad=True)
    >>> with set_checkpoint_debug_enabled(True):
    ...     y = checkpoint(torch.sin, x, use_reentrant=False)
    """
    global _debug_enabled
    previous = _debug_enabled
    _debug_enabled = enabled
    try:
        yield
    finally:
        _debug_enabled = previous


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    """Override the argument `early_stop` of every `checkpoint` call in the block.

    Parameters
    ----------
    enable : bool

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.checkpoint import checkpoint, set_checkpoint_early_stop
    >>> def function(x):
    ...     y = x.sin()
    ...     print("to the end")
    ...     return y
    >>> x = torch.ones(1, requires_grad=True)
    >>> with set_checkpoint_early_stop(False):
    ...     y = checkpoint(function, x, use_reentrant=False)
    to the end
    >>> y.backward()
    to the end
    """
    global _early_stop
    previous = _early_stop
    _early_stop = enable
    try:
        yield
    finally:
        _early_stop = previous


def noop_context_fn():
    """Return two contexts that do nothing: the default `context_fn` of `checkpoint`.

    Returns
    -------
    tuple of context manager
        One for the forward pass and one for the recomputation; a tuple of two elements.

    Examples
    --------
    >>> import minitorch as torch
    >>> first, second = torch.utils.checkpoint.noop_context_fn()
    >>> with first:
    ...     y = torch.ones(1) * 2
    """
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function,
    *args,
    use_reentrant=None,
    context_fn=noop_context_fn,
    determinism_check="default",
    debug=False,
    early_stop=True,
    **kwargs,
):
    """Call a function without keeping what it saves; the backward pass calls it again.

    Parameters
    ----------
    function : callable
        The function. It must compute the same result in both calls.
    *args : object
        The positional arguments of the function.
    use_reentrant : bool
        False, which is recommended, uses hooks on saved tensors. The recomputation starts when the
        first saved tensor is needed and ends when all are available. Every kind of backward pass is
        supported. True, the default, uses a `Function` whose backward calls ``backward`` again. It
        does not record the first call, requires an argument that requires grad, ignores tensors in
        nested containers, and does not support ``torch.autograd.grad`` and
        ``backward(inputs=...)``.
    context_fn : callable, optional
        A function that returns two context managers, for the forward pass and for each
        recomputation.
    determinism_check : {"default", "none"}
        Whether to check that the recomputed tensors have the shape, dtype and device of the
        original ones.
    debug : bool, default False
        Whether a `CheckpointError` lists the operators of both runs and where they were called.
    early_stop : bool, default True
        Whether to stop the recomputation as soon as all saved tensors are available.
    preserve_rng_state : bool, default True
        Whether to restore the state of the random number generator for the recomputation.
    **kwargs : object
        The keyword arguments of the function; only with ``use_reentrant=False``.

    Returns
    -------
    object
        The result of the function.

    Raises
    ------
    ValueError
        For keyword arguments, `context_fn` or `debug` with ``use_reentrant=True``; for `debug`
        together with `context_fn`; for an unknown `determinism_check`.
    CheckpointError
        In the backward pass, if the recomputation saves different tensors than the forward pass.

    Warns
    -----
    UserWarning
        If `use_reentrant` is not given; with ``use_reentrant=True``, if no argument requires grad.

    Notes
    -----
    The recomputation runs with the autocast state of the forward pass.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.checkpoint import checkpoint
    >>> x = torch.tensor([0.0, 1.0], requires_grad=True)
    >>> y = checkpoint(lambda x: (x * x).exp(), x, use_reentrant=False)
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.0000, 5.4366])
    """
    if use_reentrant is None:
        _warn_of_default(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in "
            "PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception. "
        )
        use_reentrant = True
    preserve_rng_state = kwargs.pop("preserve_rng_state", True)
    if not use_reentrant:
        return _without_reentrant(
            function,
            args,
            kwargs,
            preserve_rng_state,
            context_fn,
            determinism_check,
            debug,
            early_stop,
        )
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if context_fn is not noop_context_fn or debug is not False:
        raise ValueError(
            "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
        )
    return CheckpointFunction.apply(function, preserve_rng_state, *args)


def _warn_of_default(start):
    warnings.warn(
        f"{start}use_reentrant=False is recommended, but if you need to preserve the current default "
        "behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences "
        "between the two variants.",
        stacklevel=3,
    )


def _without_reentrant(
    function, args, kwargs, preserve_rng_state, context_fn, determinism_check, debug, early_stop
):
    on_error = _raise
    debug = debug if _debug_enabled is None else _debug_enabled
    if debug and context_fn is not noop_context_fn:
        raise ValueError("debug=True is incompatible with non-default context_fn")
    if determinism_check not in _DETERMINISM_CHECKS:
        raise ValueError(
            f"determinism_check should be one of {list(_DETERMINISM_CHECKS)}, "
            f"but got {determinism_check}"
        )
    _infer_device_type(*args)  # warns of several
    if debug:
        forward_context, recompute_context, on_error = debug_contexts()
    else:
        forward_context, recompute_context = context_fn()
    autocast = autocast_as_now()
    if preserve_rng_state:
        rng_state = get_rng_state()

    def recompute(*args):
        with fork_rng(enabled=preserve_rng_state):
            if preserve_rng_state:
                set_rng_state(rng_state)
            with autocast(), recompute_context:
                function(*args, **kwargs)

    if not is_grad_enabled():
        return function(*args, **kwargs)
    frame = Frame(
        recompute,
        early_stop if _early_stop is None else _early_stop,
        _DETERMINISM_CHECKS[determinism_check],
        on_error,
    )
    frame.save_arguments(args)
    with frame.hooks(), forward_context:
        result = function(*args, **kwargs)
        frame.forward_completed = True
        return result
    raise RuntimeError(
        "torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception "
        "raised during the checkpointed forward. This is not supported because checkpoint cannot return "
        "a value for a failed forward."
    )


def _raise(error):
    raise error


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Call functions in sequence, with checkpointed segments; the last segment is not checkpointed.

    Parameters
    ----------
    functions : nn.Sequential or list of callable
    segments : int
        The number of segments. The last segment includes the remainder.
    input : object
        The argument of the first function.
    use_reentrant : bool
        See `checkpoint`.
    **kwargs
        Only ``preserve_rng_state``, a bool that is True by default.

    Returns
    -------
    object
        The result of the last function.

    Raises
    ------
    ValueError
        For any other keyword argument, or if there are more segments than functions.
    ZeroDivisionError
        If `segments` is 0.

    Warns
    -----
    UserWarning
        If `use_reentrant` is not given.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.checkpoint import checkpoint_sequential
    >>> model = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.ReLU(), torch.nn.Tanh())
    >>> x = torch.ones(1, requires_grad=True)
    >>> checkpoint_sequential(model, 2, x, use_reentrant=False).backward()
    >>> x.grad
    tensor([0.2469])
    """
    if use_reentrant is None:
        _warn_of_default(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed "
            "explicitly. In version 2.9 we will raise an exception if use_reentrant is not passed. "
        )
        use_reentrant = True
    preserve_rng_state = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    # `nn` must not be imported when this module is, since modules use hooks of this package
    from minitorch.nn.modules.container import Sequential

    if isinstance(functions, Sequential):
        functions = list(functions.children())

    def running(part):
        def run(value):
            for function in part:
                value = function(value)
            return value

        return run

    size = len(functions) // segments
    end = 0
    for start in range(0, size * (segments - 1), size):
        end = start + size
        input = checkpoint(
            running(functions[start:end]),
            input,
            use_reentrant=use_reentrant,
            preserve_rng_state=preserve_rng_state,
        )
    return running(functions[end:])(input)


class GraphExecGroup:
    """Share one recomputation of each checkpoint between the backward passes in the block.

    A recomputed tensor is released after one pass has unpacked it, so the passes must go through
    different parts of the graph.

    Raises
    ------
    RuntimeError
        If groups are nested.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.checkpoint import GraphExecGroup, checkpoint
    >>> def function(x):
    ...     print("running")
    ...     return x.sin(), x.cos()
    >>> x = torch.zeros(1, requires_grad=True)
    >>> a, b = checkpoint(function, x, use_reentrant=False, early_stop=False)
    running
    >>> with GraphExecGroup():
    ...     a.backward(retain_graph=True)
    ...     b.backward()
    running
    """

    def __enter__(self):
        if current_group() is not None:
            raise RuntimeError(
                "GraphExecGroup contexts cannot be nested. Already inside group "
                f"{self._get_current_group()}"
            )
        set_current_group(self)
        return self

    def __exit__(self, *error):
        set_current_group(None)

    @classmethod
    def _get_current_group(cls):
        return current_group()
