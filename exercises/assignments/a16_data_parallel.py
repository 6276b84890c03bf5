"""Train one model in two processes: average the gradients while backward is still running.

Each process (a *rank*) has a copy of the model and its own part of the batch. After a backward pass
every rank must hold the same gradients: the average over the ranks. Sending all of them at the end
would leave the connection idle during the pass, so they are sent in *buckets*, each as soon as its
last gradient has been accumulated. At the end of the pass the engine calls a callback, which waits
for the buckets that are still on their way.

You write the three parts that decide what is sent and when:

1. `make_buckets` divides the parameters into buckets;
2. `Reducer.arrived` is called when the gradient of a parameter is complete;
3. `Reducer.finish` is the callback at the end of the pass.

A message does not say which bucket it holds: the k-th message of one rank is added to the k-th
message of the other. So all ranks have to send the same buckets in the same order, even if their
gradients arrive in different orders, and even if a parameter was not used on one of them.

When your file passes, `python -m exercises ranks` trains with it on two processes. It needs MPI, which
`pip install "minitorch-autograd[distributed]"` installs.
"""

import minitorch as torch

# ---- yours to write


def make_buckets(sizes, limit):
    """Divide parameters into buckets, beginning with the last parameter.

    The gradients of the last layers arrive first, so the first bucket has the last parameters. A
    bucket ends when the next parameter would make it larger than `limit`, and it is never empty.

    Parameters
    ----------
    sizes : list of int
        The number of elements of each parameter.
    limit : int
        The number of elements that a bucket may have. A parameter that is larger by itself gets a
        bucket of its own.

    Returns
    -------
    list of list of int
        The indices of the parameters in each bucket, in the order in which they are put in.
    """
    # <answer make_buckets>
    # hint: Go through the indices from the last to the first.
    # hint: Begin a new bucket when the next parameter would make the current one larger than
    #   `limit`, but never leave a bucket empty.
    # hint: Keep the current bucket and its number of elements; append the bucket to the result when
    #   a new one begins, and once more at the end if anything is in it.
    buckets, current, filled = [], [], 0
    for index in reversed(range(len(sizes))):
        if current and filled + sizes[index] > limit:
            buckets.append(current)
            current, filled = [], 0
        current.append(index)
        filled += sizes[index]
    if current:
        buckets.append(current)
    return buckets
    # <wrong first_parameters_first>
    #|- for index in reversed(range(len(sizes))):
    #|+ for index in range(len(sizes)):
    # </answer>


