"""Whether algorithms are asked to give the same result each time, and what is said where one does not."""

import warnings

__all__ = ["alert_not_deterministic", "mode"]

# what `use_deterministic_algorithms` was given
mode = {"deterministic": False, "warn_only": False}


def alert_not_deterministic(name):
    """Refuse the operator, or warn of it, if deterministic algorithms were asked for.

    Parameters
    ----------
    name : str
        That of the operator in PyTorch, ``put_``.

    Raises
    ------
    RuntimeError
        Unless only warnings were asked for.
    """
    if not mode["deterministic"]:
        return
    advice = (
        "You can file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding "
        "deterministic support for this operation."
    )
    if mode["warn_only"]:
        warnings.warn(
            f"{name} does not have a deterministic implementation, but you set "
            f"'torch.use_deterministic_algorithms(True, warn_only=True)'. {advice}",
            stacklevel=2,
        )
        return
    raise RuntimeError(
        f"{name} does not have a deterministic implementation, but you set "
        "'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for this operation, or "
        "you can use the 'warn_only=True' option, if that's acceptable for your application. "
        f"{advice.replace('can file', 'can also file')}"
    )
