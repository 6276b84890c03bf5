"""Averages of the weights over a training, and the schedule that goes with them."""

import itertools
import math
from copy import deepcopy

from minitorch._tensor import Tensor
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.dtype import _dtypes
from minitorch.nn import BatchNorm1d, Module
from minitorch.optim.lr_scheduler._base import (
    LRScheduler,
    _warn_get_lr_called_within_step,
    per_group,
)
from minitorch.optim.lr_scheduler._cycle import check_strategy

__all__ = [
    "SWALR",
    "AveragedModel",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]

_BATCH_NORM = BatchNorm1d.__mro__[1]


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range."
        )


def _continuous(x):
    return x.is_floating_point() or x.is_complex()


def get_ema_multi_avg_fn(decay=0.999):
    """Return a function that updates an exponential moving average of lists in place.

    Parameters
    ----------
    decay : float
        How much of the average is kept, in [0, 1].

    Returns
    -------
    callable
        A function of a list of averages, a list of new tensors and the number of lists so far.

    Raises
    ------
    ValueError
        If the decay is out of its range.

    Examples
    --------
    >>> import minitorch as torch
    >>> average = torch.zeros(2)
    >>> get_ema_multi_avg_fn(0.9)([average], [torch.ones(2)], 1)
    >>> average
    tensor([0.1000, 0.1000])
    """
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param_list, current_param_list, _):
        for average, current in zip(ema_param_list, current_param_list, strict=True):
            if _continuous(average):
                average.lerp_(current, 1 - decay)
            else:
                average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn():
    """Return a function that updates an equally weighted average of lists in place.

    Returns
    -------
    callable
        A function of a list of averages, a list of new tensors of their shapes and the number of
        lists so far.

    Examples
    --------
    >>> import minitorch as torch
    >>> average = torch.zeros(2)
    >>> get_swa_multi_avg_fn()([average], [torch.ones(2)], 1)
    >>> average
    tensor([0.5000, 0.5000])
    """

    @no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        for average, current in zip(averaged_param_list, current_param_list, strict=True):
            if _continuous(average):
                share = 1 / (num_averaged + 1)
                average.lerp_(current, share.item() if isinstance(share, Tensor) else share)
            elif isinstance(num_averaged, Tensor):
                average.addcdiv_(current - average, num_averaged + 1)
            else:
                average.add_(current - average, alpha=1.0 / (num_averaged + 1))

    return swa_update


