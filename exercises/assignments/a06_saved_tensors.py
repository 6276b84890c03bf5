"""Write what a node of the graph saves for the backward pass: in memory, or on the disk.

The derivative of `x * y` needs `x` and `y`, and that of `exp` its own result. An operator saves them
when it runs, and the backward pass unpacks them, perhaps much later. Three things can go wrong:

1. An operator may write to the tensor in between. The gradient would be wrong, so this has to be an
   error. `tensor._version` counts the writes. `tensor.detach()` is another tensor with the same
   memory and the same counter, but without history. `tensor.data` has the same memory and a counter
   of its own.
2. The saved tensor may be the operator's own result. It refers to its node (`tensor.grad_fn`), and if
   the node refers back to it, that is a cycle. A cycle is not freed with the last reference to it,
   only much later by Python's garbage collector.
3. Saved tensors take memory. Large ones can wait on the disk.

You write the two ways to save, and the choice between them. While your code is tested, the library
calls `pack` for every tensor that an operator saves, and `unpack` for every one that a backward pass needs.

A disk is an object with the methods `write`, `read` and `remove`. `Folder` is one whose files are
real. The tests use another one, which keeps its files in memory, since the teacher's sandbox allows
no file to be written. To try yours on a real folder:

    disk = Folder("saved")
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: pack(tensor, disk), unpack):
        loss = model(data)
    loss.backward()
"""

import contextlib
import io
import os
import uuid

import minitorch as torch

LARGE = 4096  # bytes


class Folder:
    """A disk: files in a folder, which are written and read as a whole."""

    def __init__(self, path):
        os.makedirs(path, exist_ok=True)
        self.path = path

    def write(self, name, data):
        """Write bytes into the file of this name. If there is one already, it is replaced."""
        with open(os.path.join(self.path, name), "wb") as file:
            file.write(data)

    def read(self, name):
        """Return the bytes in the file of this name."""
        with open(os.path.join(self.path, name), "rb") as file:
            return file.read()

    def remove(self, name):
        """Remove the file of this name. Nothing happens if there is none."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(self.path, name))


def to_bytes(tensor):
    """Return a tensor's dtype and shape and its whole storage as bytes."""
    file = io.BytesIO()
    torch.save(tensor, file)
    return file.getvalue()


def from_bytes(data):
    """Return the tensor from which `to_bytes` made these bytes."""
    return torch.load(io.BytesIO(data))


class SavedTensor:
    """A tensor that was saved in memory."""

    def __init__(self, tensor):
        # <answer SavedTensor.__init__>
        # hint: What does `unpack` need to find a write to the tensor? And which attribute of the tensor
        #   refers to the node?
        # hint: Keep the memory and its counter, but not the history. Copy no elements, and note the
        #   version.
        # hint: `self.data = tensor.detach()` and `self.version = tensor._version`.
        self.data = tensor.detach()
        self.version = tensor._version
        # <wrong keeps_history>
        #| self.data = tensor
        #| self.version = tensor._version
        # <wrong own_counter>
        #| self.data = tensor.data
        #| self.version = self.data._version
        # <wrong copies>
        #| self.data = tensor.detach().clone()
        #| self.version = self.data._version
        # <wrong version_zero>
        #| self.data = tensor.detach()
        #| self.version = 0
        # </answer>

    def unpack(self):
        """Return the tensor as it was when it was saved.

        Raises
        ------
        RuntimeError
            If it has been written to: "a saved tensor of shape (2, 3) was written to: it was saved at
            version 1 and is at version 4".
        """
        # <answer SavedTensor.unpack>
        # hint: The counter of the tensor that you keep still counts.
        # hint: Compare `self.data._version` with the number that you noted.
        # hint: If they differ, raise a RuntimeError whose message has `tuple(self.data.shape)` and
        #   both numbers in it. Else return `self.data`.
        if self.data._version != self.version:
            raise RuntimeError(
                f"a saved tensor of shape {tuple(self.data.shape)} was written to: it was saved at "
                f"version {self.version} and is at version {self.data._version}"
            )
        return self.data
        # <wrong version_ignored>
        #| return self.data
        # <wrong clones_when_unpacked>
        #|- return self.data
        #|+ return self.data.clone()
        # </answer>


