"""Functions that register hooks for all modules."""

from minitorch.nn.modules._hooks import everywhere, register

_PUBLIC = "minitorch.nn.modules.module"


def register_module_forward_pre_hook(hook):
    """Call ``hook(module, args)`` before the `forward` of every module.

    Parameters
    ----------
    hook : callable
        Its return value, unless None, replaces the arguments.

    Returns
    -------
    RemovableHandle
    """
    return register(everywhere.forward_pre, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """Call ``hook(module, args, output)`` after `forward` of every module, before its own hooks.

    Parameters
    ----------
    hook : callable
        Its return value, unless None, replaces the output.
    with_kwargs : bool, default False
        Call it as ``hook(module, args, kwargs, output)``.
    always_call : bool, default False
        Call it even after an exception.

    Returns
    -------
    RemovableHandle

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.modules.module import register_module_forward_hook
    >>> model = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.ReLU())
    >>> with register_module_forward_hook(lambda module, args, output: print(type(module).__name__)):
    ...     output = model(torch.ones(1))
    Tanh
    ReLU
    Sequential
    """
    return register(
        everywhere.forward,
        hook,
        with_kwargs=(everywhere.forward_with_kwargs, with_kwargs),
        always_call=(everywhere.forward_always_called, always_call),
    )


def register_module_full_backward_pre_hook(hook):
    """Call ``hook(module, grad_output)`` in the backward pass of every module.

    Parameters
    ----------
    hook : callable
        Its return value, unless None, replaces `grad_output`.

    Returns
    -------
    RemovableHandle
    """
    return register(everywhere.backward_pre, hook)


def register_module_full_backward_hook(hook):
    """Call ``hook(module, grad_input, grad_output)`` in the backward pass of every module.

    Parameters
    ----------
    hook : callable
        Its return value, unless None, replaces `grad_input`.

    Returns
    -------
    RemovableHandle

    Raises
    ------
    RuntimeError
        When `register_module_backward_hook` has been called.
    """
    _set_kind_of_backward_hooks(full=True)
    return register(everywhere.backward, hook)


def register_module_backward_hook(hook):
    """Register a hook on the nodes that make the outputs of modules.

    This is the old form of `register_module_full_backward_hook`.

    Parameters
    ----------
    hook : callable

    Returns
    -------
    RemovableHandle

    Raises
    ------
    RuntimeError
        When `register_module_full_backward_hook` has been called.
    """
    _set_kind_of_backward_hooks(full=False)
    return register(everywhere.backward, hook)


def _set_kind_of_backward_hooks(full):
    if everywhere.is_full is (not full):
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please "
            "use only one of them."
        )
    everywhere.is_full = full


def register_module_buffer_registration_hook(hook):
    """Call ``hook(module, name, buffer)`` when a buffer is assigned to a module.

    Parameters
    ----------
    hook : callable
        Its return value, unless None, is assigned instead.

    Returns
    -------
    RemovableHandle
    """
    return register(everywhere.buffer_registration, hook)


def register_module_module_registration_hook(hook):
    """Call ``hook(module, name, submodule)`` when a module is assigned to another.

    Parameters
    ----------
    hook : callable
        Its return value, unless None, is assigned instead.

    Returns
    -------
    RemovableHandle
    """
    return register(everywhere.module_registration, hook)


def register_module_parameter_registration_hook(hook):
    """Call ``hook(module, name, param)`` when a parameter is assigned to a module.

    Parameters
    ----------
    hook : callable
        Its return value, unless None, is assigned instead.

    Returns
    -------
    RemovableHandle

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.modules.module import register_module_parameter_registration_hook
    >>> with register_module_parameter_registration_hook(lambda module, name, param: print(name)):
    ...     layer = torch.nn.Linear(1, 1)
    weight
    bias
    """
    return register(everywhere.parameter_registration, hook)


for _function in (
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
):
    _function.__module__ = _PUBLIC
