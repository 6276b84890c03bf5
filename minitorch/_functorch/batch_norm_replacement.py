"""`replace_all_batch_norm_modules_`."""

from minitorch.nn.modules.normalization import _BatchNorm


def replace_all_batch_norm_modules_(root):
    """Remove the running statistics of all batch norms of a module, in place.

    Batch norms write to these buffers, which `vmap` cannot do for each sample.

    Parameters
    ----------
    root : Module

    Returns
    -------
    Module
        The argument `root`.

    Examples
    --------
    >>> import minitorch as torch
    >>> net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    >>> torch.func.replace_all_batch_norm_modules_(net)[1].running_mean is None
    True
    """
    for module in root.modules():
        if isinstance(module, _BatchNorm) and module.track_running_stats:
            module.running_mean = None
            module.running_var = None
            module.num_batches_tracked = None
            module.track_running_stats = False
    return root