class Reducer:
    """Keeps the gradients of some parameters equal on all ranks.

    Attributes
    ----------
    parameters : list of Tensor
    group : Group
        ``group.size`` is the number of ranks. ``group.send(numbers)`` sends a flat float64 tensor
        to the other ranks without waiting. ``group.receive_sum()`` waits for the next message of the
        other ranks, and returns the sum of the k-th messages of all ranks at its k-th call.
    buckets : list of list of int
    waiting : set of int
        The indices of the parameters whose gradients have not arrived in this pass.
    started : int
        How many buckets have been sent in this pass.
    queued : bool
        Whether the callback has been queued in this pass.
    """

    def __init__(self, parameters, group, limit):
        self.parameters = list(parameters)
        self.group = group
        self.buckets = make_buckets([p.numel() for p in self.parameters], limit)
        self.reset()
        for index, parameter in enumerate(self.parameters):
            parameter.register_post_accumulate_grad_hook(lambda _, index=index: self.arrived(index))

    def reset(self):
        """Forget the last pass."""
        self.waiting = set(range(len(self.parameters)))
        self.started = 0
        self.queued = False

    def flat(self, bucket):
        """Return the gradients of a bucket as one float64 tensor; None counts as zeros."""
        parts = [
            torch.zeros_like(p) if p.grad is None else p.grad
            for p in (self.parameters[index] for index in bucket)
        ]
        return torch.cat([part.detach().reshape(-1).double() for part in parts])

    def scatter(self, bucket, numbers):
        """Write a flat tensor into the gradients of a bucket."""
        start = 0
        for index in bucket:
            p = self.parameters[index]
            p.grad = numbers[start : start + p.numel()].reshape(p.shape).to(p.dtype)
            start += p.numel()

    def arrived(self, index):
        """Note that a gradient is complete, and send the buckets that can be sent now.

        At the first gradient of a pass, queue `finish` with
        ``torch.autograd.Variable._execution_engine.queue_callback``. Do not wait for the last one: it
        does not come if a parameter is not used in this pass.
        """
        # <answer Reducer.arrived>
        # hint: Queue the callback only once in a pass: `self.queued` remembers it.
        # hint: A bucket may be sent when none of its parameters is in `self.waiting`.
        # hint: The ranks send bucket 0 first, then bucket 1, and so on. If bucket 1 is complete
        #   before bucket 0, it has to wait; when bucket 0 is complete, both can go.
        if not self.queued:
            self.queued = True
            torch.autograd.Variable._execution_engine.queue_callback(self.finish)
        self.waiting.discard(index)
        while self.started < len(self.buckets):
            bucket = self.buckets[self.started]
            if not self.waiting.isdisjoint(bucket):
                break
            self.group.send(self.flat(bucket))
            self.started += 1
        # <wrong a_bucket_goes_when_it_is_complete>
        #| if not self.queued:
        #|     self.queued = True
        #|     torch.autograd.Variable._execution_engine.queue_callback(self.finish)
        #| self.waiting.discard(index)
        #| for bucket in self.buckets:
        #|     if index in bucket and self.waiting.isdisjoint(bucket):
        #|         self.group.send(self.flat(bucket))
        #|         self.started += 1
        # <wrong one_bucket_at_a_time>
        #| if not self.queued:
        #|     self.queued = True
        #|     torch.autograd.Variable._execution_engine.queue_callback(self.finish)
        #| self.waiting.discard(index)
        #| if self.started < len(self.buckets):
        #|     bucket = self.buckets[self.started]
        #|     if self.waiting.isdisjoint(bucket):
        #|         self.group.send(self.flat(bucket))
        #|         self.started += 1
        # <wrong waits_during_the_pass>
        #|-     self.group.send(self.flat(bucket))
        #|-     self.started += 1
        #|+     self.group.send(self.flat(bucket))
        #|+     self.scatter(bucket, self.group.receive_sum() / self.group.size)
        #|+     self.started += 1
        # <wrong all_at_the_end>
        #| if not self.queued:
        #|     self.queued = True
        #|     torch.autograd.Variable._execution_engine.queue_callback(self.finish)
        #| self.waiting.discard(index)
        # </answer>

    def finish(self):
        """Complete the pass: every parameter's gradient becomes the average over the ranks.

        A parameter that was not used on a rank counts as zeros there: see `flat`.
        """
        # <answer Reducer.finish>
        # hint: Some parameters were not used in this pass, so their buckets have not been sent. The
        #   other rank may have sent them: send what is missing, in order.
        # hint: Receive as many sums as there are buckets. A sum is not yet an average.
        # hint: The next pass needs a new state: call `reset`.
        for bucket in self.buckets[self.started :]:
            self.group.send(self.flat(bucket))
        for bucket in self.buckets:
            self.scatter(bucket, self.group.receive_sum() / self.group.size)
        self.reset()
        # <wrong sum_for_average>
        #|-     self.scatter(bucket, self.group.receive_sum() / self.group.size)
        #|+     self.scatter(bucket, self.group.receive_sum())
        # <wrong waits_during_the_pass>
        #| for bucket in self.buckets[self.started :]:
        #|     self.group.send(self.flat(bucket))
        #|     self.scatter(bucket, self.group.receive_sum() / self.group.size)
        #| self.reset()
        # <wrong unused_parameters_are_forgotten>
        #| for bucket in self.buckets[: self.started]:
        #|     self.scatter(bucket, self.group.receive_sum() / self.group.size)
        #| self.reset()
        # <wrong state_of_the_last_pass>
        #|- self.reset()
        # </answer>


# <tests>
import contextlib
import ctypes
import os
import signal
import struct

from exercises.scenario import scenario

ABOUT = {
    "number": 16,
    "title": "Data-parallel gradients",
    "part": "Use",
    "goal": "Average gradients over two processes, bucket by bucket, while backward is running.",
    "reading": ["learn/side_paths/data_parallel", "learn/backward/10_sink"],
    "difficulty": 4,
    "importance": 4,
    "hours": 5,
}

