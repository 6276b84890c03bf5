"""The reducer: gradients are averaged over the processes in buckets, while the backward pass is running.

Note [One step of the reducer]
A step has four parts, and each happens at the same place as in PyTorch:

1. `prepare_for_backward`, after the forward pass: every bucket waits for all its parameters.
2. `Reducer._ready`, a hook on the `AccumulateGrad` node of each parameter: the gradient is copied into its bucket,
   divided by the number of processes. The bucket that is complete starts its reduction, and backward goes on.
3. `Engine.queue_callback` calls `Reducer._finalize` at the end of the pass: nothing else says that all nodes have
   run. It waits for the reductions and writes the averages into ``.grad``.
4. The next step finds all buckets reduced. If one is not, a parameter got no gradient, and the next forward
   pass raises an error.

Note [The order of buckets]
All processes must start the same reductions in the same order. So buckets start by their number: a bucket that is
complete early waits for those before it. Parameters enter buckets in reverse order, since backward usually comes
to the last layer first. The first bucket is small, so that the first reduction starts early.
"""

import weakref

from minitorch.autograd.events import note
from minitorch.autograd.functions.creation import zeros, zeros_like
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.autograd.graph import Variable, get_gradient_edge
from minitorch.distributed.distributed_c10d import all_reduce
from minitorch.distributed.grad_bucket import GradBucket

__all__ = ["Bucket", "Reducer", "assign_buckets"]


def assign_buckets(parameters, limits, sparse=()):
    """Return lists of indices of parameters, each for one bucket, in the order of their reductions.

    Parameters
    ----------
    parameters : list of Tensor
    limits : list of int
        A bucket is closed as soon as it has so many bytes: the first number is for the first bucket of each dtype, the
        second for its second bucket, and the last one for all others.
    sparse : collection of int
        Indices of parameters with sparse gradients, each of which has a bucket of its own.

    Returns
    -------
    list of list of int

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.parallel.reducer import assign_buckets
    >>> assign_buckets([torch.ones(4), torch.ones(4), torch.ones(2)], [8, 32])
    [[2], [1, 0]]
    """
    buckets, current, closed = [], {}, {}  # open buckets, and the number of closed ones, by dtype
    for index in reversed(range(len(parameters))):
        if index in sparse:
            buckets.append([index])
            continue
        parameter = parameters[index]
        key = parameter.dtype
        indices, size = current.pop(key, ([], 0))
        indices.append(index)
        size += parameter.numel() * parameter.element_size()
        number = closed.get(key, 0)
        if size >= limits[min(number, len(limits) - 1)]:
            closed[key] = number + 1
            buckets.append(indices)
        else:
            current[key] = (indices, size)
    return buckets + [indices for indices, _ in current.values()]


class Bucket:
    """Gradients of some parameters in one flat tensor, which is reduced as a whole.

    Parameters
    ----------
    number : int
    indices : list of int
        Which parameters of the reducer.
    parameters : list of Tensor
        Those parameters.
    is_sparse : bool
        The bucket is for one parameter with a sparse gradient; then `flat` is that gradient.
    """

    def __init__(self, number, indices, parameters, is_sparse=False):
        self.number = number
        self.indices = indices
        self.parameters = parameters
        sizes = [parameter.numel() for parameter in parameters]
        first = parameters[0]
        self.is_sparse = is_sparse
        if is_sparse:
            self.flat, self.views = None, [None]
        else:
            self.flat = zeros(sum(sizes), dtype=first.dtype, device=first.device)
            self.views = self.split(self.flat)
        self.pending = len(indices)
        self.work = None

    def note_end(self, future):
        """Report in the thread that has reduced the bucket that it is reduced."""
        note(f"bucket {self.number} is reduced", self.flat)

    def split(self, flat):
        """Return the part of a flat tensor that belongs to each parameter, with its shape and strides."""
        views, offset = [], 0
        for parameter in self.parameters:
            count = parameter.numel()
            if is_dense(parameter):
                view = flat.as_strided(
                    parameter.size(), parameter.stride(), flat.storage_offset() + offset
                )
            else:
                view = flat.narrow(0, offset, count).view(parameter.size())
            views.append(view)
            offset += count
        return views


def is_dense(tensor):
    """Return whether the elements of a tensor fill a block of memory, each of them once."""
    expected = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.size(), strict=True)):
        if size == 1:
            continue
        if stride != expected:
            return False
        expected *= size
    return True


