"""Results without data made up from recorded calls, for PyTorch's export: not here."""

from dataclasses import dataclass

from minitorch.namespace.absent import absent

__all__ = [
    "MissingOpProfile",
    "OpProfile",
    "TensorMetadata",
    "generate_yaml_from_profiles",
    "load_op_profiles",
    "read_profiles_from_yaml",
    "save_op_profiles",
    "unsafe_generate_fake_kernels",
]


class MissingOpProfile(RuntimeError):
    """No call like this one was recorded."""


@dataclass(frozen=True)
class TensorMetadata:
    """What is recorded of a tensor."""

    rank: int
    dtype: object
    device: object
    layout: object

    @staticmethod
    def maybe_from_tensor(t):
        """Of a tensor, or None of what is none."""
        if not hasattr(t, "layout"):
            return None
        return TensorMetadata(t.dim(), t.dtype, t.device, t.layout)


@dataclass(frozen=True)
class OpProfile:
    """A call: what is recorded of its arguments and results."""

    args_profile: tuple
    out_profile: object


_MODULE = "torch._library.fake_profile"
generate_yaml_from_profiles = absent(f"{_MODULE}.generate_yaml_from_profiles")
load_op_profiles = absent(f"{_MODULE}.load_op_profiles")
read_profiles_from_yaml = absent(f"{_MODULE}.read_profiles_from_yaml")
save_op_profiles = absent(f"{_MODULE}.save_op_profiles")
unsafe_generate_fake_kernels = absent(f"{_MODULE}.unsafe_generate_fake_kernels")
