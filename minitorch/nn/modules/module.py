"""`Module`: the base class that registers parameters, buffers and child modules.

An attribute that is a `Parameter`, a `Module` or a registered buffer is stored in one of three
dictionaries, and ``__getattr__`` reads it from there. Every other attribute is an ordinary one.
"""

import inspect
from typing import Any, TypeVar

from minitorch.__future__ import (
    get_overwrite_module_params_on_conversion,
    get_swap_module_params_on_conversion,
)
from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.error_pages import explained
from minitorch.nn.modules._conversions import Conversions
from minitorch.nn.modules._global_hooks import (
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from minitorch.nn.modules._hook_methods import Hooks, add_tables
from minitorch.nn.modules._hooks import call_with_hooks, everywhere
from minitorch.nn.modules._state import _EXTRA_STATE as _EXTRA_STATE_KEY_SUFFIX  # noqa: F401
from minitorch.nn.modules._state import State, _IncompatibleKeys  # noqa: F401 (a name to import)
from minitorch.nn.modules._tree import Tree
from minitorch.nn.parameter import Buffer, Parameter
from minitorch.tensors.tensor_types import typename
from minitorch.utils._swap import swap_tensors

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

# `Module.__call__` reads these in every call
_global_forward_hooks = everywhere.forward
_global_forward_pre_hooks = everywhere.forward_pre
_global_backward_hooks = everywhere.backward
_global_backward_pre_hooks = everywhere.backward_pre
_global_buffer_registration_hooks = everywhere.buffer_registration
_global_module_registration_hooks = everywhere.module_registration
_global_parameter_registration_hooks = everywhere.parameter_registration


def _forward_unimplemented(self, *input):
    """Raise NotImplementedError; subclasses override `forward`."""
    raise explained(
        NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        ),
        "module-without-forward",
    )


def _check_name(kind, module, name, place):
    if not isinstance(name, str):
        raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
    if "." in name:
        raise KeyError(
            f'{kind} name can\'t contain "."' + ("" if kind != "module" else f", got: {name}")
        )
    if name == "":
        raise KeyError(f'{kind} name can\'t be empty string ""')
    if hasattr(module, name) and name not in place:
        raise KeyError(f"attribute '{name}' already exists")


def _reject_arguments(module, args, kwargs):
    """Raise the TypeError that Python raises for unexpected arguments."""
    name = f"{type(module).__name__}.__init__()"
    if kwargs:
        raise TypeError(f"{name} got an unexpected keyword argument '{next(iter(kwargs))}'")
    if args:
        raise TypeError(f"{name} takes 1 positional argument but {len(args) + 1} were given")


def _addindent(s_, numSpaces):
    """Indent every line of a text except the first one and the blank ones."""
    first, *rest = s_.split("\n")
    return "\n".join([first, *(" " * numSpaces + line if line.strip() else "" for line in rest)])


