"""Programs as graphs: `symbolic_trace` records a module, and a `GraphModule` runs the graph.

Examples
--------
>>> import minitorch as torch
>>> class Net(torch.nn.Module):
...     def __init__(self):
...         super().__init__()
...         self.linear = torch.nn.Linear(2, 1)
...     def forward(self, x):
...         return self.linear(x).relu()
>>> traced = torch.fx.symbolic_trace(Net())
>>> print(traced.graph)
graph():
    %x : [num_users=1] = placeholder[target=x]
    %linear : [num_users=1] = call_module[target=linear](args = (%x,), kwargs = {})
    %relu : [num_users=1] = call_method[target=relu](args = (%linear,), kwargs = {})
    return relu
"""

from minitorch.core.lazy import lazy_attributes
from minitorch.fx import immutable_collections
from minitorch.fx._symbolic_trace import PH, ProxyableClassMeta, Tracer, symbolic_trace, wrap
from minitorch.fx.graph import CodeGen, Graph
from minitorch.fx.graph_module import GraphModule
from minitorch.fx.interpreter import Interpreter, Transformer
from minitorch.fx.node import Node, has_side_effect, map_arg
from minitorch.fx.proxy import Proxy
from minitorch.fx.subgraph_rewriter import replace_pattern

__all__ = ["Graph", "GraphModule", "Interpreter", "Node", "Proxy", "Tracer", "Transformer",
           "has_side_effect", "map_arg", "replace_pattern", "symbolic_trace", "wrap"]  # fmt: skip

__getattr__ = lazy_attributes(__name__, "_pytree", "experimental", "operator_schemas")