def get_ema_avg_fn(decay=0.999):
    """Return a function that updates an exponential moving average of one tensor.

    Parameters
    ----------
    decay : float
        How much of the average is kept, in [0, 1].

    Returns
    -------
    callable
        A function of the average, the new tensor and the number of tensors so far; it returns the
        new average.

    Raises
    ------
    ValueError
        If the decay is out of its range.

    Examples
    --------
    >>> get_ema_avg_fn(0.75)(2.0, 4.0, 1)
    2.5
    """
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    """Return a function that updates an equally weighted average of one tensor.

    Returns
    -------
    callable
        A function of the average, the new tensor of its shape and the number of tensors so far; it
        returns the new average.

    Examples
    --------
    >>> get_swa_avg_fn()(2.0, 4.0, 1)
    3.0
    """

    @no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a module whose parameters are the average of those it has been shown.

    Parameters
    ----------
    model : Module
        What is copied, as `module`.
    device : device, optional
        Where the copy lives.
    avg_fn : callable, optional
        ``avg_fn(average, current, number)`` gives the new average of a parameter.
    multi_avg_fn : callable, optional
        ``multi_avg_fn(averages, currents, number)`` changes the averages in place.
    use_buffers : bool
        Average the buffers, too, instead of copying them.

    Raises
    ------
    AssertionError
        If both functions are given.

    References
    ----------
    Izmailov, Podoprikhin, Garipov, Vetrov, Wilson: Averaging weights leads to wider optima and
    better generalization, UAI 2018. PyTorch's ``optim.swa_utils.AveragedModel``.

    Examples
    --------
    >>> import minitorch as torch
    >>> model = torch.nn.Linear(1, 1, bias=False)
    >>> averaged = AveragedModel(model)
    >>> for value in (1.0, 2.0, 6.0):
    ...     _ = torch.nn.init.constant_(model.weight, value)
    ...     averaged.update_parameters(model)
    >>> averaged.module.weight.item()
    3.0
    """

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", tensor(0, dtype=_dtypes()["int64"], device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        """Call the averaged module."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        """Take a module into the average.

        Parameters
        ----------
        model : Module
            Built as the one that was copied; the first one is copied as it is.
        """
        ours, theirs = _tensors(self.module, self.use_buffers), _tensors(model, self.use_buffers)
        number = self.n_averaged
        if number == 0:
            for average, current in zip(ours, theirs, strict=False):
                average.copy_(current)
        elif self.multi_avg_fn is None:
            average_of = self.avg_fn or get_swa_avg_fn()
            for average, current in zip(ours, theirs, strict=False):
                average.copy_(average_of(average, current, number))
        else:
            groups = {}
            for average, current in zip(ours, theirs, strict=False):
                pair = groups.setdefault((average.device, average.dtype), ([], []))
                pair[0].append(average)
                pair[1].append(current)
            for averages, currents in groups.values():
                self.multi_avg_fn(averages, currents, number)
        if not self.use_buffers:
            for ours, theirs in zip(self.module.buffers(), model.buffers(), strict=True):
                ours.detach().copy_(theirs.detach())
        self.n_averaged += 1


def _tensors(module, with_buffers):
    chained = itertools.chain(module.parameters(), module.buffers() if with_buffers else ())
    return [entry.detach() for entry in chained]


@no_grad()
def update_bn(loader, model, device=None):
    """Measure the statistics of all batch normalizations again, with one pass over data.

    Parameters
    ----------
    loader : iterable
        Of batches, or of tuples that begin with one.
    model : Module
        Called in training mode; the mode it had is set again.
    device : device, optional
        Where the batches are moved.

    References
    ----------
    PyTorch's ``optim.swa_utils.update_bn``.

    Examples
    --------
    >>> import minitorch as torch
    >>> model = torch.nn.BatchNorm1d(1)
    >>> update_bn([torch.tensor([[1.0], [3.0]]), torch.tensor([[5.0], [7.0]])], model)
    >>> model.running_mean
    tensor([4.])
    """
    momenta = {}
    for module in model.modules():
        if isinstance(module, _BATCH_NORM):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None  # the plain average over the batches
    for batch in loader:
        batch = batch[0] if isinstance(batch, list | tuple) else batch
        model(batch if device is None else batch.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Move the rates to a constant one within some epochs, and leave them there.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    swa_lr : float or list of float
        The constant rate, for all groups or for each.
    anneal_epochs : int
        The epochs of the way.
    anneal_strategy : "cos" or "linear"
        The form of the way.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    ValueError
        If the form is unknown or the epochs are negative.

    References
    ----------
    Izmailov et al., see `AveragedModel`. PyTorch's ``optim.swa_utils.SWALR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = SWALR(optimizer, 0.5, anneal_epochs=2, anneal_strategy="linear")
    >>> for _ in range(2):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(scheduler.get_last_lr())
    [0.75]
    [0.5]
    """

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        rates = per_group("swa_lr", optimizer, swa_lr)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["swa_lr"] = rate
        check_strategy(anneal_strategy)
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def anneal_func(self, t):
        """Return the interpolation weight at a fraction of the annealing period."""
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self):
        """Return the rates of this epoch, with the initial rates derived from the current ones."""
        _warn_get_lr_called_within_step(self)
        step, epochs = self._step_count - 1, max(1, self.anneal_epochs)
        if self.anneal_epochs == 0:
            step = max(1, step)
        before = self.anneal_func(max(0, min(1, (step - 1) / epochs)))
        now = self.anneal_func(max(0, min(1, step / epochs)))
        rates = []
        for group in self.optimizer.param_groups:
            lr, final = group["lr"], group["swa_lr"]
            start = final if before == 1 else (lr - before * final) / (1 - before)
            rates.append(final * now + start * (1 - now))
        return rates
