"""What programs see of the graph from Python: nodes, saved tensors, versions."""
