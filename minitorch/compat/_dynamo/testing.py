"""Backends that count and keep what the compiler hands them. Nothing is compiled, so nothing comes."""

__all__ = ["CompileCounter", "CompileCounterWithBackend", "EagerAndRecordGraphs"]


class _Counter:
    def clear(self):
        """Begin anew."""
        self.frame_count = self.op_count = 0
        self.graphs = []

    def __call__(self, gm, example_inputs):
        self.frame_count += 1
        self.op_count += sum("call" in node.op for node in gm.graph.nodes)
        self.graphs.append(gm)
        return gm.forward


class CompileCounter(_Counter):
    """A backend that counts its graphs, and the operators in them.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._dynamo.testing import CompileCounter
    >>> counter = CompileCounter()
    >>> torch.compile(torch.sin, backend=counter)(torch.zeros(1))
    tensor([0.])
    >>> counter.frame_count
    0
    """

    def __init__(self):
        self.clear()


class CompileCounterWithBackend(_Counter):
    """The same, which names another backend to hand the graphs to; each is the eager one."""

    def __init__(self, backend):
        self.backend = backend
        self.clear()


class EagerAndRecordGraphs:
    """A backend that keeps its graphs and runs them as they are."""

    def __init__(self):
        self.graphs = []

    def __call__(self, gm, example_inputs):
        self.graphs.append(gm)
        return gm.forward
