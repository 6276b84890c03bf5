"""``torch.compile``, which compiles nothing: it returns a function unchanged and wraps a module.

The wrapper reproduces what programs observe: ``_orig_mod`` in the names of the state dict and in
the repr. It calls the module.
"""

from minitorch.nn.modules._compile_arguments import compile as check_arguments
from minitorch.nn.modules.module import Module


class OptimizedModule(Module):
    """A module returned by `compile`.

    Parameters
    ----------
    mod : Module
        The wrapped module.
    dynamo_ctx : object
        Unused.
    """

    def __init__(self, mod, dynamo_ctx=None):
        super().__init__()
        self.__dict__["dynamo_ctx"] = dynamo_ctx
        self._modules["_orig_mod"] = mod
        self.training = mod.training

    def forward(self, *args, **kwargs):
        """Call the wrapped module."""
        return self._orig_mod(*args, **kwargs)

    @property
    def training(self):
        """True if the module is in training mode."""
        return self._orig_mod.training

    @training.setter
    def training(self, mode):
        # the base class sets it before the module is assigned
        if "_orig_mod" in self.__dict__.get("_modules", {}):
            self._orig_mod.training = mode

    def __getattr__(self, name):
        if name == "_orig_mod":
            return self._modules["_orig_mod"]
        return getattr(self._orig_mod, name)

    def __setattr__(self, name, value):
        if name == "_orig_mod":
            self._modules[name] = value
        elif hasattr(type(self), name) or "_orig_mod" not in self.__dict__.get("_modules", {}):
            super().__setattr__(name, value)
        else:
            setattr(self._orig_mod, name, value)

    def __delattr__(self, name):
        delattr(self._orig_mod, name)

    def __len__(self):
        return len(self._orig_mod)

    def __dir__(self):
        return [*super().__dir__(), *(n for n in dir(self._orig_mod) if n not in self.__dict__)]

    def __reduce__(self):
        return type(self), (self._orig_mod, self.dynamo_ctx)


def compile(
    model=None,
    *,
    fullgraph=False,
    dynamic=None,
    backend=None,
    mode=None,
    options=None,
    name=None,
    disable=False,
    recompile_limit=None,
    isolate_recompiles=False,
    shapes_spec=None,
):
    """Wrap a module in an `OptimizedModule`, or return a function unchanged; nothing is compiled.

    Parameters
    ----------
    model : Module or callable, optional
        The module or function. If omitted, return a decorator.
    backend : str or callable, optional
        The name of a PyTorch backend, or a function. It is not called.
    mode : str, optional
        One of PyTorch's modes.
    options : dict, optional
        Options; not together with `mode`.
    disable : bool, default False
        Whether to return the module unwrapped.
    fullgraph, dynamic, name, recompile_limit, isolate_recompiles, shapes_spec
        Ignored.

    Returns
    -------
    OptimizedModule or callable
        A module that calls `model`; for a function, the function itself; without `model`, a
        decorator.

    Raises
    ------
    torch._dynamo.exc.InvalidBackend
        For an unknown backend name.
    RuntimeError
        For an unknown mode, or for both `mode` and `options`.
    AssertionError
        If `model` is not callable.

    Examples
    --------
    >>> import minitorch as torch
    >>> compiled = torch.compile(torch.nn.Linear(2, 1))
    >>> compiled(torch.zeros(3, 2)).shape
    torch.Size([3, 1])
    """
    if model is None:
        return lambda function: compile(
            function, backend=backend, mode=mode, options=options, disable=disable
        )
    check_arguments(model, backend=backend, mode=mode, options=options)
    if isinstance(model, Module) and not disable:
        return OptimizedModule(model)
    return model