class SavedOnDisk:
    """A tensor that was saved in a file of its own, and takes no memory.

    The file is removed together with this object, and not before: a backward pass with
    `retain_graph=True` is followed by another.
    """

    def __init__(self, tensor, disk):
        # <answer SavedOnDisk.__init__>
        # hint: A tensor may be a small view of a large storage. And which name does no other file on
        #   the disk have?
        # hint: `to_bytes` writes the whole storage of a view, so write a copy without history. The
        #   `id` of an object is given to another object when the first is gone, so it is no name.
        # hint: `self.name = uuid.uuid4().hex` never comes twice. Write
        #   `to_bytes(tensor.detach().clone())` under this name. Keep the disk and the name, and
        #   nothing else.
        self.disk = disk
        self.name = uuid.uuid4().hex
        disk.write(self.name, to_bytes(tensor.detach().clone()))
        # <wrong whole_storage>
        #| self.disk = disk
        #| self.name = uuid.uuid4().hex
        #| disk.write(self.name, to_bytes(tensor.detach()))
        # <wrong contiguous_for_copy>
        #|- disk.write(self.name, to_bytes(tensor.detach().clone()))
        #|+ disk.write(self.name, to_bytes(tensor.detach().contiguous()))
        # <wrong clone_with_history>
        #|- disk.write(self.name, to_bytes(tensor.detach().clone()))
        #|+ disk.write(self.name, to_bytes(tensor.clone()))
        # <wrong name_from_content>
        #| self.disk = disk
        #| data = to_bytes(tensor.detach().clone())
        #| self.name = str(hash(data))
        #| disk.write(self.name, data)
        # <wrong keeps_the_node>
        #| self.disk = disk
        #| self.name = uuid.uuid4().hex
        #| self.node = tensor.grad_fn
        #| disk.write(self.name, to_bytes(tensor.detach().clone()))
        # <wrong computed_copy>
        #|- disk.write(self.name, to_bytes(tensor.detach().clone()))
        #|+ disk.write(self.name, to_bytes(tensor.detach() * 1))
        # <wrong name_from_id>
        #| self.disk = disk
        #| self.name = str(id(tensor))
        #| disk.write(self.name, to_bytes(tensor.detach().clone()))
        # <wrong keeps_in_memory>
        #| self.disk = disk
        #| self.name = uuid.uuid4().hex
        #| self.data = tensor.detach()
        #| disk.write(self.name, to_bytes(self.data.clone()))
        # </answer>

    def unpack(self):
        """Return the tensor as it was when it was saved, even if it was changed since.

        It has no history and does not require grad: a file holds elements only.
        """
        # <answer SavedOnDisk.unpack>
        # hint: What is in the file does not change, so there is no version to check.
        # hint: The file may be needed again.
        # hint: `return from_bytes(self.disk.read(self.name))`.
        return from_bytes(self.disk.read(self.name))
        # <wrong removed_too_early>
        #| tensor = from_bytes(self.disk.read(self.name))
        #| self.disk.remove(self.name)
        #| return tensor
        # </answer>

    def __del__(self):
        # <answer SavedOnDisk.__del__>
        # hint: Python calls this method when the last reference to the object is gone.
        # hint: Remove the file: `self.disk.remove(self.name)`.
        self.disk.remove(self.name)
        # <wrong never_removed>
        #| pass
        # </answer>


def pack(tensor, disk):
    """Save a tensor, and return what `unpack` needs.

    Tensors of at least `LARGE` bytes go to the disk; count the bytes of their own elements, not of the
    whole storage. Smaller ones stay in memory. So do leaves that require grad: they are parameters,
    which are in memory anyway.
    """
    # <answer pack>
    # hint: How many bytes do the elements of a tensor take?
    # hint: `tensor.numel() * tensor.element_size()`. A leaf that requires grad has `tensor.is_leaf` and
    #   `tensor.requires_grad`.
    # hint: Return `SavedOnDisk(tensor, disk)` if it is large and not a parameter, else
    #   `SavedTensor(tensor)`.
    large = tensor.numel() * tensor.element_size() >= LARGE
    if large and not (tensor.is_leaf and tensor.requires_grad):
        return SavedOnDisk(tensor, disk)
    return SavedTensor(tensor)
    # <wrong elements_for_bytes>
    #| large = tensor.numel() >= LARGE
    #| if large and not (tensor.is_leaf and tensor.requires_grad):
    #|     return SavedOnDisk(tensor, disk)
    #| return SavedTensor(tensor)
    # <wrong storage_for_elements>
    #|- large = tensor.numel() * tensor.element_size() >= LARGE
    #|+ large = tensor.untyped_storage().nbytes() >= LARGE
    # <wrong parameters_on_disk>
    #| large = tensor.numel() * tensor.element_size() >= LARGE
    #| return SavedOnDisk(tensor, disk) if large else SavedTensor(tensor)
    # </answer>