_UNUSED = (
    "Expected to have finished reduction in the prior iteration before starting a new one. This error "
    "indicates that your module has parameters that were not used in producing loss. "
)
_FIND = (
    "You can enable unused parameter detection by passing the keyword argument "
    "`find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by \n"
)
_OUTPUTS = (
    "making sure all `forward` function outputs participate in calculating loss. \n"
    "If you already have done the above, then the distributed data parallel module wasn't able to "
    "locate the output tensors in the return value of your module's `forward` function. Please include "
    "the loss function and the structure of the return value of `forward` of your module when reporting "
    "this issue (e.g. list, dict, iterable)."
)
_CHANGED_TO_UNUSED = (
    "Expected to have finished reduction in the prior iteration before starting a new one. This error "
    "indicates that your training graph has changed in this iteration, e.g., one parameter is used in "
    "first iteration, but then got unused in the second iteration. this is not compatible with "
    "static_graph set to True."
)
_CHANGED_TO_USED = (
    "Your training graph has changed in this iteration, e.g., one parameter is unused in first "
    "iteration, but then got used in the second iteration. this is not compatible with static_graph "
    "set to True."
)
_DEBUG = (
    "\n In addition, you can set the environment variable TORCH_DISTRIBUTED_DEBUG to either INFO or "
    "DETAIL to print out information about which particular parameters did not receive gradient on "
    "this rank as part of this error"
)
_TWICE = (
    "Expected to mark a variable ready only once. This error is caused by one of the following reasons: "
    "1) Use of a module parameter outside the `forward` function. Please make sure model parameters are "
    "not shared across multiple concurrent forward-backward passes. or try to use _set_static_graph() "
    "as a workaround if this module graph does not change during training loop.2) Reused parameters in "
    "multiple reentrant backward passes. For example, if you use multiple `checkpoint` functions to "
    "wrap the same part of your model, it would result in the same set of parameters been used by "
    "different reentrant backward passes multiple times, and hence marking a variable ready multiple "
    "times. DDP does not support such use cases in default. You can try to use _set_static_graph() as a "
    "workaround if your module graph does not change over iterations."
)