RANK = 0
LINK = (None, None)  # to read from the other rank, and to write to it


def prepare():
    """Fork the second rank, before any code of a submission is loaded."""
    global RANK, LINK
    to_first, from_second = os.pipe()
    to_second, from_first = os.pipe()
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: ends with the first rank
        RANK, LINK = 1, (to_second, from_second)
    else:
        LINK = (to_first, from_first)
    return list(LINK)


def install(piece):
    return contextlib.nullcontext()


def retire():
    """Do nothing: the library has none of these functions."""


_inside = {}  # group -> the library, what is sent but not yet summed, and the log


class Group:
    """The two ranks, joined by two pipes; what they do is in a log that only the tests can reach."""

    size = 2

    def __init__(self, torch):
        _inside[self] = torch, [], []

    def send(self, numbers):
        _, sent, log = _inside[self]
        log.append(len(numbers))
        sent.append(numbers.clone())
        send_numbers(numbers.tolist())

    def receive_sum(self):
        torch, sent, log = _inside[self]
        other = receive_numbers()
        log.append("received")
        return sent.pop(0) + torch.tensor(other, dtype=torch.float64)


def log_of(group):
    return _inside[group][2]


def send_numbers(numbers):
    data = struct.pack(f"<q{len(numbers)}d", len(numbers), *numbers)
    while data:
        data = data[os.write(LINK[1], data) :]


def receive_numbers():
    (count,) = struct.unpack("<q", _read(8))
    return list(struct.unpack(f"<{count}d", _read(8 * count)))


def _read(count):
    data = b""
    while len(data) < count:
        piece = os.read(LINK[0], count - len(data))
        if not piece:
            raise EOFError("the other rank has ended")
        data += piece
    return data


def network(torch, draw, sizes):
    """Return parameters, the same on both ranks, and an input for each rank."""
    weights = [
        torch.tensor(draw.floats(n, m), dtype=torch.float64, requires_grad=True)
        for n, m in zip(sizes[1:], sizes, strict=False)
    ]
    inputs = [torch.tensor(draw.floats(sizes[0]), dtype=torch.float64) for _ in range(2)]
    return weights, inputs[RANK]


def forward(weights, x):
    for w in weights:
        x = (w @ x).tanh()
    return x.sum()


def both(weights, *more):
    """Yield the gradients of both ranks; the second one sends its own to the first."""
    grads = [w.grad.reshape(-1).tolist() for w in weights]
    if RANK == 1:
        for grad in grads:
            send_numbers(grad)
        return
    for k, grad in enumerate(grads):
        yield f"gradient {k} of rank 0", grad
        yield f"gradient {k} of rank 1", receive_numbers()
    yield from more


@scenario(points=8, idea="Begin with the last parameter. A bucket may be just full.", seconds=5)
def buckets_begin_with_the_last_parameter(torch, piece, draw):
    sizes = draw.integers(1, 9, 7)
    yield "sizes", sizes
    yield "buckets", piece.make_buckets(sizes, 12)
    k = draw.integer(2, 9)
    yield "three fill a bucket", [k, piece.make_buckets([k] * 7, 3 * k)]
    yield "three are too many by one", [k, piece.make_buckets([k] * 7, 3 * k - 1)]
    yield "no parameters", piece.make_buckets([], k)


@scenario(points=8, idea="A parameter larger than the limit has a bucket of its own.", seconds=5)
def large_parameters_are_alone(torch, piece, draw):
    drawn = draw.shuffled([*draw.integers(1, 4, 5), *draw.integers(20, 30, 3)])
    for sizes in (drawn, [*drawn, draw.integer(20, 30)]):
        yield "sizes", sizes
        yield "buckets", piece.make_buckets(sizes, 10)


@scenario(points=12, idea="Queue `finish`, which turns sums into averages.", seconds=5)
def one_bucket_is_averaged(torch, piece, draw):
    weights, x = network(torch, draw, [3, 2])
    piece.Reducer(weights, Group(torch), 100)
    forward(weights, x).backward()
    yield from both(weights)


@scenario(points=10, idea="Each bucket gets its own part of the sums.", seconds=5)
def several_buckets_are_averaged(torch, piece, draw):
    weights, x = network(torch, draw, [3, 4, 2, 5, 1])
    piece.Reducer(weights, Group(torch), 20)
    forward(weights, x).backward()
    yield from both(weights)


