"""`DistributedDataParallel`: the same module in several processes, each with its own part of the batch.

`reducer.py` averages the gradients; this file has what the program sees. Note [One step of the reducer]
tells how a step goes.
"""

import copy
import inspect
import os
import warnings
from contextlib import contextmanager
from hashlib import blake2b

from minitorch.autograd.function import Function
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.functions.tensor_methods import cat
from minitorch.autograd.grad_mode import is_grad_enabled, no_grad
from minitorch.distributed.algorithms.join import Join, Joinable, JoinHook
from minitorch.distributed.distributed_c10d import (
    ReduceOp,
    _get_default_group,
    all_gather,
    all_reduce,
    broadcast,
)
from minitorch.distributed.grad_bucket import GradBucket
from minitorch.nn.modules.misc import Embedding
from minitorch.nn.modules.module import Module
from minitorch.nn.modules.sparse import EmbeddingBag
from minitorch.nn.parallel.reducer import Reducer
from minitorch.nn.parallel.scatter_gather import gather as _gather
from minitorch.nn.parallel.scatter_gather import scatter_kwargs
from minitorch.nn.parameter import is_lazy
from minitorch.utils._pytree import tree_flatten, tree_unflatten

__all__ = ["DistributedDataParallel"]

_MB = 1024 * 1024
_FIRST_BUCKET_BYTES = _MB
_DEFAULT_BUCKET_MB = 25


class _DDPSink(Function):
    """The identity, whose backward is the first node of a backward pass through the module's results.

    In the first step of a static graph it queues what reduces all gradients at the end of the pass, in the outermost
    backward; a parameter's hook may be called inside of a checkpoint's own backward.
    """

    @staticmethod
    def forward(ctx, reducer, *outputs):
        ctx.set_materialize_grads(False)
        ctx.reducer = reducer
        return tuple(output.view_as(output) for output in outputs)

    @staticmethod
    def backward(ctx, *gradients):
        ctx.reducer.entered_backward()
        return (None, *gradients)


class _DDPJoinHook(JoinHook):
    def __init__(self, ddp, divide_by_initial_world_size):
        self.ddp = ddp
        ddp.reducer.divide_by_initial_world_size = divide_by_initial_world_size

    def main_hook(self):
        """Take part in the operations of one forward and backward pass."""
        ddp = self.ddp
        synchronizes = ddp._any_rank_synchronizes(False)
        ddp.require_forward_param_sync = synchronizes
        if not synchronizes:
            return
        if ddp._synchronized_buffers_in_forward():
            ddp._sync_buffers()
        ddp.reducer.zero_buckets()

    def post_hook(self, is_last_joiner):
        """Send the parameters and buffers of a process that had inputs longest to all others."""
        ddp = self.ddp
        ddp._broadcast(ddp._parameters_and_buffers(), ddp._common_rank(is_last_joiner))


