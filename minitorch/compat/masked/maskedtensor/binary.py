"""Elementwise functions of two operands, which must have equal masks."""

from minitorch._dispatch.operators import ops

BINARY_NAMES = """
add atan2 arctan2 bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift div divide
floor_divide fmod logaddexp logaddexp2 mul multiply nextafter remainder sub subtract true_divide eq ne le ge
greater greater_equal gt less_equal lt less maximum minimum fmax fmin not_equal
""".split()
_NOT_IN_PLACE = ("fmax", "fmin", "logaddexp", "logaddexp2", "maximum", "minimum")
INPLACE_BINARY_NAMES = [name + "_" for name in BINARY_NAMES if name not in _NOT_IN_PLACE]
NATIVE_BINARY_FNS = [getattr(ops.aten, name) for name in BINARY_NAMES]
NATIVE_INPLACE_BINARY_FNS = [getattr(ops.aten, name) for name in INPLACE_BINARY_NAMES]