def unpack(packed):
    """Return the tensor that `pack` has saved."""
    return packed.unpack()


# <tests>
# ruff: noqa: F811
import gc
import uuid  # noqa: F401 (imported before the sandbox is closed)
import weakref
from contextlib import contextmanager

import minitorch
from exercises import plugs
from exercises.scenario import error_of, scenario
from minitorch.autograd.graph import saved_tensors_hooks
from minitorch.core import allocator

ABOUT = {
    "number": 6,
    "title": "Saved tensors",
    "part": "The graph",
    "goal": "Save tensors for the backward pass without cycles, find writes, and use the disk.",
    "reading": ["learn/side_paths/memory", "learn/side_paths/inplace", "learn/backward/08_formula"],
    "difficulty": 3,
    "importance": 4,
    "hours": 2,
}


def retire():
    """Take the library's own ways to save a tensor away."""
    plugs.forbid_functions(
        *("saved_tensors_hooks", "save_on_cpu", "checkpoint", "_SavedTensor", "SavedTensor"),
        *("save_for_backward", "get_gradient_edge", "disable_saved_tensors_hooks"),
    )
    context = minitorch.autograd.function.FunctionCtx
    plugs.forbid_attributes(context, "save_for_backward", "saved_tensors")


_saved, _files = weakref.WeakSet(), {}  # what is saved, and the disk; no answer can reach them


class Disk:
    """A disk like `Folder`, but with its files in memory: no file can be written in the sandbox."""

    __slots__ = ()

    def write(self, name, data):
        if type(name) is not str or type(data) is not bytes:
            raise TypeError("the name of a file is a string, and bytes are written into it")
        _files[name] = data

    def read(self, name):
        return _files[name]

    def remove(self, name):
        _files.pop(name, None)


DISK = Disk()


@contextmanager
def install(piece):
    def pack(tensor):
        packed = piece.pack(tensor, DISK)
        _saved.add(packed)
        return packed

    with saved_tensors_hooks(pack, piece.unpack):
        yield


def drawn(torch, draw, *shape, dtype="float64", grad=False):
    x = torch.tensor(draw.floats(*shape), dtype=getattr(torch, dtype))
    return x.requires_grad_() if grad else x


def large(torch, draw, grad=False):
    """Return a tensor that is saved on the disk, with drawn numbers in it."""
    x = drawn(torch, draw, 4, 4).repeat(6, 6)
    return x.requires_grad_() if grad else x


def files():
    """Return the files on the disk, after a check that all are bytes."""
    if any(type(data) is not bytes for data in _files.values()):
        raise TypeError("there is something else than bytes on the disk")
    return _files


def allocated():
    """Return how many bytes all tensors take."""
    gc.collect()  # `torch.save` leaves a cycle with the storage in it, as in PyTorch
    return allocator.memory_stats()["allocated_bytes"]


def held(packed):
    """Return how many bytes of tensors can be reached from an object, without those on the disk."""
    seen, stack, total = set(), [packed], 0
    while stack:
        item = stack.pop()
        if id(item) in seen or isinstance(item, type | Disk) or type(item).__name__ == "module":
            continue
        seen.add(id(item))
        if isinstance(item, minitorch.Tensor):
            total += item.untyped_storage().nbytes()
        elif isinstance(item, str | bytes | bytearray):
            total += len(item) * (len(item) > 500)
        elif not callable(item):
            stack += gc.get_referents(item)
    return total


