"""Registration of code generators by device, which is absent."""

from minitorch.namespace.absent import absent

__all__ = [
    "get_custom_backend_config_for_device",
    "get_custom_backend_pass_for_device",
    "get_scheduling_for_device",
    "get_wrapper_codegen_for_device",
    "init_backend_registration",
    "register_backend_for_device",
]


def _absent(name):
    return absent(f"torch._inductor.codegen.common.{name}")


get_custom_backend_config_for_device = _absent("get_custom_backend_config_for_device")
get_custom_backend_pass_for_device = _absent("get_custom_backend_pass_for_device")
get_scheduling_for_device = _absent("get_scheduling_for_device")
get_wrapper_codegen_for_device = _absent("get_wrapper_codegen_for_device")
init_backend_registration = _absent("init_backend_registration")
register_backend_for_device = _absent("register_backend_for_device")
