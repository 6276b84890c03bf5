"""Write the version counters of tensors, which find writes that would make a gradient wrong.

`y = x * x` saves `x` for the backward pass. If an operator writes to `x` before that pass, the
gradient is wrong, and without a check there is no error. So every tensor has a counter of the writes
to it. The count is noted when the tensor is saved, and has to be the same when it is unpacked.

The question is which tensors share a counter:

    x[1:], x.t(), x.view(6)    a view has the memory of `x`: one counter for both
    x.detach()                 the memory of `x`, without history: one counter for both
    x.data                     the memory of `x`, but a counter of its own that begins at 0, since
                               autograd is not meant to find these writes

You write a class with a method for each thing that can happen to a tensor. While your code is tested,
`tensor._version` returns the number that your class gives, not the library's own. What an operator
saves goes through your `save` and `unpack`.

A tensor may have attributes of its own: `tensor.anything = ...` works. Use one for the counter.
"""


class VersionCounter:
    """The number of writes to a tensor. Several tensors may share a counter."""

    def __init__(self):
        self.value = 0

    def bump(self):
        """Count one more write."""
        # <answer VersionCounter.bump>
        # hint: There may be any number of writes.
        # hint: Each adds one.
        # hint: `self.value += 1`.
        self.value += 1
        # <wrong only_once>
        #| self.value = 1
        # </answer>


class Saved:
    """A tensor that a node of the graph has saved.

    Attributes
    ----------
    tensor : Tensor
    counter : VersionCounter
        The tensor's counter, which goes on counting.
    version : int
        The counter's value when the tensor was saved.
    """

    def __init__(self, tensor, counter, version):
        self.tensor = tensor
        self.counter = counter
        self.version = version


class Versions:
    """The counters of all tensors. Each of these methods is called when something has happened."""

    def created(self, tensor):
        """Give a new counter to a tensor that has memory of its own."""
        # <answer Versions.created>
        # hint: Where can a tensor keep its counter?
        # hint: Set an attribute of the tensor.
        # hint: `tensor.counter = VersionCounter()`.
        tensor.counter = VersionCounter()
        # </answer>

    def viewed(self, tensor, view):
        """Give a new view of a tensor its counter."""
        # <answer Versions.viewed>
        # hint: A write to the view changes the tensor, and the other way round.
        # hint: Both need the same counter, not just the same number.
        # hint: `view.counter = tensor.counter`.
        view.counter = tensor.counter
        # <wrong view_has_its_own>
        #| view.counter = VersionCounter()
        # <wrong same_number_not_same_counter>
        #| view.counter = VersionCounter()
        #| view.counter.value = tensor.counter.value
        # </answer>

    def detached(self, tensor, result):
        """Give the result of `tensor.detach()` its counter."""
        # <answer Versions.detached>
        # hint: Does a write to the result change the elements of `tensor`?
        # hint: It does, so a derivative that needs them would be wrong.
        # hint: It shares the counter, like a view.
        result.counter = tensor.counter
        # <wrong detached_has_its_own>
        #| result.counter = VersionCounter()
        # </answer>

    def data_taken(self, tensor, result):
        """Give the result of `tensor.data` its counter."""
        # <answer Versions.data_taken>
        # hint: `x.data` is for writes that autograd is not meant to find.
        # hint: A write to the result must not count for `tensor`.
        # hint: It gets a counter of its own, which begins at 0.
        result.counter = VersionCounter()
        # <wrong data_begins_with_the_number>
        #| result.counter = VersionCounter()
        #| result.counter.value = tensor.counter.value
        # <wrong data_shares>
        #| result.counter = tensor.counter
        # </answer>

    def written(self, tensors):
        """Count the writes of one operator to these tensors.

        An operator may write to several tensors at once. It counts once for each *counter*, even if
        two of the tensors share it.
        """
        # <answer Versions.written>
        # hint: If both tensors have the same memory, is that one write or two?
        # hint: Collect the counters first, each of them once.
        # hint: `for counter in {id(t.counter): t.counter for t in tensors}.values(): counter.bump()`.
        for counter in {id(tensor.counter): tensor.counter for tensor in tensors}.values():
            counter.bump()
        # <wrong first_tensor_only>
        #| tensors[0].counter.bump()
        # <wrong only_neighbours_share>
        #| last = None
        #| for tensor in tensors:
        #|     if tensor.counter is not last:
        #|         tensor.counter.bump()
        #|     last = tensor.counter
        # <wrong once_for_each_tensor>
        #| for tensor in tensors:
        #|     tensor.counter.bump()
        # </answer>

    def version(self, tensor):
        """Return the number of writes to a tensor and its views."""
        # <answer Versions.version>
        # hint: The tensor's counter has this number.
        # hint: The counter is the attribute that you set in `created`.
        # hint: `return tensor.counter.value`.
        return tensor.counter.value
        # </answer>

    def save(self, tensor):
        """Return a `Saved` for a tensor that an operator saves.

        Saving is always allowed. The number of a tensor that was written to before is not 0, which
        does no harm.
        """
        # <answer Versions.save>
        # hint: What does `unpack` need: the current number, or the counter?
        # hint: Both. It compares the number at the time of saving with the counter's number then.
        # hint: `return Saved(tensor, tensor.counter, tensor.counter.value)`.
        return Saved(tensor, tensor.counter, tensor.counter.value)
        # <wrong checks_at_saving>
        #| if tensor.counter.value:
        #|     raise RuntimeError("the tensor was written to")
        #| return Saved(tensor, tensor.counter, tensor.counter.value)
        # <wrong begins_at_zero>
        #| return Saved(tensor, tensor.counter, 0)
        # </answer>

    def unpack(self, saved):
        """Return the tensor of a `Saved`, if it was not written to since it was saved.

        Raises
        ------
        RuntimeError
            If it was: "a tensor of shape (2, 3) was saved at version 1 and is at version 4".
        """
        # <answer Versions.unpack>
        # hint: What must be the same as when the tensor was saved?
        # hint: Compare the counter's current number with the one at the time of saving.
        # hint: If they differ, raise the error, with `tuple(saved.tensor.shape)`, `saved.version` and
        #   `saved.counter.value` in it. Else return `saved.tensor`.
        if saved.counter.value != saved.version:
            raise RuntimeError(
                f"a tensor of shape {tuple(saved.tensor.shape)} was saved at version "
                f"{saved.version} and is at version {saved.counter.value}"
            )
        return saved.tensor
        # <wrong never_checked>
        #| return saved.tensor
        # <wrong one_write_forgiven>
        #|- if saved.counter.value != saved.version:
        #|+ if saved.counter.value > saved.version + 1:
        # </answer>


