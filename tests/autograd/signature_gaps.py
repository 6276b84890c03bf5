"""Where the interface differs from PyTorch's, and why; `test_signatures.py` holds the list to the truth."""

GAPS = {
    "autograd.graph.Node.metadata": (
        "an attribute of every node; PyTorch's abstract base writes it as a method, its nodes do not"
    ),
}