@scenario(points=2, idea="What was saved comes back as it was.", page="learn/backward/08_formula")
def gradients_from_memory(torch, piece, draw):
    x, y = drawn(torch, draw, 3, 2, grad=True), drawn(torch, draw, 2, grad=True)
    (x * y).exp().tanh().sum().backward()
    yield "gradients", [x.grad, y.grad]


@scenario(points=2, idea="What was saved on the disk comes back as it was.")
def gradients_from_the_disk(torch, piece, draw):
    x = large(torch, draw, grad=True)
    unused = x.tanh()
    y = (x * large(torch, draw)).tanh()
    del unused
    total = (y * y).sum()
    yield "files times a number", len(files()) * draw.integer(10, 99)
    total.backward()
    yield "x.grad", x.grad[:8, :8]


@scenario(
    points=6,
    idea="A tensor that was written to after it was saved has another version.",
    page="learn/side_paths/inplace",
)
def written_after_saving(torch, piece, draw):
    a = draw.integer(2, 5)
    x = drawn(torch, draw, a, grad=True)
    y = x * 2
    z = (y * y).sum()
    for _ in range(draw.integer(1, 4)):
        y.add_(1)
    yield "backward", error_of(z.backward)
    y = x * 2
    z = (y * y).sum()
    y.mul_(1)
    yield "the same numbers written again", error_of(z.backward)
    y = x.exp()
    y[0].mul_(a)
    yield "a result, through a view", error_of(y.sum().backward)
    saved = piece.SavedTensor(y)
    y.add_(a)
    yield "asked twice", [error_of(saved.unpack), error_of(saved.unpack)]


@scenario(points=4, idea="Writes before saving do no harm: the version may be any number.")
def written_before_saving(torch, piece, draw):
    x = drawn(torch, draw, 3, grad=True)
    y = x * draw.integer(2, 5)
    for _ in range(draw.integer(1, 4)):
        y.mul_(2)
    z = (y * y).sum()
    z.backward(retain_graph=True)
    yield "x.grad", x.grad
    y.mul_(1)
    yield "the same numbers written again", error_of(z.backward)
    y.zero_()
    yield "zeros written", error_of(z.backward)
    saved = piece.SavedTensor(y)
    yield "saved now", saved.unpack()
    other = piece.SavedTensor(y)
    y.add_(1)
    yield "asked twice", [error_of(saved.unpack), error_of(saved.unpack)]
    yield "asked late", error_of(other.unpack)


@scenario(
    points=10,
    idea="A result that a node saves must not refer to the node.",
    page="learn/side_paths/memory",
)
def no_cycles(torch, piece, draw):
    gc.collect()
    gc.disable()
    x = drawn(torch, draw, 3, grad=True)
    y = x
    steps = draw.integer(3, 9)
    for _ in range(steps):
        y = y.tanh()
    yield "saved", len(_saved)
    y = None
    yield "left, plus steps", len(_saved) + steps
    y = large(torch, draw, grad=True)
    for _ in range(steps):
        y = y.tanh()
    yield "files", len(files())
    y = None
    yield "files left, plus steps", len(files()) + steps


@scenario(points=10, idea="A tensor in memory is not copied, neither when it is saved nor later.")
def no_copies(torch, piece, draw):
    x = drawn(torch, draw, draw.integer(3, 9), 2)
    for _ in range(draw.integer(1, 5)):
        x.add_(1)
    saved = piece.SavedTensor(x)
    place = x.data_ptr()
    yield "version", saved.unpack()._version
    yield "same memory", [x.shape[0], saved.unpack().data_ptr() - place]
    yield "requires grad, as before", [x.shape[0], saved.unpack().requires_grad]
    yield "bytes", held(saved)
    yield "value", saved.unpack()
    x.add_(1)
    yield "after a write", error_of(saved.unpack)