class Module(Tree, State, Hooks, Conversions):
    """The base class of layers and networks.

    A subclass creates its parameters, tensors of any shape, and submodules in ``__init__`` and
    defines `forward`.

    Parameters
    ----------
    *args, **kwargs
        None are allowed, unless a subclass takes them.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Linear(2, 3)
    Linear(in_features=2, out_features=3, bias=True)
    """

    _version = 1
    training: bool
    dump_patches = False
    call_super_init = False
    T_destination = TypeVar("T_destination", bound=dict[str, Any])

    def __init__(self, *args, **kwargs):
        if not self.call_super_init:
            _reject_arguments(self, args, kwargs)
        write = super().__setattr__
        write("training", True)
        write("_parameters", {})
        write("_buffers", {})
        write("_non_persistent_buffers_set", set())
        add_tables(self.__dict__)
        write("_modules", {})
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    forward = _forward_unimplemented

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not (
            self._backward_hooks
            or self._backward_pre_hooks
            or self._forward_hooks
            or self._forward_pre_hooks
            or _global_forward_hooks
            or _global_forward_pre_hooks
            or _global_backward_hooks
            or _global_backward_pre_hooks
        ):
            return self.forward(*args, **kwargs)
        return call_with_hooks(self, args, kwargs)

    _call_impl = _wrapped_call_impl = __call__

    def _slow_forward(self, *args, **kwargs):
        """Call `forward`; a tracer would call this method, but there is none here."""
        return self.forward(*args, **kwargs)

    def _replicate_for_data_parallel(self):
        """Return a copy without parameters, with its own tables of buffers and modules."""
        replica = self.__new__(type(self))
        replica.__dict__ = self.__dict__.copy()
        replica._parameters = {}
        replica._buffers = replica._buffers.copy()
        replica._modules = replica._modules.copy()
        replica._is_replica = True
        return replica

    # ---- registration

    def register_buffer(self, name, tensor, persistent=True):
        """Register a tensor that belongs to the module's state but is not a parameter."""
        if "_buffers" not in self.__dict__:
            raise explained(
                AttributeError("cannot assign buffer before Module.__init__() call"),
                "module-without-init",
            )
        _check_name("buffer", self, name, self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = everywhere.registered("buffer", self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        """Register a parameter; None reserves the name."""
        if "_parameters" not in self.__dict__:
            raise explained(
                AttributeError("cannot assign parameter before Module.__init__() call"),
                "module-without-init",
            )
        _check_name("parameter", self, name, self._parameters)
        if param is None:
            self._parameters[name] = None
        elif not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        elif param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created "
                f"explicitly. To express '{name}' as a function of another Tensor, compute the value in "
                "the forward() method."
            )
        else:
            self._parameters[name] = everywhere.registered("parameter", self, name, param)

    def add_module(self, name, module):
        """Register a child module; None reserves the name."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        _check_name("module", self, name, self._modules)
        self._modules[name] = everywhere.registered("module", self, name, module)

    register_module = add_module

    def __getattr__(self, name):
        for place in ("_parameters", "_buffers", "_modules"):
            members = self.__dict__.get(place)
            if members is not None and name in members:
                return members[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _forget(self, name, *places):
        for place in places:
            members = self.__dict__.get(place)
            if members is not None and name in members:
                del members[name]
        self._non_persistent_buffers_set.discard(name)

    def __setattr__(self, name, value):
        own = self.__dict__
        parameters = own.get("_parameters")
        if isinstance(value, Parameter):
            if parameters is None:
                raise explained(
                    AttributeError("cannot assign parameters before Module.__init__() call"),
                    "module-without-init",
                )
            own.pop(name, None)
            self._forget(name, "_buffers", "_modules")
            self.register_parameter(name, value)
            return
        if parameters is not None and name in parameters:
            if value is not None:
                raise explained(
                    TypeError(
                        f"cannot assign '{typename(value)}' as parameter '{name}' "
                        "(torch.nn.Parameter or None expected)"
                    ),
                    "parameter-from-tensor",
                )
            parameters[name] = None
            return
        modules = own.get("_modules")
        if isinstance(value, Module):
            if modules is None:
                raise explained(
                    AttributeError("cannot assign module before Module.__init__() call"),
                    "module-without-init",
                )
            own.pop(name, None)
            self._forget(name, "_parameters", "_buffers")
            modules[name] = everywhere.registered("module", self, name, value)
            return
        if modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' "
                    "(torch.nn.Module or None expected)"
                )
            modules[name] = everywhere.registered("module", self, name, None)
            return
        buffers = own.get("_buffers")
        if isinstance(value, Buffer):
            self._register_assigned_buffer(name, value, value.persistent)
        elif buffers is not None and name in buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{typename(value)}' as buffer '{name}' "
                    "(torch.nn.Buffer, torch.Tensor or None expected)"
                )
            persistent = name not in self._non_persistent_buffers_set
            self._register_assigned_buffer(name, value, persistent)
        else:
            super().__setattr__(name, value)

    def _register_assigned_buffer(self, name, value, persistent):
        """Call `register_buffer`, which a subclass may have overridden without `persistent`."""
        own = type(self).register_buffer is not Module.register_buffer
        if not own or "persistent" in inspect.signature(self.register_buffer).parameters:
            self.register_buffer(name, value, persistent)
            return
        if not persistent:
            raise RuntimeError(
                "Registering a non-persistent buffer on a Module subclass that implements "
                "register_buffer() without the persistent argument is not allowed."
            )
        self.register_buffer(name, value)

    def __delattr__(self, name):
        for place in (self._parameters, self._buffers, self._modules):
            if name in place:
                del place[name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self):
        names = [
            *dir(type(self)),
            *self.__dict__,
            *self._parameters,
            *self._modules,
            *self._buffers,
        ]
        return sorted(name for name in names if not name[0].isdigit())

    # ---- all tensors at once

    def _apply(self, fn, recurse=True):
        if recurse:
            for module in self.children():
                module._apply(fn)
        for key, param in self._parameters.items():
            if param is None:
                continue
            if get_swap_module_params_on_conversion():
                self._apply_by_swap(key, param, fn)
                continue
            with no_grad():
                applied = fn(param)
                if get_overwrite_module_params_on_conversion() or applied.is_meta != param.is_meta:
                    new = self._parameters[key] = Parameter(applied, param.requires_grad)
                    if param.grad is not None:
                        new.grad = fn(param.grad).requires_grad_(param.grad.requires_grad)
                    continue
                param.data = applied
                if param.grad is not None:
                    param.grad.data = fn(param.grad)
        for key, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[key] = fn(buffer)
        return self

    def _apply_by_swap(self, key, param, fn):
        grad = param.grad
        try:
            with no_grad():
                new = Parameter(fn(param), requires_grad=param.requires_grad)
                new_grad = None if grad is None else fn(grad).requires_grad_(grad.requires_grad)
            if grad is not None:
                param.grad = None
            swap_tensors(param, new)
            if grad is not None:
                swap_tensors(grad, new_grad)
                param.grad = grad
        except Exception as error:
            if grad is not None and param.grad is None:
                param.grad = grad
            raise RuntimeError(f"_apply(): Couldn't swap {self._get_name()}.{key}") from error

    def apply(self, fn):
        """Call ``fn(module)`` for this module and all its descendants, children first."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode=True):
        """Set the training mode of this module and all its descendants."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        """Switch to evaluation mode; same as ``train(False)``."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Set `requires_grad` of all parameters."""
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Set the gradients of all parameters to None, or fill them with zeros."""
        for p in self.parameters():
            if p.grad is None:
                continue
            if set_to_none:
                p.grad = None
                continue
            if p.grad.grad_fn is not None:
                p.grad.detach_()
            else:
                p.grad.requires_grad_(False)
            p.grad.zero_()

    # ---- text

    def extra_repr(self):
        """Return the text that `repr` prints between the parentheses."""
        return ""

    def _get_name(self):
        return type(self).__name__

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = []
        for key, module in self._modules.items():
            children.append(f"({key}): {_addindent(repr(module), 2)}")
        if len(lines) == 1 and not children:
            return f"{self._get_name()}({lines[0]})"
        if not lines and not children:
            return f"{self._get_name()}()"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + children) + "\n)"

    def __getstate__(self):
        return self.__dict__.copy()

    def __setstate__(self, state):
        self.__dict__.update(state)
        add_tables(self.__dict__)
