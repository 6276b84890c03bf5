"""Where PyTorch's makers put what differs inside their company; here it is what everybody has."""

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
    """A path below the folder that the package is in."""
    package = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(os.path.dirname(package), *path_components)


def get_file_path_2(*path_components):
    """The components of a path, joined."""
    return os.path.join(*path_components)


def get_writable_path(path):
    """The path if it can be written to, else a new folder."""
    return path if os.access(path, os.W_OK) else tempfile.mkdtemp(suffix=os.path.basename(path))


def resolve_library_path(path):
    """A path without symbolic links."""
    return os.path.realpath(path)


def deprecated():
    """Decorator of a function ``_name``: its module gets ``name`` too, which warns when it is called.

    Raises
    ------
    ValueError
        When the name does not begin with an underscore.
    RuntimeError
        When the module has the other name already.
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
