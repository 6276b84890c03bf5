"""Anomaly mode, which shows the forward call behind an error in the backward pass."""

import warnings

from minitorch.autograd.anomaly import (
    enter_anomaly,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    leave_anomaly,
    set_anomaly_enabled,
)

__all__ = ["detect_anomaly", "set_detect_anomaly"]


class detect_anomaly:
    """Context manager for debugging: an error in a backward pass shows the forward call behind it.

    Also, a gradient with a NaN is an error. This mode slows down recording and the backward pass.

    Parameters
    ----------
    check_nan : bool, default True
        Raise RuntimeError if a node returns a gradient with a NaN.

    Examples
    --------
    >>> import warnings
    >>> import minitorch as torch
    >>> warnings.simplefilter("ignore")
    >>> with torch.autograd.detect_anomaly():
    ...     x = torch.zeros(1, requires_grad=True)
    ...     try:
    ...         (x / x).sum().backward()
    ...     except RuntimeError as error:
    ...         print(error)
    Function 'DivBackward0' returned nan values in its 1th output.
    """

    def __init__(self, check_nan=True):
        self.prev = is_anomaly_enabled()
        self.check_nan = check_nan
        self.prev_check_nan = is_anomaly_check_nan_enabled()
        warnings.warn(
            "Anomaly Detection has been enabled. "
            "This mode will increase the runtime "
            "and should only be enabled for debugging.",
            stacklevel=2,
        )

    __enter__ = enter_anomaly
    __exit__ = leave_anomaly


class set_detect_anomaly:
    """Switch anomaly mode on or off, from the call on or for a ``with`` block.

    Parameters
    ----------
    mode : bool
    check_nan : bool, default True
        Raise RuntimeError if a node returns a gradient with a NaN.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    >>> torch.is_anomaly_enabled()
    False
    """

    def __init__(self, mode, check_nan=True):
        self.prev = is_anomaly_enabled()
        self.prev_check_nan = is_anomaly_check_nan_enabled()
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self):
        pass

    __exit__ = leave_anomaly
