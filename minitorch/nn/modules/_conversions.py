"""Conversions of all parameters and buffers of a module to a dtype, a device or a memory format."""

import warnings

from minitorch.autograd.functions.creation import empty_like
from minitorch.core.types import device as _device
from minitorch.nn.modules._compile_arguments import compile as check_arguments
from minitorch.nn.parameter import UninitializedTensorMixin
from minitorch.parsing.parser import bind

_TO = [
    "to(Device? device=None, ScalarType? dtype=None, bool non_blocking=False, bool copy=False, *, "
    "MemoryFormat? memory_format=None)",
    "to(ScalarType dtype, bool non_blocking=False, bool copy=False, *, "
    "MemoryFormat? memory_format=None)",
    "to(Tensor tensor, bool non_blocking=False, bool copy=False, *, "
    "MemoryFormat? memory_format=None)",
]

_NO_DATA = "Cannot copy out of meta tensor; no data!"


def _parse_to(*args, **kwargs):
    """Return the device, dtype, non_blocking and memory format of a `Module.to` call."""
    form, values = bind(_TO, args, kwargs, name="to")
    *values, non_blocking, copy, memory_format = values
    if copy:
        raise RuntimeError(".to() does not accept copy argument")
    if form == 0:
        device, dtype = values
    elif form == 1:
        device, dtype = None, values[0]
    else:
        device, dtype = values[0].device, values[0].dtype
    return device, dtype, bool(non_blocking), memory_format


class Conversions:
    """Mixin of `Module` that converts its parameters and buffers."""

    def to(self, *args, **kwargs):
        """Move to a device and convert: ``to(device, dtype)``, ``to(dtype)``, ``to(tensor)``.

        Only floating-point and complex tensors change their dtype. ``memory_format`` applies to
        tensors with four or five dimensions.

        Raises
        ------
        TypeError
            For an integer dtype.
        """
        device, dtype, _, memory_format = _parse_to(*args, **kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                f"dtype={dtype}"
            )

        if dtype is not None and dtype.is_complex:
            warnings.warn(
                "Complex modules are a new feature under active development whose design may change, "
                "and some modules might not work as expected when using complex tensors as parameters "
                "or buffers. Please file an issue at "
                "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml "
                "if a complex module does not work as expected.",
                UserWarning,
                stacklevel=2,
            )

        def convert(tensor):
            wanted = dtype if tensor.is_floating_point() or tensor.is_complex() else None
            by_format = memory_format is not None and tensor.dim() in (4, 5)
            try:
                return tensor.to(device, wanted, memory_format=memory_format if by_format else None)
            except NotImplementedError as error:
                if str(error) != _NO_DATA:
                    raise
                raise NotImplementedError(
                    f"{_NO_DATA} Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when "
                    "moving module from meta to a different device."
                ) from None

        return self._apply(convert)

    def type(self, dst_type):
        """Convert all parameters and buffers to a dtype, which may be the name of a tensor type."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self):
        """Convert floating-point parameters and buffers to float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self):
        """Convert floating-point parameters and buffers to float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self):
        """Convert floating-point parameters and buffers to float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self):
        """Convert floating-point parameters and buffers to bfloat16."""
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def cpu(self):
        """Move all parameters and buffers to the CPU."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device=None):
        """Call `cuda` of every tensor, which raises: there is no CUDA."""
        return self._apply(lambda t: t.cuda(device))

    def xpu(self, device=None):
        """Call `xpu` of every tensor, which raises: there is no XPU."""
        return self._apply(lambda t: t.xpu(device))

    def ipu(self, device=None):
        """Call `ipu` of every tensor, which raises: there is no IPU."""
        return self._apply(lambda t: t.ipu(device))

    def mtia(self, device=None):
        """Call `mtia` of every tensor, which raises: there is no MTIA."""
        return self._apply(lambda t: t.mtia(device))

    def to_empty(self, *, device, recurse=True):
        """Allocate new, uninitialized memory for all parameters and buffers."""
        return self._apply(lambda t: empty_like(t, device=_device(device)), recurse=recurse)

    def share_memory(self):
        """Move parameters and buffers to shared memory; see `Tensor.share_memory_`."""
        for tensor in (*self.parameters(), *self.buffers()):
            if isinstance(tensor, UninitializedTensorMixin):
                tensor.share_memory_()  # raises an error that says what to do first
        return self._apply(lambda t: t.share_memory_())

    def compile(self, *args, **kwargs):
        """Check the arguments as `torch.compile` does; there is no compiler."""
        check_arguments(self, *args, **kwargs)
