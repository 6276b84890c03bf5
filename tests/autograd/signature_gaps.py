"""Where the interface differs from PyTorch's, and why; `test_signatures.py` holds the list to the truth."""

_NESTED = (
    "PyTorch's NestedIOFunction cannot be applied any more (AttributeError: _nested_input); ours can, "
    "and its ctx is the usual one"
)

GAPS = {
    f"autograd{module}.NestedIOFunction.{method}": _NESTED
    for module in ("", ".function")
    for method in (
        "backward",
        "forward",
        "mark_dirty",
        "mark_non_differentiable",
        "save_for_backward",
    )
}
GAPS |= {
    "autograd.graph.Node.metadata": (
        "an attribute of every node; PyTorch's abstract base writes it as a method, its nodes do not"
    ),
}
