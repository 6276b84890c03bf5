"""The public names of minitorch: functions, classes and attributes of tensors, by namespace."""

import importlib
import inspect
import types

# namespaces of the public interface, as a program writes them behind ``torch.``
NAMESPACES = """
    torch Tensor nn nn.functional nn.init nn.utils nn.utils.rnn nn.utils.parametrize nn.utils.parametrizations
    nn.utils.prune nn.attention optim optim.lr_scheduler optim.swa_utils autograd autograd.functional autograd.graph
    autograd.forward_ad autograd.function autograd.profiler func linalg fft special sparse distributions
    distributions.constraints distributions.transforms utils.data utils.checkpoint utils.hooks utils.dlpack
    utils.flop_counter random amp signal.windows overrides library testing serialization hub masked profiler
    distributed nn.parallel distributed.algorithms distributed.algorithms.ddp_comm_hooks
    distributed.algorithms.ddp_comm_hooks.default_hooks distributed.optim distributed.checkpoint
    distributed.checkpoint.state_dict
""".split()
# names in the reference that are our own, or inside a namespace that is not listed above
EXTRA = {
    "autograd.engine": ["Engine"],
    "autograd.engine_steps": ["unpack_arguments", "call_tensor_pre_hooks", "call_function"],
    "autograd.events": ["Observer"],
    "legacy": ["Variable", "backward", "grad", "lift", "ImperativeEngine"],
    "legacy.autograd": ["Function"],
}


def every_name() -> dict[str, list[str]]:
    """Return the names of the reference by namespace."""
    return {space: list(public_names(space)) for space in NAMESPACES} | EXTRA


def namespace_of(path: str):
    import minitorch

    if path == "torch":
        return minitorch
    return minitorch.Tensor if path == "Tensor" else importlib.import_module(f"minitorch.{path}")


def is_public(value, where: str) -> bool:
    if where == "Tensor":
        return True
    if isinstance(value, types.ModuleType) or not callable(value):
        return False
    home = getattr(value, "__module__", None) or "minitorch"
    return home.partition(".")[0] in ("minitorch", "torch", "builtins")


def public_names(path: str) -> dict[str, object]:
    """Return the public functions and classes of a namespace, or the attributes of Tensor."""
    home = namespace_of(path)
    found = {}
    for name in sorted(getattr(home, "__all__", None) or dir(home)):
        if name.startswith("_"):
            continue
        try:
            get = inspect.getattr_static if path == "Tensor" else getattr
            value = get(home, name)
        except (AttributeError, ImportError):  # stand-ins of modules that are not here
            continue
        value = getattr(value, "__func__", value)
        if is_public(value, path):
            found[name] = value
    return found


def forms_of(value) -> list[inspect.Signature]:
    from minitorch.autograd.functions import documentation
    from minitorch.autograd.functions.overridable import OverridableFunction

    if isinstance(value, OverridableFunction):
        return documentation.signatures(value)
    try:
        return [inspect.signature(value)]
    except (TypeError, ValueError):
        return []


def resolve(full: str):
    """Return the value of a full name, ``"add"``, ``"Tensor.add"`` or ``"nn.Linear"``.

    Attributes of Tensor are returned themselves, not their values.
    """
    import minitorch

    path, _, name = full.rpartition(".")
    if path == "Tensor":
        value = inspect.getattr_static(minitorch.Tensor, name)
        return getattr(value, "__func__", value)
    if path in NAMESPACES or not path:
        return getattr(namespace_of(path or "torch"), name)
    return getattr(importlib.import_module(f"minitorch.{path}"), name)
