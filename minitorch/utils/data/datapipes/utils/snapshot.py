"""Restoring the position of a datapipe by skipping the elements before it."""

from minitorch.utils.data.datapipes._hook_iterator import _SnapshotState
from minitorch.utils.data.graph_settings import apply_random_seed

__all__ = ["_simple_graph_snapshot_restoration"]


def _simple_graph_snapshot_restoration(datapipe, n_iterations, rng=None):
    """Make the next pass over a datapipe continue after its first `n_iterations` elements.

    Parameters
    ----------
    datapipe : IterDataPipe
    n_iterations : int
    rng : Generator, optional
        Draws the seeds of the random datapipes before it.

    Raises
    ------
    RuntimeError
        If the datapipe was restored and not iterated over since, or has fewer elements.
    """
    if datapipe._snapshot_state == _SnapshotState.Restored:
        raise RuntimeError(
            "Snapshot restoration cannot be applied. You can only restore simple snapshot to the graph "
            "if your graph has not been restored."
        )
    datapipe.reset()
    apply_random_seed(datapipe, rng)
    elements = iter(datapipe)
    for _ in range(n_iterations):
        try:
            next(elements)
        except StopIteration as error:
            raise RuntimeError(
                f"Fast-forward {datapipe} by {n_iterations} iterations exceeds the number of samples "
                "available."
            ) from error
    datapipe._fast_forward_iterator = elements
    datapipe._snapshot_state = _SnapshotState.Restored
