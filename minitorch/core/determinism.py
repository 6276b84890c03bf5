"""The setting for deterministic algorithms, and the error of an operator that has none."""

import warnings

__all__ = ["alert_not_deterministic", "mode"]

# the arguments of `use_deterministic_algorithms`
mode = {"deterministic": False, "warn_only": False}


def alert_not_deterministic(name):
    """Raise an error or warn about an operator if deterministic algorithms are required.

    Parameters
    ----------
    name : str
        The name of the operator in PyTorch, such as ``put_``.

    Raises
    ------
    RuntimeError
        If deterministic algorithms are required, and not only by warnings.
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
