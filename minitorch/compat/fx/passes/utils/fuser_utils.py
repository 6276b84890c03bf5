"""Validation of fused partitions."""

__all__ = ["validate_partition"]


def validate_partition(partition):
    """Return whether these nodes can be fused into one.

    They cannot if a value leaves the partition and enters it again through other nodes.

    Parameters
    ----------
    partition : list of Node

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx.passes.utils.fuser_utils import validate_partition
    >>> graph = torch.fx.symbolic_trace(lambda x: torch.relu(torch.neg(torch.abs(x)))).graph
    >>> _, first, second, third, _ = graph.nodes
    >>> validate_partition([first, second]), validate_partition([first, third])
    (True, False)
    """
    inside = set(partition)
    waiting = [user for node in inside for user in node.users if user not in inside]
    seen = set()
    while waiting:
        node = waiting.pop()
        if node in inside:
            return False
        seen.add(node)
        waiting.extend(user for user in node.users if user not in seen)
    return True