class DistributedDataParallel(Module, Joinable):
    """A module that is trained by several processes, each with its own part of every batch.

    Each process has a copy of the module. The parameters and buffers of rank 0 are sent to all others at the start.
    `backward` averages the gradients over the processes, in buckets and while it is running, so that all
    copies take the same step of an optimizer.

    The input may have any shape.

    Parameters
    ----------
    module : Module
    device_ids, output_device : optional
        For modules on GPUs; there are none.
    dim : int
        Stored only.
    broadcast_buffers, forward_sync_buffers : bool, optional
        Send the buffers of rank 0 to all others before each forward pass; True by default. With
        ``broadcast_buffers=False`` they are not sent at the start either.
    init_sync : bool
        Compare the shapes of the parameters between the processes at the start, and send the values of rank 0.
    process_group : ProcessGroup, optional
        The default is the default process group.
    bucket_cap_mb : float, optional
        The size of a bucket in MB; 25 by default. The first bucket has at most 1 MB and a little more.
    find_unused_parameters : bool
        Search the graph of each forward pass for parameters that get no gradient. Without it, all must get one.
    check_reduction : bool
        Not used.
    gradient_as_bucket_view : bool
        Let ``.grad`` be a view of a bucket, which saves memory and a copy.
    static_graph : bool
        The same parameters are used in all steps, so find in the first step which ones they are, and how often.
    delay_all_reduce_named_params, param_to_hook_all_reduce, mixed_precision : optional
        Not supported.
    device_mesh : DeviceMesh, optional
        Not supported.
    skip_all_reduce_unused_params : bool
        Do not reduce a bucket whose parameters are all unused; they must be the same in all processes.
    bucket_cap_mb_list : list of int, optional
        Sizes of the first buckets, instead of `bucket_cap_mb`.
    batched_grad_copy : bool
        Not used; gradients are copied one by one.

    Raises
    ------
    ValueError
        If there is no process group, or for an argument that is for GPUs.
    RuntimeError
        If no parameter requires a gradient, or if the parameters of the processes differ.

    Notes
    -----
    The buckets of the first step are those of all steps. PyTorch forms them anew after the first step, in the order in which
    gradients arrived.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> model(torch.ones(3, 2)).mean().backward()
    >>> model.module.weight.grad  # the average over all ranks
    tensor([[1., 1.]])
    >>> dist.destroy_process_group()
    """

    def __init__(
        self,
        module,
        device_ids=None,
        output_device=None,
        dim=0,
        broadcast_buffers=None,
        init_sync=True,
        process_group=None,
        bucket_cap_mb=None,
        find_unused_parameters=False,
        check_reduction=False,
        gradient_as_bucket_view=False,
        static_graph=False,
        delay_all_reduce_named_params=None,
        param_to_hook_all_reduce=None,
        mixed_precision=None,
        device_mesh=None,
        skip_all_reduce_unused_params=False,
        bucket_cap_mb_list=None,
        batched_grad_copy=False,
        forward_sync_buffers=None,
    ):
        super().__init__()
        Joinable.__init__(self)
        for name, given in (
            ("delay_all_reduce_named_params", delay_all_reduce_named_params),
            ("param_to_hook_all_reduce", param_to_hook_all_reduce),
            ("mixed_precision", mixed_precision),
            ("device_mesh", device_mesh),
        ):
            if given is not None:
                raise NotImplementedError(f"DistributedDataParallel: {name} is not supported")
        self.process_group = _get_default_group() if process_group is None else process_group
        named = [
            (name, parameter)
            for name, parameter in module.named_parameters()
            if name not in getattr(module, "_ddp_params_and_buffers_to_ignore", ())
        ]
        self.parameters_to_ignore = set(getattr(module, "_ddp_params_and_buffers_to_ignore", ()))
        self._module_parameters = [parameter for _, parameter in named]
        if not any(parameter.requires_grad for parameter in self._module_parameters):
            raise RuntimeError(
                "DistributedDataParallel is not needed when a module doesn't have any parameter that "
                "requires a gradient."
            )
        if any(is_lazy(parameter) for parameter in self._module_parameters):
            raise RuntimeError(
                "Modules with uninitialized parameters can't be used with `DistributedDataParallel`. "
                "Run a dummy forward pass to correctly initialize the modules"
            )
        devices = {parameter.device for parameter in self._module_parameters}
        if device_ids:
            raise ValueError(
                "DistributedDataParallel device_ids and output_device arguments only work with "
                "single-device/multiple-device GPU modules or CPU modules, but got device_ids "
                f"{device_ids}, output_device {output_device}, and module parameters {devices}."
            )
        self.device_ids = self.output_device = None
        self.is_multi_device_module = len(devices) > 1
        self.device = next(iter(self._module_parameters)).device
        self.device_type = self.device.type
        self.module = module
        self.dim = dim
        self.forward_sync_buffers = (
            forward_sync_buffers
            if forward_sync_buffers is not None
            else broadcast_buffers is not False
        )
        self.find_unused_parameters = find_unused_parameters
        self.require_backward_grad_sync = True
        self.require_forward_param_sync = True
        self.gradient_as_bucket_view = gradient_as_bucket_view
        self.skip_all_reduce_unused_params = skip_all_reduce_unused_params
        self.static_graph = static_graph
        self.mixed_precision = None
        self.batched_grad_copy = batched_grad_copy
        self.broadcast_bucket_size = 250 * _MB
        self.bucket_bytes_cap_default = bucket_cap_mb is None
        self.bucket_bytes_cap = int(
            (_DEFAULT_BUCKET_MB if bucket_cap_mb is None else bucket_cap_mb) * _MB
        )
        self.bucket_bytes_cap_list = bucket_cap_mb_list and [
            int(n * _MB) for n in bucket_cap_mb_list
        ]
        self._comm_hooks = []
        self._find_buffers()
        if init_sync:
            self._verify_parameters()
            tensors = self._module_parameters
            if broadcast_buffers is not False:
                tensors = self._parameters_and_buffers()
            self._broadcast(tensors, 0)
        self._make_reducer()

    # ---- the processes at the start

    def _find_buffers(self):
        named = [
            (name, buffer)
            for name, buffer in self.module.named_buffers()
            if name not in self.parameters_to_ignore
        ]
        self.named_module_buffers = dict(named)
        self.modules_buffers = [buffer for _, buffer in named]

    def _parameters_and_buffers(self):
        return self._module_parameters + self.modules_buffers

    @property
    def broadcast_buffers(self):
        """Whether the buffers of rank 0 are sent to all others before each forward pass."""
        return self.forward_sync_buffers

    def _verify_parameters(self):
        """Raise RuntimeError on every rank if the parameters differ in number, shape or dtype."""
        group = self.process_group
        shapes = [
            (str(p.dtype), tuple(p.size()), tuple(p.stride())) for p in self._module_parameters
        ]
        mine = [len(shapes), sum(p.numel() for p in self._module_parameters), _digest(shapes)]
        found = [tensor([0, 0, 0]) for _ in range(group.size())]
        all_gather(found, tensor(mine), group=group)
        found = [row.tolist() for row in found]
        rank = group.rank()
        for other, (count, elements, digest) in enumerate(found):
            if count != found[0][0]:
                raise RuntimeError(
                    f"DDP expects same model across all ranks, but Rank {rank} has {mine[0]} params, "
                    f"while rank {other if other != rank else 0} has inconsistent "
                    f"{count if other != rank else found[0][0]} params."
                )
            if digest != found[0][2]:
                raise RuntimeError(
                    f"[{rank}]: params in this process have shapes, dtypes or strides that do not match "
                    f"those of rank {0 if other == rank else other} ({elements} and {found[0][1]} elements "
                    "in all)."
                )

    @no_grad()
    def _broadcast(self, tensors, rank):
        """Send the values of tensors from a rank of the group to all others."""
        for group in _groups(tensors, self.broadcast_bucket_size):
            flat = cat([item.detach().reshape(-1) for item in group])
            broadcast(flat, group=self.process_group, group_src=rank)
            parts = flat.split([item.numel() for item in group])
            for item, part in zip(group, parts, strict=True):
                item.detach().copy_(part.view(item.size()))

    def _make_reducer(self):
        named = [
            (name, parameter)
            for name, parameter in self.module.named_parameters()
            if parameter.requires_grad and name not in self.parameters_to_ignore
        ]
        sparse = {
            f"{name}.weight".lstrip(".")
            for name, module in self.module.named_modules()
            if isinstance(module, (Embedding, EmbeddingBag)) and module.sparse
        }
        self.reducer = Reducer(
            [parameter for _, parameter in named],
            self.process_group,
            self.bucket_bytes_cap_list
            or [min(_FIRST_BUCKET_BYTES, self.bucket_bytes_cap), self.bucket_bytes_cap],
            find_unused_parameters=self.find_unused_parameters,
            gradient_as_bucket_view=self.gradient_as_bucket_view,
            static_graph=self.static_graph,
            names=[name for name, _ in named],
            sparse={k for k, (name, _) in enumerate(named) if name in sparse},
            skip_all_reduce_unused_params=self.skip_all_reduce_unused_params,
        )

    def __getstate__(self):
        self._check_default_group()
        state = copy.copy(self.__dict__)
        del state["process_group"], state["reducer"]
        return state

    def __setstate__(self, state):
        self.process_group = _get_default_group()
        super().__setstate__(state)
        self.__dict__.setdefault("require_forward_param_sync", True)
        self.__dict__.setdefault("require_backward_grad_sync", True)
        self._make_reducer()

    def _check_default_group(self):
        if self.process_group is not _get_default_group():
            raise RuntimeError(
                "DDP Pickling/Unpickling are only supported when using DDP with the default process "
                "group. That is, when you have called init_process_group and have not passed "
                "process_group argument to DDP constructor"
            )

    # ---- forward

    @contextmanager
    def no_sync(self):
        """Return a context in which gradients are accumulated in each process and not averaged.

        Both the forward pass and `backward` belong inside. The next backward pass after a forward pass outside
        averages the sums.

        Examples
        --------
        >>> from minitorch.nn.parallel import DistributedDataParallel
        >>> def accumulate(model: DistributedDataParallel, batches):
        ...     with model.no_sync():
        ...         for batch in batches[:-1]:
        ...             model(batch).sum().backward()
        ...     model(batches[-1]).sum().backward()
        """
        before = self.require_backward_grad_sync
        self.require_backward_grad_sync = False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    def forward(self, *inputs, **kwargs):
        """Call the module, and prepare the reduction of the gradients."""
        self._before_forward()
        output = self.module(*inputs, **kwargs)
        return self._after_forward(output)

    def _before_forward(self):
        if is_grad_enabled() and self.require_backward_grad_sync:
            work = Join.notify_join_context(self)
            if work is not None:
                self.reducer.join_work = work
            self.reducer.ensure_prior_reduction_finished()
        if self._join_config.enable:
            self._any_rank_synchronizes(self.require_backward_grad_sync)
        if self._synchronized_buffers_in_forward():
            self._sync_buffers()

    def _after_forward(self, output):
        if not (is_grad_enabled() and self.require_backward_grad_sync):
            self.require_forward_param_sync = False
            return output
        self.require_forward_param_sync = True
        if not (self.static_graph or self.find_unused_parameters):
            self.reducer.prepare_for_backward([])
            return output
        leaves, structure = tree_flatten(output)
        places = [k for k, leaf in enumerate(leaves) if getattr(leaf, "requires_grad", False)]
        tensors = [leaves[k] for k in places]
        self.reducer.prepare_for_backward(tensors)
        if self.reducer.counting and tensors:
            for k, passed in zip(places, _DDPSink.apply(self.reducer, *tensors), strict=True):
                leaves[k] = passed
            return tree_unflatten(leaves, structure)
        return output

    def will_sync_module_buffers(self):
        """Return whether the next forward pass sends the buffers of rank 0 to all others."""
        return (
            self.require_forward_param_sync
            and self.forward_sync_buffers
            and len(self.modules_buffers) > 0
        )

    _synchronized_buffers_in_forward = will_sync_module_buffers

    def _sync_buffers(self):
        rank = self._common_rank(True) if self._join_config.enable else 0
        self._find_buffers()
        self._broadcast(self.modules_buffers, rank)

    def _common_rank(self, has_inputs):
        """Return the largest rank of the group for which the argument is true, the same for all."""
        rank = tensor([self.process_group.rank() if has_inputs else -1])
        all_reduce(rank, op=ReduceOp.MAX, group=self.process_group)
        return rank.item()

    def _any_rank_synchronizes(self, synchronizes):
        """Return whether any process with inputs averages its gradients in this step."""
        flag = tensor([int(synchronizes)])
        all_reduce(flag, group=self.process_group)
        return flag.item() != 0

    def train(self, mode=True):
        """Set the module to training or evaluation mode; return this object."""
        super().train(mode)
        return self

    def to_kwargs(self, inputs, kwargs, device_id):
        """Return positional and keyword arguments as they are: there is one device."""
        return [inputs], [kwargs]

    def scatter(self, inputs, kwargs, device_ids):
        """Return the arguments for each device, of which there is one."""
        return scatter_kwargs(inputs, kwargs, device_ids, dim=self.dim)

    def gather(self, outputs, output_device):
        """Combine the results of all devices."""
        return _gather(outputs, output_device, dim=self.dim)

    # ---- communication hooks

    def register_comm_hook(self, state, hook):
        """Let a function reduce the buckets, instead of an average over all processes.

        Parameters
        ----------
        state : object
            The first argument of the hook.
        hook : callable
            Called as ``hook(state, bucket)`` with a `GradBucket` whose gradients are not divided. It returns a
            `Future` of the reduced flat tensor.

        Raises
        ------
        TypeError
            If the hook cannot be called.
        RuntimeError
            If there is a hook already.
        """
        self._check_comm_hook(hook)
        if self.reducer.comm_hook is not None:
            raise RuntimeError(
                "register_comm_hook or register_builtin_comm_hook can only be called once."
            )
        self._comm_hooks.append((hook, state))
        self.reducer.comm_hook = (state, hook)

    def _check_comm_hook(self, hook):
        if not callable(hook):
            raise TypeError("Communication hook must be callable.")
        signature = inspect.signature(hook)
        annotation = signature.parameters["bucket"].annotation
        if annotation is not inspect.Parameter.empty and annotation is not GradBucket:
            raise ValueError("Communication hook: bucket annotation should be dist.GradBucket.")
        returned = signature.return_annotation
        if returned is not inspect.Signature.empty and "Future[" not in str(returned):
            raise ValueError(
                "Communication hook: return annotation should be torch.futures.Future[torch.Tensor]."
            )

    def _set_static_graph(self):
        """Set `static_graph` after construction."""
        if self.static_graph:
            warnings.warn(
                "You've set static_graph to be True, no need to set it again.", stacklevel=2
            )
            return
        self.static_graph = self.reducer.static_graph = True

    # ---- uneven inputs

    def join(
        self, divide_by_initial_world_size=True, enable=True, throw_on_early_termination=False
    ):
        """Return a context in which processes may have different numbers of inputs.

        Parameters
        ----------
        divide_by_initial_world_size : bool
            Divide gradients by the number of all processes, also when some have no inputs left; if False, by the
            number of those that have.
        enable : bool
        throw_on_early_termination : bool
            Raise RuntimeError in all processes as soon as one has no inputs left.

        Returns
        -------
        Join
        """
        return Join(
            [self],
            enable,
            throw_on_early_termination,
            divide_by_initial_world_size=divide_by_initial_world_size,
        )

    def join_hook(self, **kwargs):
        """Return what a process without inputs does; `Join` calls it.

        Parameters
        ----------
        **kwargs
            ``divide_by_initial_world_size``, as for `join`.
        """
        return _DDPJoinHook(self, kwargs.get("divide_by_initial_world_size", True))

    @property
    def join_device(self):
        """The device of the parameters."""
        return self.device

    @property
    def join_process_group(self):
        """The process group of this object."""
        return self.process_group

    def _get_ddp_logging_data(self):
        """Return a dict that describes the arguments and the buckets."""
        parameters = self.reducer.parameters
        return {
            "backend_name": self.process_group.name(),
            "broadcast_buffers": int(self.forward_sync_buffers),
            "bucket_cap_bytes": self.bucket_bytes_cap,
            "bucket_sizes": ", ".join(
                str(sum(p.numel() * p.element_size() for p in bucket.parameters))
                for bucket in self.reducer.buckets
            ),
            "find_unused_parameters": int(self.find_unused_parameters),
            "gradient_as_bucket_view": int(self.gradient_as_bucket_view),
            "master_addr": os.environ.get("MASTER_ADDR", "N/A"),
            "master_port": os.environ.get("MASTER_PORT", "N/A"),
            "module_name": type(self.module).__name__,
            "num_parameter_tensors": len(parameters),
            "rank": self.process_group.rank(),
            "static_graph": int(self.static_graph),
            "total_parameter_size_bytes": sum(p.numel() * p.element_size() for p in parameters),
            "world_size": self.process_group.size(),
        }


def _groups(tensors, limit):
    """Return lists of tensors of the same dtype, each with about as many bytes as `limit`."""
    groups, current = [], {}
    for item in tensors:
        group, size = current.pop(item.dtype, ([], 0))
        group.append(item)
        size += item.numel() * item.element_size()
        if size >= limit:
            groups.append(group)
        else:
            current[item.dtype] = (group, size)
    return groups + [group for group, _ in current.values()]


def _digest(value):
    """Return a number that is the same in all processes for equal values."""
    return int.from_bytes(blake2b(repr(value).encode(), digest_size=7).digest(), "little")
