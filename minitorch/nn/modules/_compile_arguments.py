"""The arguments of ``torch.compile``, and the errors for wrong ones."""

# PyTorch's backends; none is available, so each of them runs programs uncompiled
_BACKENDS = frozenset(
    """
    aot_eager aot_eager_decomp_partition aot_eager_decomp_partition_crossref aot_eager_decomp_partition_with_mode
    aot_eager_default_partitioner aot_ts cudagraphs dynamo_accuracy_minifier_backend dynamo_minifier_backend eager
    eager_debug eager_noexcept inductor invoke_subgraph non_leaf_compile_error_TESTING_ONLY openxla openxla_eval
    pre_dispatch_eager relu_accuracy_error_TESTING_ONLY relu_compile_error_TESTING_ONLY
    relu_runtime_error_TESTING_ONLY ts tvm
    """.split()
)
_MODES = ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")


class TorchDynamoException(RuntimeError):
    """An error of the compiler."""


class InvalidBackend(TorchDynamoException):
    """There is no backend of the given name.

    Examples
    --------
    >>> from minitorch._dynamo.exc import InvalidBackend
    >>> raise InvalidBackend("fast")
    Traceback (most recent call last):
    minitorch._dynamo.exc.InvalidBackend: Invalid backend: 'fast', see `torch._dynamo.list_backends()` for available backends.
    """

    def __init__(self, name):
        super().__init__(
            f"Invalid backend: {name!r}, see `torch._dynamo.list_backends()` for available backends."
        )


TorchDynamoException.__module__ = InvalidBackend.__module__ = "minitorch._dynamo.exc"


def check_backend(backend):
    """Raise InvalidBackend for a backend name that PyTorch does not have either."""
    if isinstance(backend, str) and backend not in _BACKENDS:
        raise InvalidBackend(backend)


def compile(
    model=None,
    *,
    fullgraph=False,
    dynamic=None,
    backend=None,
    mode=None,
    options=None,
    name=None,
    disable=False,
    recompile_limit=None,
    isolate_recompiles=False,
    shapes_spec=None,
):
    """Check the arguments of `torch.compile`; its name is in the text of a TypeError."""
    if mode is not None and options is not None:
        raise RuntimeError(
            "Either mode or options can be specified, but both can't be specified at the same time."
        )
    check_backend(backend)
    if backend in (None, "inductor") and mode is not None and mode not in _MODES:
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(_MODES)}")
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
