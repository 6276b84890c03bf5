"""Fake kernels generated from recorded calls, which are absent."""

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
    """No recorded profile matches a call."""


@dataclass(frozen=True)
class TensorMetadata:
    """Recorded metadata of a tensor."""

    rank: int
    dtype: object
    device: object
    layout: object

    @staticmethod
    def maybe_from_tensor(t):
        """Return the metadata of a tensor, or None for other objects."""
        if not hasattr(t, "layout"):
            return None
        return TensorMetadata(t.dim(), t.dtype, t.device, t.layout)


@dataclass(frozen=True)
class OpProfile:
    """Recorded metadata of the arguments and results of a call."""

    args_profile: tuple
    out_profile: object


_MODULE = "torch._library.fake_profile"
generate_yaml_from_profiles = absent(f"{_MODULE}.generate_yaml_from_profiles")
load_op_profiles = absent(f"{_MODULE}.load_op_profiles")
read_profiles_from_yaml = absent(f"{_MODULE}.read_profiles_from_yaml")
save_op_profiles = absent(f"{_MODULE}.save_op_profiles")
unsafe_generate_fake_kernels = absent(f"{_MODULE}.unsafe_generate_fake_kernels")