@scenario(points=10, idea="What waits on the disk takes no memory.", page="learn/side_paths/memory")
def no_memory(torch, piece, draw):
    k, y = draw.integer(2, 9), large(torch, draw)
    before = allocated()
    x = large(torch, draw)
    size, saved = x.nbytes, piece.SavedOnDisk(x, DISK)
    del x
    yield "bytes in memory, plus a number", allocated() - before + held(saved) + k
    yield "value", saved.unpack()[:4, :4]
    yield "bytes after unpacking, plus a number", allocated() - before + held(saved) + k
    other = piece.SavedOnDisk(y, DISK)
    yield (
        "bytes on the disk, up to a number",
        [min(len(d), size - k) for d in files().values()],
    )
    exchanged = zip(files(), reversed(files().values()), strict=True)
    _files.update(list(exchanged))
    yield "each from the other's file", [saved.unpack()[0, :4], other.unpack()[0, :4]]
    for name in list(files()):
        _files[name] = piece.to_bytes(large(torch, draw))
    yield "from new files", [saved.unpack()[0, :4], other.unpack()[0, :4]]


@scenario(points=8, idea="The file is removed together with the object.")
def files_go_away(torch, piece, draw):
    gc.disable()
    x, steps = large(torch, draw, grad=True), draw.integer(3, 6)
    y = x
    for _ in range(steps):
        y = y.exp() * 0.5
    yield "while the graph lives", len(files())
    y.sum().backward()
    y = None
    yield "afterwards, plus steps", len(files()) + steps
    yield "x.grad", x.grad[:4, :4]
    equal = [piece.SavedOnDisk(x, DISK) for _ in range(2)]
    equal.pop(0)  # its file goes away, and not that of the other
    yield "one of two equal tensors", equal[0].unpack()[0, :4]
    other = piece.SavedOnDisk(x * 2, DISK)
    yield "and another", [saved.unpack()[0, :4] for saved in (*equal, other)]


@scenario(
    points=5, idea="The file holds the elements of a tensor. Its history does not belong there."
)
def no_history_on_disk(torch, piece, draw):
    k, x = draw.integer(2, 9), large(torch, draw, grad=True)
    for tensor in (x, x * k, x.t()):
        result = piece.SavedOnDisk(tensor, DISK).unpack()
        yield "value, and whether it requires grad", [result[1, :4], result.requires_grad]


@scenario(points=4, idea="With retain_graph=True, a saved tensor is unpacked more than once.")
def two_passes(torch, piece, draw):
    x = large(torch, draw, grad=True)
    y = x.tanh().sum() * draw.integer(2, 5)
    y.backward(retain_graph=True)
    y.backward()
    yield "x.grad", x.grad[:4, :4]
    saved = piece.SavedOnDisk(x, DISK)
    yield "twice", [saved.unpack()[0, :4], saved.unpack()[1, :4]]


# </tests>


# <hidden>
@scenario(points=10, idea="The size is counted in bytes; parameters stay in memory.", hidden=True)
def the_choice(torch, piece, draw):
    k = draw.integer(10, 99)
    for elements, dtype in (
        (511, "float64"),
        (512, "float64"),
        (1023, "float32"),
        (1024, "float32"),
    ):
        x = torch.ones(elements, dtype=getattr(torch, dtype))
        packed = piece.pack(x * k, DISK)
        yield f"{elements} of {dtype}", [k, type(packed).__name__]
    packed = piece.pack(torch.tensor(draw.integers(0, 9, 512)), DISK)
    yield "512 of int64", [k, type(packed).__name__, packed.unpack()]
    part = torch.ones(100, 100)[k]
    yield "a row of a large matrix", [k, type(piece.pack(part, DISK)).__name__]


@scenario(points=10, idea="Leaves that require grad are parameters and stay.", hidden=True)
def parameters(torch, piece, draw):
    k = draw.integer(2, 9)
    weight = large(torch, draw, grad=True)
    for x in (weight, weight.detach(), weight * k, (weight * k).detach()):
        yield "kind", [k, type(piece.pack(x, DISK)).__name__]
    out = (weight @ large(torch, draw)).sum() * k
    yield "files times a number", len(files()) * k
    out.backward()
    yield "weight.grad", weight.grad[:4, :4]


@scenario(points=2, idea="On the disk, what was saved stays as it was.", hidden=True)
def written_after_saving_on_disk(torch, piece, draw):
    x = large(torch, draw, grad=True)
    y = x.tanh()
    z = (y * y).sum()
    y.fill_(draw.integer(2, 5))
    z.backward()
    yield "x.grad", x.grad[:4, :4]