# <tests>
import weakref
from contextlib import contextmanager

import minitorch
from exercises import plugs
from exercises.scenario import error_of, scenario
from minitorch.autograd.graph import saved_tensors_hooks
from minitorch.utils._python_dispatch import TorchDispatchMode

ABOUT = {
    "number": 3,
    "title": "Version counters",
    "part": "Tensors",
    "goal": "Count the writes to tensors, and find those that would spoil a derivative.",
    "reading": ["learn/side_paths/inplace", "learn/backward/08_formula"],
    "difficulty": 2,
    "importance": 4,
    "hours": 2,
}

_data = minitorch.Tensor.data


def retire():
    """Take the library's counters away; `install` puts the student's in their place."""
    plugs.forbid_attributes(minitorch.Tensor, "_version")
    plugs.forbid_functions("saved_tensors_hooks", "save_on_cpu", "_unsafe_set_version_counter")


def place(tensor):
    return tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype


class Watch(TorchDispatchMode):
    """Call the methods of the student's class for everything that operators do to tensors."""

    def __init__(self, versions):
        super().__init__()
        self.versions = versions
        self.known = {}  # id of a tensor -> a weak reference to it
        self.last = []  # weak references to the results of the last operator
        self.taking_data = False

    def know(self, tensor):
        self.known[id(tensor)] = weakref.ref(tensor)
        return tensor

    def tensor(self, other):
        """Return `other`, or the result of the last operator that it is a second object for."""
        if self.known.get(id(other), lambda: None)() is other:
            return other
        for reference in self.last:
            result = reference()
            if result is not None and place(result) == place(other):
                return result
        self.versions.created(other)
        return self.know(other)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        arguments = dict(zip((a.name for a in func._schema.arguments), args, strict=False))
        arguments.update(kwargs)
        written, viewed = [], None
        for argument in func._schema.arguments:
            value = arguments.get(argument.name)
            if argument.alias_info is None or value is None:
                continue
            if argument.alias_info.is_write:
                written += value if isinstance(value, list | tuple) else [value]
            else:
                viewed = value
        results = result if isinstance(result, list | tuple) else [result]
        results = [out for out in results if isinstance(out, minitorch.Tensor)]
        self.last = []
        for out in results:
            if viewed is None or out is viewed:
                self.tensor(out)
                continue
            base = self.tensor(viewed)
            self.know(out)
            if "detach" not in str(func):
                self.versions.viewed(base, out)
            elif self.taking_data:
                self.versions.data_taken(base, out)
            else:
                self.versions.detached(base, out)
        self.last = [weakref.ref(out) for out in results]
        if written:
            self.versions.written([self.tensor(t) for t in written])
        return result


