"""Names around `compile`, which compiles nothing here: decorators pass on, questions say no."""

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
    """Whether this is being compiled: no."""
    return False


def is_dynamo_compiling():
    """Whether this is being compiled: no."""
    return False


def is_exporting():
    """Whether this is being exported: no."""
    return False


def list_backends(exclude_tags=("debug", "experimental")):
    """The compilers: none."""
    return []


def reset():
    """Forget what was compiled: nothing."""


def disable(fn=None, recursive=True, *, reason=None):
    """The function itself, with or without arguments to the decorator."""
    return (lambda function: function) if fn is None else fn


def allow_in_graph(fn):
    """The function itself."""
    return fn


def assume_constant_result(fn):
    """The function itself."""
    return fn


def substitute_in_graph(original_fn, **kwargs):
    """The function decorated, itself."""
    return lambda function: function


def cudagraph_mark_step_begin():
    """Begin a step: nothing is done."""


class set_stance:
    """Say what is to be compiled, from now on or in a block: nothing is."""

    def __init__(self, stance="default", **options):
        self.stance = stance

    def __enter__(self):
        return None

    def __exit__(self, *error):
        return None

    def __call__(self, function):
        return function
