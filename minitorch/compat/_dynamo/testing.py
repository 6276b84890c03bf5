"""Backends that count or store graphs; they are never called, because nothing is compiled."""

__all__ = ["CompileCounter", "CompileCounterWithBackend", "EagerAndRecordGraphs"]


class _Counter:
    def clear(self):
        """Reset the counts and the stored graphs."""
        self.frame_count = self.op_count = 0
        self.graphs = []

    def __call__(self, gm, example_inputs):
        self.frame_count += 1
        self.op_count += sum("call" in node.op for node in gm.graph.nodes)
        self.graphs.append(gm)
        return gm.forward


class CompileCounter(_Counter):
    """Backend that counts graphs and the operators in them.

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
    """Backend that counts like `CompileCounter` and names another backend, which is not called."""

    def __init__(self, backend):
        self.backend = backend
        self.clear()


class EagerAndRecordGraphs:
    """Backend that stores graphs and runs them eagerly."""

    def __init__(self):
        self.graphs = []

    def __call__(self, gm, example_inputs):
        self.graphs.append(gm)
        return gm.forward
