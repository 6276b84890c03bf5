"""``torch.signal``: signal windows, in :mod:`minitorch.signal.windows`."""

from minitorch.signal import windows as windows