@scenario(points=10, idea="A small view of a large storage makes a small file.", hidden=True)
def a_view_on_disk(torch, piece, draw):
    x = drawn(torch, draw, 4, 4).repeat(100, 100)
    k = draw.integer(0, 9)
    part = x[k : k + 30, 3:40].t()
    saved = piece.SavedOnDisk(part, DISK)
    sizes = [len(data) for data in files().values()]
    yield "kilobytes in steps of 50, plus a number", max(sizes) // 50_000 + k
    yield "value", saved.unpack()
    rows = piece.SavedOnDisk(x[k : k + 30], DISK)
    sizes = [len(data) for data in files().values()]
    yield "kilobytes of whole rows, plus a number", max(sizes) // 100_000 + k
    yield "a row", rows.unpack()[1, :4]
    mask = piece.SavedOnDisk((x > 0)[k : k + 30, 3:9], DISK)
    yield "some booleans", mask.unpack()


@scenario(points=2, idea="Any dtype and shape can be saved.", hidden=True)
def all_kinds(torch, piece, draw):
    values = torch.tensor(draw.integers(0, 9, 2, 3))
    for dtype in (torch.bool, torch.int64, torch.float32, torch.complex128):
        for x in (values.to(dtype), values.to(dtype)[0, 1], values.to(dtype)[:0]):
            yield f"{dtype} on disk", piece.SavedOnDisk(x, DISK).unpack()
            yield f"{dtype} in memory", piece.SavedTensor(x).unpack()


@scenario(points=5, idea="What comes back from the disk has no history.", hidden=True)
def no_history_after_unpacking(torch, piece, draw):
    x = large(torch, draw, grad=True)
    results = []
    for tensor in draw.shuffled([x.tanh(), x * draw.integer(2, 9), x[2:], x.detach()]):
        results.append(piece.unpack(piece.pack(tensor, DISK)))
        yield "value, and whether it requires grad", [results[-1][0, :4], results[-1].requires_grad]
    yield "nodes", [[r[1, :4], r.grad_fn is None] for r in results]


MISTAKES = {
    "keeps_history": "You keep the tensor with its history, which refers to the node that saves it:"
    " a cycle. Keep `tensor.detach()`.",
    "own_counter": "`tensor.data` has a version counter of its own, so later writes are not counted"
    " there. `tensor.detach()` shares the counter.",
    "copies": "You copy the elements. That takes memory, and later writes are not found.",
    "version_zero": "A tensor may have been written to before it was saved. Note its version then.",
    "version_ignored": "A write to the tensor after it was saved is not found.",
    "clones_when_unpacked": "You copy the elements when the tensor is unpacked. That takes time and"
    " memory for nothing: `unpack` returns the tensor that was kept.",
    "clone_with_history": "What comes back from the disk requires grad, since you have written a tensor"
    " that does. Detach it first.",
    "name_from_content": "Two tensors with the same elements get the same file name. When the first is"
    " gone, so is the file of the second.",
    "keeps_the_node": "The object on the disk refers to the node of its tensor. If that node saves the"
    " tensor, this is a cycle.",
    "computed_copy": "Your copy is the result of a computation, which changes the dtype of booleans."
    " `clone` keeps it.",
    "whole_storage": "`to_bytes` writes the whole storage of a view. Write a copy of the view.",
    "contiguous_for_copy": "`contiguous` makes no copy of a view whose elements are already next to"
    " each other. Its whole storage is written then.",
    "name_from_id": "Two tensors can have the same `id`, one after the other. Their files then have"
    " the same name.",
    "keeps_in_memory": "The object on the disk still keeps the tensor in memory.",
    "removed_too_early": "The file is removed when it is first read, but it may be needed again.",
    "never_removed": "The files are never removed.",
    "elements_for_bytes": "Large tensors stay in memory. Compare their bytes with LARGE, and not the"
    " number of elements.",
    "storage_for_elements": "You count the whole storage of a view. Count its own elements.",
    "parameters_on_disk": "Leaves that require grad stay in memory anyway, so they need no file.",
}

EQUIVALENT = {}
# </hidden>
