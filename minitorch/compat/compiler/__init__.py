"""Names around `compile`. Nothing is compiled: decorators return their argument."""

from minitorch.compiler._optimized_module import compile

__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "compile",
    "cudagraph_mark_step_begin",
    "disable",
    "is_compiling",
    "is_dynamo_compiling",
    "is_exporting",
    "list_backends",
    "reset",
    "set_stance",
    "substitute_in_graph",
]


def is_compiling():
    """Return False, since nothing is compiled."""
    return False


def is_dynamo_compiling():
    """Return False, since nothing is compiled."""
    return False


def is_exporting():
    """Return False, since nothing is exported."""
    return False


def list_backends(exclude_tags=("debug", "experimental")):
    """Return an empty list, since there is no compiler."""
    return []


def reset():
    """Do nothing, since nothing was compiled."""


def disable(fn=None, recursive=True, *, reason=None):
    """Return the function unchanged; with or without arguments to the decorator."""
    return (lambda function: function) if fn is None else fn


def allow_in_graph(fn):
    """Return the function unchanged."""
    return fn


def assume_constant_result(fn):
    """Return the function unchanged."""
    return fn


def substitute_in_graph(original_fn, **kwargs):
    """Return a decorator that returns its function unchanged."""
    return lambda function: function


def cudagraph_mark_step_begin():
    """Do nothing; marks the beginning of a step for CUDA graphs."""


class set_stance:
    """Set what is compiled, globally or in a block; it has no effect."""

    def __init__(self, stance="default", **options):
        self.stance = stance

    def __enter__(self):
        return None

    def __exit__(self, *error):
        return None

    def __call__(self, function):
        return function
