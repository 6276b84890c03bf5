"""The profiler's former class; `torch.profiler` is the present one."""

from minitorch.autograd import profiler

__all__ = ["profile"]


class profile(profiler.profile):
    """Measure what runs in a block, as `torch.autograd.profiler.profile` does. Deprecated.

    Parameters
    ----------
    enabled : bool, default True
    use_cuda, record_shapes, with_flops, profile_memory, with_stack, with_modules : bool
        As those of the present class.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.autograd.profiler_legacy import profile
    >>> with profile() as prof:
    ...     y = torch.ones(2) + 1
    >>> "aten::add" in [e.name for e in prof.function_events]
    True
    """

    def __init__(
        self,
        enabled=True,
        *,
        use_cuda=False,
        record_shapes=False,
        with_flops=False,
        profile_memory=False,
        with_stack=False,
        with_modules=False,
    ):
        super().__init__(
            enabled,
            use_cuda=use_cuda,
            record_shapes=record_shapes,
            with_flops=with_flops,
            profile_memory=profile_memory,
            with_stack=with_stack,
            with_modules=with_modules,
        )
