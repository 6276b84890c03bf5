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

    _is_present = False

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
            use_device="cuda" if use_cuda else None,
            record_shapes=record_shapes,
            with_flops=with_flops,
            profile_memory=profile_memory,
            with_stack=with_stack,
            with_modules=with_modules,
        )

    def config(self):
        """Return the settings."""
        return super().config()

    def _check_finish(self):
        if not self._is_complete:
            raise RuntimeError("Profiler didn't finish running")

    def _ensured(self):
        self._check_finish()
        return super()._ensured()

    @property
    def function_events(self):
        """The events, in the order they began; None before the end."""
        return self._events if self._is_complete else None

    def export_chrome_trace(self, path):
        """Write the events as JSON that chrome://tracing and Perfetto show."""
        return self._ensured().export_chrome_trace(path)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0):
        """Return the events, combined by name; see `EventList.key_averages`."""
        return super().key_averages(group_by_input_shape, group_by_stack_n)

    def _prepare_trace(self):
        self.entered = True

    def _collect(self):
        if self._recorder is None:
            raise RuntimeError("Expected debug info of type PROFILER_STATE")
        super()._collect()
        for event in self.function_events:
            event.is_legacy, event.kwinputs = True, None
        return False

    def __repr__(self):
        done = self._is_complete
        return repr(self.function_events) if done else "<unfinished profiler_legacy.profile>"

    def __str__(self):
        done = self._is_complete
        return str(self.function_events) if done else "<unfinished profile.profiler_legacy.profile>"