@contextmanager
def install(piece):
    versions = piece.Versions()
    watch = Watch(versions)

    def data(tensor):
        watch.taking_data = True
        try:
            return _data.__get__(tensor)
        finally:
            watch.taking_data = False

    version = property(lambda t: versions.version(watch.tensor(t)))
    plugs.set_attribute(minitorch.Tensor, "_version", version)
    plugs.set_attribute(minitorch.Tensor, "data", property(data, _data.__set__))
    try:
        with saved_tensors_hooks(lambda t: versions.save(watch.tensor(t)), versions.unpack), watch:
            yield
    finally:
        plugs.set_attribute(minitorch.Tensor, "data", _data)


def drawn(torch, draw, *shape, grad=False):
    return torch.tensor(draw.floats(*shape), dtype=torch.float64, requires_grad=grad)


def write(draw, *tensors, most=4):
    """Write a drawn number of times."""
    for _ in range(draw.integer(1, most)):
        draw.choice(tensors).add_(1)


@scenario(points=8, idea="Every write counts one.")
def writes_are_counted(torch, piece, draw):
    x, y = drawn(torch, draw, 2, 3), drawn(torch, draw, 3)
    before = draw.integer(2, 6)
    for _ in range(before):
        x.mul_(2)
    yield "x", x._version
    torch.add(y, 1, out=y)
    x.zero_()
    z = x + y
    yield "x, y, z", [x._version, y._version, z._version]


@scenario(points=9, idea="A view and its tensor have one counter.")
def views_share(torch, piece, draw):
    x = drawn(torch, draw, 3, 4)
    row, flat, turned = x[1], x.view(12), x.t()
    write(draw, row, turned)
    yield "written through views", [x._version, row._version, flat._version]
    write(draw, x)
    yield "written to x", [t._version for t in (x, row, flat, turned)]


@scenario(points=8, idea="A view that is made later has the tensor's counter too.")
def late_views(torch, piece, draw):
    x = drawn(torch, draw, 4, 4)
    write(draw, x)
    part = x[1:][:, 1:]
    yield "at first", part._version
    write(draw, part, part[0])
    yield "then", [x._version, part._version, part.t()._version]
    left, right = x.split(2)
    write(draw, left, right)
    yield "split", [x._version, left._version, right._version]


@scenario(points=8, idea="A write between saving and unpacking has to be found.")
def written_after_saving(torch, piece, draw):
    x = drawn(torch, draw, draw.integer(2, 5), grad=True)
    y = x * 2
    z = (y * y).sum()
    write(draw, y)
    yield "error", error_of(z.backward)


@scenario(points=8, idea="A write before saving does no harm.")
def written_before_saving(torch, piece, draw):
    x = drawn(torch, draw, 3, grad=True)
    y = x * draw.integer(2, 5)
    write(draw, y)
    z = (y * y).sum()
    z.backward(retain_graph=True)
    yield "x.grad", x.grad
    write(draw, y)
    yield "error", error_of(z.backward)


@scenario(points=8, idea="The result of detach() shares memory and counter.")
def detached_tensors_share(torch, piece, draw):
    x = drawn(torch, draw, 3, grad=True)
    y = x * 2
    z = y.detach()
    write(draw, z)
    yield "written to z", [y._version, z._version]
    w = y.exp()
    w.detach().zero_()
    yield "backward", error_of(w.sum().backward)


@scenario(points=9, idea="x.data shares the memory, and has a counter of its own.")
def data_does_not_share(torch, piece, draw):
    x = drawn(torch, draw, 3, grad=True)
    y = x * 2
    write(draw, y)
    z = (y * y).sum()
    write(draw, y.data, most=3)
    d = y.data
    write(draw, d)
    yield "y and its data", [y._version, d._version]
    z.backward()
    yield "x.grad", x.grad


