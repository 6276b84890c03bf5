"""The graph as Python programs see it: nodes, saved tensors and version counters."""
