"""The profiler's names: blocks run, and nothing is measured. `autograd.trace` shows a backward pass."""

import functools

__all__ = ["EventList", "emit_nvtx", "profile", "record_function"]


class record_function:
    """Name a block or a function in a profile; nothing is noted."""

    def __init__(self, name, args=None):
        self.name = name
        self.args = args

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def __call__(self, func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            with self:
                return func(*args, **kwargs)

        return wrapper


class profile:
    """Measure operators in a block, which is not part of minitorch unless `enabled` is False.

    Raises
    ------
    NotImplementedError
        When a block is entered.
    """

    def __init__(self, enabled=True, **options):
        self.enabled = enabled

    def __enter__(self):
        if self.enabled:
            raise NotImplementedError("torch.autograd.profiler.profile is not part of minitorch")
        return None

    def __exit__(self, *error):
        return None


class emit_nvtx(profile):
    """Marks for NVIDIA's profiler, which are not part of minitorch unless `enabled` is False."""


class EventList(list):
    """What a profile has measured; there is none.

    Raises
    ------
    NotImplementedError
        When one is made, or asked for a table.
    """

    def __init__(self, *args, **options):
        raise NotImplementedError("torch.autograd.profiler.EventList is not part of minitorch")

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55,
              max_shapes_column_width=80, header=None, top_level_events_only=False,
              time_unit=None):  # fmt: skip
        """The events as a table."""
        raise NotImplementedError("torch.autograd.profiler.EventList is not part of minitorch")