class Reducer:
    """Average the gradients of parameters over the processes of a group during backward.

    Parameters
    ----------
    parameters : list of Tensor
        Leaves that require gradients, the same ones in the same order in all processes.
    process_group : ProcessGroup
    limits : list of int
        Sizes of the buckets in bytes; see `assign_buckets`.
    find_unused_parameters : bool
        Search the graph of each forward pass for the parameters that it does not use.
    gradient_as_bucket_view : bool
        Let ``.grad`` be a view of the bucket, instead of a tensor of its own.
    static_graph : bool
        Learn in the first step which parameters are used, and how often.
    names : list of str, optional
        Names of the parameters for error messages.
    sparse : collection of int
        Indices of parameters with sparse gradients.
    skip_all_reduce_unused_params : bool
        Start no reduction for a bucket without any parameter that is used.

    Notes
    -----
    See Note [One step of the reducer] and Note [The order of buckets]. PyTorch's counterpart is ``c10d::Reducer``.
    """

    def __init__(
        self,
        parameters,
        process_group,
        limits,
        *,
        find_unused_parameters=False,
        gradient_as_bucket_view=False,
        static_graph=False,
        names=None,
        sparse=(),
        skip_all_reduce_unused_params=False,
    ):
        self.parameters = parameters
        self.process_group = process_group
        self.find_unused_parameters = find_unused_parameters
        self.gradient_as_bucket_view = gradient_as_bucket_view
        self.static_graph = static_graph
        self.skip_unused = skip_all_reduce_unused_params
        self.names = names
        self.divisor = process_group.size()
        self.join_work = None  # the operation that counts the processes with inputs
        self.divide_by_initial_world_size = True
        self.comm_hook = None  # (state, hook)
        self.buckets = [
            Bucket(number, indices, [parameters[k] for k in indices], indices[0] in sparse)
            for number, indices in enumerate(assign_buckets(parameters, limits, sparse))
        ]
        self.place = {
            index: (bucket, position)
            for bucket in self.buckets
            for position, index in enumerate(bucket.indices)
        }
        self.expects_hooks = (
            False  # between a forward that is to be reduced and the end of its backward
        )
        self.next_bucket = len(self.buckets)
        self.is_ready = [False] * len(parameters)
        self.used = [False] * len(parameters)  # since the last reduction, in this process
        self.unused = []
        self.unmarked = False  # whether `unused` still has to be marked in this pass
        self.counts = None  # in a static graph: how often the hook of each parameter is called
        self.calls = [0] * len(parameters)
        self.counting = self.entered = False
        self.in_final_sweep = False
        # a leaf refers to its AccumulateGrad node weakly, so the reducer keeps the nodes with their hooks
        self.nodes = [get_gradient_edge(parameter).node for parameter in parameters]
        this = weakref.ref(self)
        self.handles = [
            node.register_hook(gradient_hook(this, index)) for index, node in enumerate(self.nodes)
        ]

    def remove_hooks(self):
        """Remove the hooks from the parameters."""
        for handle in self.handles:
            handle.remove()

    # ---- 1. before backward

    def prepare_for_backward(self, outputs):
        """Expect a backward pass, whose gradients are reduced.

        Parameters
        ----------
        outputs : list of Tensor
            Results of the forward pass. The search for unused parameters starts at them.

        Raises
        ------
        RuntimeError
            If the last backward pass has not reduced all buckets.
        """
        self.ensure_prior_reduction_finished()
        self.expects_hooks = True
        self.next_bucket = 0
        self.is_ready = [False] * len(self.parameters)
        for bucket in self.buckets:
            bucket.pending = len(bucket.indices)
            bucket.work = None
        self.calls = [0] * len(self.parameters)
        self.divisor = self.process_group.size()
        work, self.join_work = self.join_work, None
        if work is not None and not self.divide_by_initial_world_size:
            self.divisor = int(work.result()[0].item())
        self.counting = self.static_graph and self.counts is None
        self.entered = False
        if self.static_graph:
            counts = self.counts
            self.unused = (
                [] if self.counting else [k for k, count in enumerate(counts) if not count]
            )
        elif self.find_unused_parameters:
            reached = reachable_from(outputs)
            self.unused = [k for k, node in enumerate(self.nodes) if node not in reached]
        else:
            self.unused = []
        self.unmarked = bool(self.unused)

    def ensure_prior_reduction_finished(self):
        """Raise RuntimeError if the last backward pass has not reduced all buckets."""
        if (
            not self.expects_hooks
            or self.next_bucket == len(self.buckets)
            or not any(self.is_ready)
        ):
            return
        missing = [index for index, ready in enumerate(self.is_ready) if not ready]
        if self.static_graph:
            text = _CHANGED_TO_UNUSED
        elif self.find_unused_parameters:
            text = (
                _UNUSED
                + "Since `find_unused_parameters=True` is enabled, this likely  means that not all "
                + (
                    "`forward` outputs participate in computing loss. You can fix this by "
                    + _OUTPUTS
                )
            )
        else:
            text = _UNUSED + _FIND + _OUTPUTS
        rank = self.process_group.rank()
        listed = " ".join(map(str, missing))
        text += f"\nParameter indices which did not receive grad for rank {rank}: {listed}"
        raise RuntimeError(text + _DEBUG)

    # ---- 2. during backward

    def hook_called(self, index):
        """Note that the gradient of a parameter has been accumulated."""
        self.used[index] = True
        if not self.expects_hooks:
            return
        self.calls[index] += 1
        if self.static_graph:
            if self.counting:
                # how often each hook is called is known only at the end
                self.entered_backward()
                return
            if not self.counts[index]:
                raise RuntimeError(_CHANGED_TO_USED)
            if self.calls[index] < self.counts[index]:
                return
        self._mark_unused()
        self.mark_ready(index)

    def entered_backward(self):
        """Queue the reduction of everything at the end of a static graph's first pass."""
        if self.counting and not self.entered:
            self.entered = True
            Variable._execution_engine.queue_callback(self._end_of_first_pass)

    def _mark_unused(self):
        if self.unmarked:
            self.unmarked = False
            for index in self.unused:
                self.mark_ready(index)

    def mark_ready(self, index):
        """Copy a gradient into its bucket, and start the reductions that wait for nothing else."""
        if self.is_ready[index]:
            raise RuntimeError(_TWICE + self._which(index))
        self.is_ready[index] = True
        bucket, position = self.place[index]
        self._fill(bucket, position)
        bucket.pending -= 1
        if bucket.pending:
            return
        while self.next_bucket < len(self.buckets) and not self.buckets[self.next_bucket].pending:
            self._start(self.buckets[self.next_bucket])
            self.next_bucket += 1
        if self.next_bucket == len(self.buckets):
            if self.in_final_sweep:
                self._finalize()
            else:
                Variable._execution_engine.queue_callback(self._finalize)

    def _which(self, index):
        name = f" with name {self.names[index]}" if self.names else ""
        return (
            f"\nParameter at index {index}{name} has been marked as ready twice. This means that multiple "
            "autograd engine  hooks have fired for this particular parameter during this iteration."
        )

    @no_grad()
    def _fill(self, bucket, position):
        view, gradient = bucket.views[position], bucket.parameters[position].grad
        scale = 1.0 if self.comm_hook is not None else 1.0 / self.divisor
        if bucket.is_sparse:
            if gradient is None:
                gradient = zeros_like(bucket.parameters[position]).to_sparse()
            bucket.flat = gradient * scale
        elif gradient is None:
            view.zero_()
        elif gradient.is_sparse:
            raise RuntimeError(
                "DistributedDataParallel: a parameter has a sparse gradient, but is not the weight of an "
                "Embedding or EmbeddingBag with sparse=True"
            )
        elif same_memory(gradient, view):
            if scale != 1.0:
                view.mul_(scale)
        else:
            view.copy_(gradient)
            if scale != 1.0:
                view.mul_(scale)

    def _start(self, bucket):
        if self.skip_unused and not any(
            self.calls[index] or self.used[index] for index in bucket.indices
        ):
            return
        note(f"bucket {bucket.number} starts", bucket.flat)
        if self.comm_hook is None:
            bucket.work = all_reduce(bucket.flat, group=self.process_group, async_op=True)
            bucket.work.get_future().add_done_callback(bucket.note_end)
            return
        state, hook = self.comm_hook
        last = bucket.number == len(self.buckets) - 1
        future = hook(state, GradBucket(bucket, last))
        if not hasattr(future, "wait"):
            kind = f"{type(future).__module__}.{type(future).__qualname__}"
            raise RuntimeError(
                "DDP communication hook's callback must return a torch.futures.Future object, "
                f"but got {kind}"
            )
        future.add_done_callback(bucket.note_end)
        bucket.work = future

    # ---- 3. at the end of backward

    def _end_of_first_pass(self):
        """Reduce everything, in a static graph's first step."""
        self.counting = False
        self.counts = list(self.calls)
        self.in_final_sweep = True
        try:
            for index in range(len(self.parameters)):
                self.mark_ready(index)
        finally:
            self.in_final_sweep = False

    @no_grad()
    def _finalize(self):
        """Wait for the reductions, and write the averages into ``.grad``."""
        self.expects_hooks = False
        everywhere = self._used_anywhere()
        for bucket in self.buckets:
            if bucket.work is None:
                continue
            result = bucket.work.wait()
            if self.comm_hook is not None:
                self._take_result(bucket, result)
            bucket.work = None
            for position, index in enumerate(bucket.indices):
                if everywhere is None or everywhere[index]:
                    self._write(bucket, position)
        self.used = [False] * len(self.parameters)

    def _used_anywhere(self):
        """Return for each parameter whether any process has used it; None if all are known to be used."""
        if self.static_graph:
            return [bool(count) for count in self.counts]
        if not self.find_unused_parameters:
            return None
        if self.skip_unused:
            return self.used
        counts = tensor([int(used) for used in self.used])
        all_reduce(counts, group=self.process_group)
        return [count > 0 for count in counts.tolist()]

    def _take_result(self, bucket, result):
        if isinstance(result, (list, tuple)) and len(result) == 1:
            (result,) = result
        if not hasattr(result, "data_ptr"):
            raise RuntimeError(f"Unable to cast {result} to Tensor")
        if bucket.is_sparse:
            bucket.flat = result
        elif result.data_ptr() != bucket.flat.data_ptr():
            bucket.flat.copy_(result.view(-1))

    def _write(self, bucket, position):
        parameter, view = bucket.parameters[position], bucket.views[position]
        gradient = parameter.grad
        if bucket.is_sparse:
            parameter.grad = bucket.flat
        elif self.gradient_as_bucket_view:
            if gradient is None or not same_memory(gradient, view):
                parameter.grad = view
        elif gradient is None:
            parameter.grad = view.clone()
        else:
            gradient.copy_(view)

    # ---- a process that has no more inputs

    def zero_buckets(self):
        """Take part in the reductions of the other processes with zeros."""
        works = []
        for bucket in self.buckets:
            if bucket.is_sparse:
                bucket.flat = zeros_like(bucket.parameters[0]).to_sparse()
            else:
                bucket.flat.zero_()
            if self.comm_hook is None:
                works.append(all_reduce(bucket.flat, group=self.process_group, async_op=True))
            else:
                state, hook = self.comm_hook
                last = bucket.number == len(self.buckets) - 1
                works.append(hook(state, GradBucket(bucket, last)))
        self.used = [False] * len(self.parameters)
        if self.find_unused_parameters and not self.static_graph:
            self._used_anywhere()
        for work in works:
            work.wait()


def gradient_hook(reducer, index):
    """Return the hook of a parameter's AccumulateGrad node; it does not keep the reducer alive."""

    def reduce_gradient(grad_inputs, grad_outputs):
        found = reducer()
        if found is not None:
            found.hook_called(index)

    return reduce_gradient


def same_memory(a, b):
    """Return whether two tensors are the same elements of the same memory."""
    return a.data_ptr() == b.data_ptr() and a.size() == b.size() and a.stride() == b.stride()


def reachable_from(tensors):
    """Return the set of nodes that a backward pass from `tensors` would run."""
    found = set()
    waiting = [get_gradient_edge(tensor).node for tensor in tensors if tensor.requires_grad]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found:
            found.add(node)
            waiting += [target for target, _ in node.next_functions]
    return found
