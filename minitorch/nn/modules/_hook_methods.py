"""The methods of `Module` that register hooks."""

from collections import OrderedDict

from minitorch.nn.modules._hooks import WrappedHook, register

# the hook dictionaries of every module
TABLES = (
    "_backward_pre_hooks", "_backward_hooks", "_forward_hooks", "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs",
    "_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)  # fmt: skip


def add_tables(own):
    """Add the missing hook tables to a module's ``__dict__``."""
    for name in TABLES:
        if name not in own:
            own[name] = OrderedDict()
        if name == "_backward_hooks":  # the order of the entries is PyTorch's
            own.setdefault("_is_full_backward_hook", None)


class Hooks:
    """Mixin of `Module` that registers hooks. Each method returns a `RemovableHandle`."""

    # ---- forward

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Call ``hook(module, args)`` before `forward`.

        Parameters
        ----------
        hook : callable
            Its return value, unless None, replaces the arguments.
        prepend : bool, default False
            Call the hook before the existing ones instead of after them.
        with_kwargs : bool, default False
            Call it as ``hook(module, args, kwargs)``; it then returns None or a pair.

        Returns
        -------
        RemovableHandle

        Examples
        --------
        >>> import minitorch as torch
        >>> layer = torch.nn.Identity()
        >>> handle = layer.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
        >>> layer(torch.ones(2))
        tensor([2., 2.])
        """
        return register(
            self._forward_pre_hooks,
            hook,
            prepend,
            with_kwargs=(self._forward_pre_hooks_with_kwargs, with_kwargs),
        )

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """Call ``hook(module, args, output)`` after `forward`.

        Parameters
        ----------
        hook : callable
            Its return value, unless None, replaces the output.
        prepend : bool, default False
            Call the hook before the existing ones instead of after them.
        with_kwargs : bool, default False
            Call it as ``hook(module, args, kwargs, output)``.
        always_call : bool, default False
            Call it even after an exception; the output is None if there is none yet.

        Returns
        -------
        RemovableHandle

        Examples
        --------
        >>> import minitorch as torch
        >>> layer = torch.nn.Identity()
        >>> handle = layer.register_forward_hook(lambda module, args, output: output + 1)
        >>> layer(torch.ones(2))
        tensor([2., 2.])
        """
        return register(
            self._forward_hooks,
            hook,
            prepend,
            with_kwargs=(self._forward_hooks_with_kwargs, with_kwargs),
            always_call=(self._forward_hooks_always_called, always_call),
        )

    # ---- backward

    def register_full_backward_pre_hook(self, hook, prepend=False):
        """Call ``hook(module, grad_output)`` once the gradients of the outputs are computed.

        Parameters
        ----------
        hook : callable
            Its return value, unless None, is a tuple that replaces `grad_output`.
        prepend : bool, default False
            Call the hook before the existing ones instead of after them.

        Returns
        -------
        RemovableHandle

        Examples
        --------
        >>> import minitorch as torch
        >>> layer = torch.nn.Identity()
        >>> handle = layer.register_full_backward_pre_hook(lambda module, grads: (grads[0] * 5,))
        >>> x = torch.tensor(1.0, requires_grad=True)
        >>> layer(x).backward()
        >>> x.grad
        tensor(5.)
        """
        return register(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        """Call ``hook(module, grad_input, grad_output)`` once the inputs' gradients are computed.

        Parameters
        ----------
        hook : callable
            Its return value, unless None, is a tuple that replaces `grad_input`.
        prepend : bool, default False
            Call the hook before the existing ones instead of after them.

        Returns
        -------
        RemovableHandle

        Raises
        ------
        RuntimeError
            When the module has hooks of `register_backward_hook`.

        Warns
        -----
        UserWarning
            In the backward pass, when no input of the module requires grad; in the call, when the
            output is neither a tensor nor a tuple.

        Examples
        --------
        >>> import minitorch as torch
        >>> layer = torch.nn.ReLU()
        >>> handle = layer.register_full_backward_hook(lambda module, *grads: print(*grads))
        >>> layer(torch.tensor(-1.0, requires_grad=True)).backward()
        (tensor(0.),) (tensor(1.),)
        """
        self._set_kind_of_backward_hooks(full=True)
        return register(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook):
        """Register a hook on the node that made the output.

        This is the old form of `register_full_backward_hook`.

        Parameters
        ----------
        hook : callable
            ``hook(module, grad_input, grad_output)``

        Returns
        -------
        RemovableHandle

        Raises
        ------
        RuntimeError
            When the module has hooks of `register_full_backward_hook`.

        Warns
        -----
        FutureWarning
            In the call, when the hook will not receive all gradients.
        """
        self._set_kind_of_backward_hooks(full=False)
        return register(self._backward_hooks, hook)

    def _set_kind_of_backward_hooks(self, full):
        if self._is_full_backward_hook is (not full):
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. Please "
                "use only one of them."
            )
        self._is_full_backward_hook = full

    # ---- state

    def register_state_dict_pre_hook(self, hook):
        """Call ``hook(module, prefix, keep_vars)`` before `state_dict` begins.

        Parameters
        ----------
        hook : callable

        Returns
        -------
        RemovableHandle
        """
        return register(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook):
        """Call ``hook(module, state_dict, prefix, local_metadata)`` at the end of `state_dict`.

        Parameters
        ----------
        hook : callable
            It may modify the dictionary, and must return None.

        Returns
        -------
        RemovableHandle

        Examples
        --------
        >>> import minitorch as torch
        >>> layer = torch.nn.Linear(1, 1)
        >>> def without_bias(module, state_dict, prefix, local_metadata):
        ...     del state_dict[prefix + "bias"]
        >>> handle = layer.register_state_dict_post_hook(without_bias)
        >>> list(layer.state_dict())
        ['weight']
        """
        # marks the hook as one that must return None, see `state_dict`
        hook._from_public_api = True
        return register(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook):
        """Register a `state_dict` post-hook whose result, unless None, replaces the dictionary."""
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was previously "
                "registered via register_state_dict_post_hook"
            )
        return register(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook):
        """Call a hook before `load_state_dict` loads this module's own state.

        Parameters
        ----------
        hook : callable
            ``hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
            error_msgs)``. It may modify the dictionary and the lists.

        Returns
        -------
        RemovableHandle
        """
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        return register(
            self._load_state_dict_pre_hooks, WrappedHook(hook, self if with_module else None)
        )

    def register_load_state_dict_post_hook(self, hook):
        """Call ``hook(module, incompatible_keys)`` after `load_state_dict` has loaded this module.

        Parameters
        ----------
        hook : callable
            It may modify the two lists of `incompatible_keys`, and must return None.

        Returns
        -------
        RemovableHandle
        """
        return register(self._load_state_dict_post_hooks, hook)