@scenario(points=10, idea="Each pass begins with a new state: reset it.", seconds=5)
def three_passes_follow_one_another(torch, piece, draw):
    weights, x = network(torch, draw, [2, 3, 2])
    piece.Reducer(weights, Group(torch), 6)
    for _ in range(3):
        forward(weights, x).backward()
        yield from both(weights)
        for w in weights:
            w.grad = None


@scenario(points=12, idea="Send a bucket when it is complete, not at the end.", seconds=5)
def buckets_are_sent_while_backward_runs(torch, piece, draw):
    weights, x = network(torch, draw, [2, 3, 4, 3])
    group, log = Group(torch), []
    for k, w in enumerate(weights):
        w.register_post_accumulate_grad_hook(lambda _, k=k: log.append([k, list(log_of(group))]))
    piece.Reducer(weights, group, 18)
    forward(weights, x).backward()
    yield from both(weights, ("parameter, and what had been sent before", log))


@scenario(points=10, seconds=5, idea="Send the buckets of unused parameters, too.")
def a_parameter_unused_on_one_rank(torch, piece, draw):
    weights, x = network(torch, draw, [2, 2, 2, 2])
    piece.Reducer(weights, Group(torch), draw.choice([4, 8]))
    used = weights if RANK == 0 else [weights[0], weights[2]]
    forward(used, x).backward()
    yield from both(weights)


# </tests>


# <hidden>
@scenario(points=10, hidden=True, seconds=5, idea="All ranks send the same buckets in one order.")
def the_ranks_use_their_parameters_in_different_orders(torch, piece, draw):
    weights, x = network(torch, draw, [3, 3, 3, 3])
    group, log = Group(torch), []
    piece.Reducer(weights, group, 9)
    for k, w in enumerate(weights):
        w.register_post_accumulate_grad_hook(lambda _, k=k: log.append([k, list(log_of(group))]))
    order = draw.choice([[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    forward([weights[k] for k in (order if RANK == 0 else order[::-1])], x).backward()
    yield from both(weights, ("parameter, and what had been sent then", log))


@scenario(points=10, hidden=True, seconds=5, idea="Queue the callback once, at the first gradient.")
def the_callback_is_queued_once(torch, piece, draw):
    weights, x = network(torch, draw, [2, 3, 3, 2])
    reducer = piece.Reducer(weights, Group(torch), 5)
    calls, finish = [], reducer.finish
    reducer.finish = lambda: (calls.append(len(calls)), finish())
    for _ in range(2):
        forward(weights, x).backward()
    yield from both(weights, ("calls of finish", calls))


@scenario(points=10, hidden=True, seconds=8, idea="Training gives the same weights on all ranks.")
def ten_steps_of_training(torch, piece, draw):
    weights, x = network(torch, draw, [3, 4, 1])
    piece.Reducer(weights, Group(torch), 7)
    for _ in range(10):
        for w in weights:
            w.grad = None
        forward(weights, x).backward()
        with torch.no_grad():
            for w in weights:
                w -= 0.25 * w.grad
    yield from both(weights, ("weights", [w.tolist() for w in weights]))


MISTAKES = {
    "first_parameters_first": "make_buckets begins with the first parameters. Their gradients "
    "arrive last, so nothing can be sent before the pass is nearly over.",
    "a_bucket_goes_when_it_is_complete": "A bucket is sent as soon as it is complete, in whatever "
    "order this happens. If the order differs between the ranks, different buckets are added.",
    "one_bucket_at_a_time": "Your `arrived` sends at most one bucket. When a late gradient completes "
    "bucket 0, other buckets may be complete already, and all of them can go.",
    "waits_during_the_pass": "Your `arrived` waits for the other rank, so backward cannot go on "
    "meanwhile. Only `finish` should wait.",
    "all_at_the_end": "Everything is sent in finish, so no communication overlaps with the pass.",
    "sum_for_average": "The sums are right, but they are not divided by the number of ranks.",
    "unused_parameters_are_forgotten": "A bucket with a parameter that was not used in the pass is "
    "never sent, but the other rank may be waiting for it.",
    "state_of_the_last_pass": "finish does not reset the state, so the second pass sends nothing.",
}
# </hidden>
