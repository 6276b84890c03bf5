"""``torch._dynamo.explain``: report the operators that a function runs."""

import dataclasses
import warnings
from typing import Any


@dataclasses.dataclass
class ExplainOutput:
    """The result of `explain`.

    Attributes
    ----------
    graphs : list of GraphModule
        One graph of the operators that the call ran, or none if it ran no operators.
    graph_count, graph_break_count, op_count : int
    break_reasons : list
        Empty, because functions are not compiled and so graphs never break.
    ops_per_graph : list of list
        The operators of each graph.
    out_guards : list
        Empty, because there are no guards.
    compile_times : str
        Empty.
    """

    graphs: list[Any]
    graph_count: int
    graph_break_count: int
    break_reasons: list[Any]
    op_count: int
    ops_per_graph: list[list[Any]]
    out_guards: list[Any]
    compile_times: str

    def __str__(self):
        lines = [
            f"Graph Count: {self.graph_count}",
            f"Graph Break Count: {self.graph_break_count}",
            f"Op Count: {self.op_count}",
            "Break Reasons:",
            "Ops per Graph:",
        ]
        for number, operators in enumerate(self.ops_per_graph, 1):
            lines += [f"  Ops {number}:", *(f"    {operator}" for operator in operators)]
        return "\n".join([*lines, "Out Guards:", f"Compile Times: {self.compile_times}", ""])


def explain(f, *extra_args, **extra_kwargs):
    """Return a function that calls `f` once and reports the operators that it ran.

    Parameters
    ----------
    f : callable

    Returns
    -------
    callable
        Takes the arguments of `f` and returns an `ExplainOutput` with the graph recorded by
        `make_fx`.

    Examples
    --------
    >>> import minitorch as torch
    >>> explanation = torch._dynamo.explain(lambda x: torch.sin(x) + 1)(torch.zeros(2))
    >>> print(str(explanation).split("Out")[0])
    Graph Count: 1
    Graph Break Count: 0
    Op Count: 2
    Break Reasons:
    Ops per Graph:
      Ops 1:
        aten.sin.default
        aten.add.Tensor
    <BLANKLINE>
    """

    def described(*args, **kwargs):
        # imported late because it imports all of torch.fx
        from minitorch.fx.experimental.proxy_tensor import make_fx
        from minitorch.utils._pytree import tree_flatten, tree_unflatten

        leaves, spec = tree_flatten((args, kwargs))

        def call(*leaves):
            args, kwargs = tree_unflatten(leaves, spec)
            return f(*args, **kwargs)

        graph = make_fx(call)(*leaves)
        operators = [node.target for node in graph.graph.nodes if node.op == "call_function"]
        count = int(bool(operators))
        return ExplainOutput(
            graphs=[graph][:count],
            graph_count=count,
            graph_break_count=0,
            break_reasons=[],
            op_count=len(operators),
            ops_per_graph=[operators][:count],
            out_guards=[],
            compile_times="",
        )

    if not extra_args and not extra_kwargs:
        return described
    warnings.warn(
        "explain(f, *args, **kwargs) is deprecated, use explain(f)(*args, **kwargs) instead.  If you don't "
        "migrate, we may break your explain call in the future if your user defined kwargs conflict with "
        "future kwargs added to explain(f).",
        FutureWarning,
        stacklevel=2,
    )
    return described(*extra_args, **extra_kwargs)
