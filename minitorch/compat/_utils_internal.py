"""Helpers that PyTorch's developers override internally, in their public versions."""

import functools
import os
import sys
import tempfile
import warnings

__all__ = [
    "deprecated",
    "get_file_path",
    "get_file_path_2",
    "get_writable_path",
    "resolve_library_path",
]


def get_file_path(*path_components):
    """Return a path relative to the folder that contains the package."""
    package = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(os.path.dirname(package), *path_components)


def get_file_path_2(*path_components):
    """Join the components of a path."""
    return os.path.join(*path_components)


def get_writable_path(path):
    """Return the path if it is writable, else a new temporary folder."""
    return path if os.access(path, os.W_OK) else tempfile.mkdtemp(suffix=os.path.basename(path))


def resolve_library_path(path):
    """Resolve the symbolic links of a path."""
    return os.path.realpath(path)


def deprecated():
    """Return a decorator for functions ``_name`` that adds a deprecated alias ``name``.

    The alias is added to the function's module and warns when it is called.

    Raises
    ------
    ValueError
        If the name does not start with an underscore.
    RuntimeError
        If the module already has an object with the alias's name.
    """

    def decorator(func):
        if not func.__name__.startswith("_"):
            raise ValueError(
                "@deprecate must decorate a function whose name "
                "starts with a single leading underscore (e.g. '_foo') as the api should be considered "
                "internal for deprecation."
            )
        name = func.__name__[1:]
        module = sys.modules[func.__module__]
        if hasattr(module, name):
            raise RuntimeError(
                f"Cannot create alias '{name}' -> symbol already exists in {module.__name__}. "
                "                Please rename it or consult a pytorch developer on what to do"
            )

        @functools.wraps(func)
        def alias(*args, **kwargs):
            warnings.warn(
                f"{name} is DEPRECATED, please consider using an alternative API(s). ",
                category=UserWarning,
                stacklevel=2,
            )
            return func(*args, **kwargs)

        outer = func.__qualname__.rpartition(".")[0]
        alias.__name__, alias.__qualname__ = name, f"{outer}.{name}" if outer else name
        setattr(module, name, alias)
        return func

    return decorator
