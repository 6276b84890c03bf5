"""`symbolic_trace`, and `Tracer` under the module name of PyTorch."""

from itertools import chain  # noqa: F401 - tracers of packages
from types import FunctionType  # noqa: F401 - tracers of packages

from minitorch._C import ScriptObject  # noqa: F401 - tracers of packages
from minitorch.fx import _tracer
from minitorch.fx._compatibility import compatibility  # noqa: F401 - tracers of packages
from minitorch.fx._patching import (  # noqa: F401 - tracers of packages
    _maybe_revert_all_patches,
    _wrapped_fns_to_patch,
    _wrapped_methods_to_patch,
)
from minitorch.fx._patching import autowrap_check as _autowrap_check  # noqa: F401
from minitorch.fx._patching import new_patcher as _Patcher  # noqa: F401
from minitorch.fx._patching import patch_wrapped_functions as _patch_wrapped_functions  # noqa: F401
from minitorch.fx._tracer import (
    PH,
    PHBase,  # noqa: F401
    PHWithMeta,  # noqa: F401
    ProxyableClassMeta,
    Tracer,
    _assert_is_none,  # noqa: F401
    _constant_attribute_types,  # noqa: F401
    _orig_module_call,  # noqa: F401
    _orig_module_getattr,  # noqa: F401
    _patch_function,  # noqa: F401
    _proxyable_classes,  # noqa: F401
    _transfer_attrs,  # noqa: F401
    is_fx_symbolic_tracing,  # noqa: F401
    is_fx_tracing,  # noqa: F401
    log,  # noqa: F401
    wrap,
)
from minitorch.fx.graph import Graph, _PyTreeCodeGen, _PyTreeInfo  # noqa: F401
from minitorch.fx.graph_module import GraphModule
from minitorch.fx.node import base_types  # noqa: F401
from minitorch.fx.proxy import (  # noqa: F401
    ParameterProxy,
    Proxy,
    Scope,
    ScopeContextManager,
    TracerBase,
)
from minitorch.nn import Module

__all__ = ["PH", "ProxyableClassMeta", "Tracer", "symbolic_trace", "wrap"]


def __getattr__(name):
    if name == "_is_fx_tracing_flag":  # it changes during a trace
        return _tracer._is_fx_tracing_flag
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def symbolic_trace(root, concrete_args=None):
    """Trace a module or function and return it as a `GraphModule`.

    Parameters
    ----------
    root : Module or callable
    concrete_args : dict, optional
        Fixed values for parameters, which are then not inputs. In containers, `PH` marks an
        input.

    Returns
    -------
    GraphModule

    Examples
    --------
    >>> import minitorch as torch
    >>> traced = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1)
    >>> traced(torch.tensor([-1.0, 2.0]))
    tensor([1., 3.])
    >>> print(traced.code.strip())
    def forward(self, x):
        relu = torch.relu(x);  x = None
        add = relu + 1;  relu = None
        return add
    """
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)
