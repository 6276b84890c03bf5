"""`ZeroRedundancyOptimizer`: each process optimizes a part of the parameters, and stores only that part's state."""

from copy import deepcopy

from minitorch._tensor import Tensor
from minitorch.autograd.functions.creation import empty_ as empty
from minitorch.autograd.grad_mode import enable_grad, no_grad
from minitorch.distributed.algorithms.join import Join, Joinable, JoinHook
from minitorch.distributed.distributed_c10d import _get_default_group, broadcast, gather_object
from minitorch.optim.optimizer import Optimizer
from minitorch.tensors.tensor_types import typename

__all__ = ["ZeroRedundancyOptimizer"]


class _ZeROJoinHook(JoinHook):
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def main_hook(self):
        """Take one step with the gradients that are there."""
        self.optimizer.step()


class ZeroRedundancyOptimizer(Optimizer, Joinable):
    """Divide the parameters, and so the state of an optimizer, between the processes.

    Each process has an optimizer for its own part. `step` lets it step, then every process sends the parameters
    of its part to all others. Gradients must be equal in all processes, as `DistributedDataParallel` makes them.

    Parameters
    ----------
    params : iterable
        Parameters, or dicts that describe groups, the same in all processes.
    optimizer_class : type
        The class of the optimizer of each part.
    process_group : ProcessGroup, optional
        The default is the default process group.
    parameters_as_bucket_view : bool
        Move the parameters of each part into one flat tensor, so that one message sends them all.
    overlap_with_ddp : bool
        Not supported.
    **defaults
        Passed to `optimizer_class`.

    Raises
    ------
    NotImplementedError
        With `overlap_with_ddp`.
    ValueError
        Without parameters, or with parameters of several dtypes.
    TypeError
        If `params` are not tensors or dicts.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.optim import ZeroRedundancyOptimizer
    >>> dist.init_process_group("mpi")
    >>> weight = torch.nn.Parameter(torch.ones(2))
    >>> optimizer = ZeroRedundancyOptimizer([weight], torch.optim.SGD, lr=0.5)
    >>> weight.sum().backward()
    >>> optimizer.step()
    >>> weight.detach()
    tensor([0.5000, 0.5000])
    >>> dist.destroy_process_group()
    """

    def __init__(
        self,
        params,
        optimizer_class,
        process_group=None,
        parameters_as_bucket_view=False,
        overlap_with_ddp=False,
        **defaults,
    ):
        if overlap_with_ddp:
            raise NotImplementedError(
                "ZeroRedundancyOptimizer: overlap_with_ddp is not supported; call step() after backward()"
            )
        params = _checked(params)
        self.initialized = False
        self.process_group = _get_default_group() if process_group is None else process_group
        self.world_size = self.process_group.size()
        self.rank = self.process_group.rank()
        Optimizer.__init__(self, params, {})
        Joinable.__init__(self)
        self.parameters_as_bucket_view = parameters_as_bucket_view
        self._overlap_with_ddp = False
        self._optim_constructor = optimizer_class
        self._optim_defaults = defaults
        self._all_state_dicts = []
        self._sizes = [0] * self.world_size  # elements of each process
        self._owners = []  # for each group: the owner of each of its parameters
        for group in self.param_groups:
            self._assign(group)
        self.optim = optimizer_class(
            [self._local_group(group, owners) for group, owners in self._groups()], **defaults
        )
        for local, group in zip(self.optim.param_groups, self.param_groups, strict=True):
            _copy_options(local, group)
        self._buckets = self._make_buckets() if parameters_as_bucket_view else None
        self.initialized = True

    # ---- the parts

    def _groups(self):
        return zip(self.param_groups, self._owners, strict=True)

    def _assign(self, group):
        """Give each parameter of a group, the largest first, to the process that has least."""
        owners = [0] * len(group["params"])
        order = sorted(range(len(owners)), key=lambda k: -group["params"][k].numel())
        for position in order:
            owner = self._sizes.index(min(self._sizes))
            owners[position] = owner
            self._sizes[owner] += group["params"][position].numel()
        self._owners.append(owners)

    def _local_group(self, group, owners):
        """Return the options of a group with the parameters of this process."""
        mine = [p for p, owner in zip(group["params"], owners, strict=True) if owner == self.rank]
        return {**group, "params": mine}

    def _parameters_of(self, rank):
        return [
            parameter
            for group, owners in self._groups()
            for parameter, owner in zip(group["params"], owners, strict=True)
            if owner == rank
        ]

    @no_grad()
    def _make_buckets(self):
        """Move the parameters of each process into one flat tensor; return these tensors."""
        buckets = []
        for rank in range(self.world_size):
            parameters = self._parameters_of(rank)
            first = self.param_groups[0]["params"][0]
            flat = empty(sum(p.numel() for p in parameters), dtype=first.dtype)
            offset = 0
            for parameter in parameters:
                view = flat.narrow(0, offset, parameter.numel()).view(parameter.size())
                view.copy_(parameter)
                parameter.data = view
                offset += parameter.numel()
            buckets.append(flat)
        return buckets

    def add_param_group(self, param_group):
        """Add a group of parameters, the same in all processes.

        Parameters
        ----------
        param_group : dict
            ``params``, and options that differ from the defaults.
        """
        super().add_param_group(param_group)
        if not self.initialized:
            return
        group = self.param_groups[-1]
        self._assign(group)
        self.optim.add_param_group(self._local_group(group, self._owners[-1]))
        _copy_options(self.optim.param_groups[-1], group)
        if self._buckets is not None:
            self._buckets = self._make_buckets()

    # ---- steps

    def step(self, closure=None, **kwargs):
        """Step with the parameters of this process, then send them to all others.

        Parameters
        ----------
        closure : callable, optional
            Computes the loss again, as for the optimizer of each part.
        **kwargs
            Passed to the step of that optimizer.

        Returns
        -------
        float or None
            The loss of the closure.
        """
        Join.notify_join_context(self)
        for group, local in zip(self.param_groups, self.optim.param_groups, strict=True):
            _copy_options(group, local)
        if closure is None:
            loss = self.optim.step(**kwargs)
        else:
            with enable_grad():
                loss = self.optim.step(closure=closure, **kwargs)
        self._sync_params()
        for group, local in zip(self.param_groups, self.optim.param_groups, strict=True):
            _copy_options(local, group)
        return loss

    @no_grad()
    def _sync_params(self):
        """Send the parameters of each part from its process to all others."""
        works = []
        for rank in range(self.world_size):
            tensors = self._parameters_of(rank) if self._buckets is None else [self._buckets[rank]]
            for tensor in tensors:
                data = tensor.detach()
                if data.numel():
                    works.append(
                        broadcast(data, group=self.process_group, group_src=rank, async_op=True)
                    )
        for work in works:
            work.wait()

    # ---- state

    def consolidate_state_dict(self, to=0):
        """Collect the state of all parts in one process, before its `state_dict`. All processes call it.

        Parameters
        ----------
        to : int
            The rank of that process.
        """
        for group, local in zip(self.param_groups, self.optim.param_groups, strict=True):
            _copy_options(group, local)
        gathered = [None] * self.world_size if self.rank == to else None
        gather_object(self.optim.state_dict(), gathered, group=self.process_group, group_dst=to)
        self._all_state_dicts = gathered or []

    def state_dict(self):
        """Return the state of all parts, as the optimizer of all parameters would.

        Returns
        -------
        dict

        Raises
        ------
        RuntimeError
            If `consolidate_state_dict` was not called before, or collected the state in another process.
        """
        if not self._all_state_dicts:
            raise RuntimeError(
                "Optimizer state has not been consolidated on this rank. Please call "
                f"`consolidate_state_dict(to={self.rank})` on all ranks beforehand if you meant to save "
                "the global state."
            )
        result = super().state_dict()
        state = {}
        for rank, local in enumerate(self._all_state_dicts):
            for position, index in enumerate(self._indices_of(rank)):
                if position in local["state"]:
                    state[index] = local["state"][position]
        result["state"] = dict(sorted(state.items()))
        return result

    def _indices_of(self, rank):
        """Return the positions, among all parameters, of those of a process."""
        owners = [owner for group in self._owners for owner in group]
        return [index for index, owner in enumerate(owners) if owner == rank]

    def load_state_dict(self, state_dict):
        """Take the state of this process's part from the state of all parts.

        Parameters
        ----------
        state_dict : dict
            From `state_dict`, or of an optimizer of all parameters.
        """
        mine = self._indices_of(self.rank)
        given = state_dict["state"]
        groups = []
        for group, local in zip(
            state_dict["param_groups"], self.optim.state_dict()["param_groups"], strict=True
        ):
            groups.append({**deepcopy(group), "params": local["params"]})
        state = {k: deepcopy(given[index]) for k, index in enumerate(mine) if index in given}
        self.optim.load_state_dict({"state": state, "param_groups": groups})
        for local, group in zip(self.optim.param_groups, self.param_groups, strict=True):
            _copy_options(local, group)

    # ---- uneven inputs

    def join_hook(self, **kwargs):
        """Return what a process without inputs does; `Join` calls it.

        Parameters
        ----------
        **kwargs
            Not used.
        """
        return _ZeROJoinHook(self)

    @property
    def join_device(self):
        """The device of the parameters."""
        return self.param_groups[0]["params"][0].device

    @property
    def join_process_group(self):
        """The process group of this optimizer."""
        return self.process_group


def _copy_options(source, target):
    for key, value in source.items():
        if key != "params":
            target[key] = value


def _checked(params):
    """Return the parameters or groups as a list; raise an error for what the class cannot optimize."""
    if isinstance(params, Tensor):
        raise TypeError(
            f"`params` argument should be an iterable of Tensors, but got {typename(params)}"
        )
    try:
        params = list(params)
    except TypeError:
        raise TypeError(
            "`params` argument should be an iterable of Tensors or dicts, but got "
            f"{typename(params)}"
        ) from None
    if not params:
        raise ValueError("ZeroRedundancyOptimizer got an empty parameter list")
    tensors = []
    for item in params:
        if isinstance(item, dict):
            found = item["params"]
            tensors += [found] if isinstance(found, Tensor) else list(found)
        elif isinstance(item, Tensor):
            tensors.append(item)
        else:
            raise TypeError("`params` argument should be an iterable of Tensors or dicts")
    for tensor in tensors:
        if tensor.dtype != tensors[0].dtype:
            raise ValueError(
                "ZeroRedundancyOptimizer only supports using the same dense type for all parameters "
                f"but got both {typename(tensors[0])} and {typename(tensor)}"
            )
    return params
