"""Calling a module that has hooks."""


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)


def call_with_hooks(module, args, kwargs):
    """Pre-hooks, forward, hooks."""
    for key, hook in list(module._forward_pre_hooks.items()):
        if key in module._forward_pre_hooks_with_kwargs:
            changed = hook(module, args, kwargs)
            if changed is not None:
                if not isinstance(changed, tuple) or len(changed) != 2:
                    raise RuntimeError(
                        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                        f"but got {changed}."
                    )
                args, kwargs = changed
        else:
            changed = hook(module, args)
            if changed is not None:
                args = _tuple(changed)
    output = module.forward(*args, **kwargs)
    for key, hook in list(module._forward_hooks.items()):
        if key in module._forward_hooks_with_kwargs:
            changed = hook(module, args, kwargs, output)
        else:
            changed = hook(module, args, output)
        if changed is not None:
            output = changed
    return output