@scenario(points=6, idea="What is not saved may be written to.")
def what_is_not_saved(torch, piece, draw):
    x = drawn(torch, draw, 3, grad=True)
    y = x + 1
    z = y * draw.integer(2, 5)
    write(draw, y)
    z.sum().backward()
    yield "x.grad", x.grad
    yield "y", y._version


@scenario(points=6, idea="A write through a view of what was saved has to be found.")
def written_through_a_view(torch, piece, draw):
    x = drawn(torch, draw, 2, 3, grad=True)
    y = x.exp()
    row = y[draw.integer(0, 1)]
    row.mul_(draw.integer(2, 4))
    yield "error", error_of(y.sum().backward)
    yield "versions", [x._version, y._version, row._version + draw.integer(1, 9)]


# </tests>


# <hidden>
@scenario(points=10, idea="One operator that writes to a counter counts once.", hidden=True)
def several_at_once(torch, piece, draw):
    x, y = drawn(torch, draw, 4), drawn(torch, draw, 4)
    watched = piece.Versions()
    for t in (x, y):
        watched.created(t)
    low = x[1:]
    watched.viewed(x, low)
    for _ in range(draw.integer(2, 5)):
        watched.written([x, low, y])
    watched.written([y, x])
    yield "x, low, y", [watched.version(t) for t in (x, low, y)]
    watched.written([low])
    yield "low alone", [watched.version(t) for t in (x, low, y)]
    watched.written([x, y, low])
    watched.written([y, low, x])
    yield "in other orders", [watched.version(t) for t in (x, low, y)]


@scenario(
    points=7, idea="Each tensor with memory of its own has a counter of its own.", hidden=True
)
def unrelated_tensors(torch, piece, draw):
    tensors = [drawn(torch, draw, 3) for _ in range(5)]
    tensors += [tensors[0].clone(), tensors[1] * 1, tensors[2].contiguous()]
    for t in tensors:
        write(draw, t, most=6)
    yield "versions", [t._version for t in tensors]


@scenario(points=7, idea="Even a single write after saving is an error.", hidden=True)
def one_write(torch, piece, draw):
    x = drawn(torch, draw, 3, grad=True)
    before = draw.integer(0, 9)
    y = x * 2
    for _ in range(before):
        y.add_(1)
    z = y.tanh()
    z.view(3, 1).add_(1)
    yield "a result", error_of(z.sum().backward)
    z = (y.sigmoid() * y).sum()
    y.detach()[0] = 0
    yield "an input", error_of(z.backward)
    yield "y", y


@scenario(
    points=6,
    idea="A view of x.data counts with x.data, and a view of x.detach() with x.",
    hidden=True,
)
def a_family(torch, piece, draw):
    x = drawn(torch, draw, 3, 3)
    write(draw, x)
    data, detached = x.data, x.detach()
    members = [x, data, detached, data[0], detached.t(), x[1:].detach(), data.data, detached.data]
    for t in draw.shuffled(members)[:5]:
        write(draw, t)
    yield "versions", [t._version for t in members]


MISTAKES = {
    "only_once": "The counter never gets beyond 1. Every write adds one.",
    "view_has_its_own": "A view has a counter of its own, so a write to the view does not count for"
    " the tensor.",
    "same_number_not_same_counter": "A view begins with the tensor's number, but a later write"
    " counts for one of them only. They need the same counter object.",
    "detached_has_its_own": "The result of detach() has the same memory, so writes to it count for"
    " the tensor too.",
    "data_begins_with_the_number": "The counter of x.data begins at 0, and not with the number of x.",
    "data_shares": "A write to x.data must not count for x: x.data has a counter of its own.",
    "first_tensor_only": "An operator may write to several tensors, and you count only the first.",
    "only_neighbours_share": "Two tensors that share a counter need not be next to each other in the"
    " list.",
    "once_for_each_tensor": "If two of the tensors share a counter, one operator counts twice.",
    "checks_at_saving": "A write before the tensor is saved does no harm. Only one after it does.",
    "begins_at_zero": "Note the number the counter has when the tensor is saved. It need not be 0.",
    "never_checked": "A write after saving is not found. Keep the tensor's own counter, and compare its"
    " number with the one at saving.",
    "one_write_forgiven": "A single write after the tensor was saved is already one too many.",
}

EQUIVALENT = {}
# </hidden>
