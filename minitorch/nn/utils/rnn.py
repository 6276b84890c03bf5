"""Batches of sequences of different lengths: padded to the longest one, or packed.

A packed batch contains the elements of all sequences, sorted by decreasing length, in time order:
all first elements, then all second ones, and so on. `batch_sizes` is the number of sequences at
each time step.
"""

from collections import namedtuple
from collections.abc import Iterable

from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import LISTS, without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange, full
from minitorch.autograd.functions.from_data import tensor
from minitorch.core.dtype import _dtypes

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]

_Fields = namedtuple(  # type: ignore[name-match]  # its repr shows the public name
    "PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"]
)


class PackedSequence(_Fields):
    """Sequences of different lengths without padding.

    Created by `pack_padded_sequence` and `pack_sequence`.

    Parameters
    ----------
    data : Tensor
        The elements, of the shape ``(sum of lengths, *)``.
    batch_sizes : Tensor
        int64, the number of sequences at each time step.
    sorted_indices, unsorted_indices : Tensor, optional
        The permutation that sorts by length, and its inverse.

    Attributes
    ----------
    data : Tensor
        The elements, (sum of lengths, *).
    batch_sizes : Tensor
        int64, the number of sequences at each time step.
    sorted_indices, unsorted_indices : Tensor or None
        The permutation that sorts by length, and its inverse; None if the sequences were already
        sorted.

    Examples
    --------
    >>> import minitorch as torch
    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
    >>> packed.data
    tensor([1, 3, 2])
    >>> packed.batch_sizes
    tensor([2, 1])
    """

    __slots__ = ()

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        """Convert the data with `Tensor.to`."""
        data = self.data.to(*args, **kwargs)
        return self if data is self.data else type(self)(data, *self[1:])

    def cpu(self, *args, **kwargs):
        """Return the sequence itself, which is always on the CPU."""
        return self

    def cuda(self, *args, **kwargs):
        """Call `to` with the device "cuda", which raises."""
        return self.to(*args, **{**kwargs, "device": "cuda"})

    def pin_memory(self):
        """Call `pin_memory` of the data, which raises without an accelerator."""
        return type(self)(self.data.pin_memory(), *self[1:])

    def byte(self):
        """Convert the data to uint8."""
        return self.to(_dtypes()["uint8"])

    def char(self):
        """Convert the data to int8."""
        return self.to(_dtypes()["int8"])

    def short(self):
        """Convert the data to int16."""
        return self.to(_dtypes()["int16"])

    def double(self):
        """Convert the data to float64."""
        return self.to(_dtypes()["float64"])

    def float(self):
        """Convert the data to float32."""
        return self.to(_dtypes()["float32"])

    def half(self):
        """Convert the data to float16."""
        return self.to(_dtypes()["float16"])

    def long(self):
        """Convert the data to int64."""
        return self.to(_dtypes()["int64"])

    def int(self):
        """Convert the data to int32."""
        return self.to(_dtypes()["int32"])

    @property
    def is_cuda(self):
        """Always False."""
        return False

    def is_pinned(self):
        """Return False: memory is never pinned."""
        return False


def invert_permutation(permutation):
    """Return the inverse of a permutation, or None for None.

    Parameters
    ----------
    permutation : Tensor or None
        The integers from 0 to n - 1 in any order, of the shape ``(n,)``.

    Returns
    -------
    Tensor or None
        The same shape and dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    if permutation is None:
        return None
    count = arange(0, permutation.numel())
    return permutation.clone().scatter_(0, permutation, count)


def _lengths(lengths):
    if not isinstance(lengths, Tensor):
        lengths = tensor(lengths, dtype=_dtypes()["int64"])
    if lengths.dim() != 1:
        raise RuntimeError(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.dim()}D cpu "
            f"{lengths.dtype._class_name} tensor"
        )
    return [int(n) for n in lengths.tolist()]


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Pack padded sequences.

    Parameters
    ----------
    input : Tensor
        (time, batch, *), or (batch, time, *) with `batch_first`.
    lengths : Tensor or list of int
        The length of each sequence.
    batch_first : bool, default False
    enforce_sorted : bool, default True
        Require the sequences to be sorted by decreasing length; otherwise they are sorted here.

    Returns
    -------
    PackedSequence

    Raises
    ------
    RuntimeError
        For a length that is not positive, lengths that are not sorted with `enforce_sorted`, or a
        number of lengths that differs from the number of sequences.

    Examples
    --------
    >>> import minitorch as torch
    >>> packed = torch.nn.utils.rnn.pack_padded_sequence(torch.tensor([[1, 2], [3, 0]]), [2, 1], True)
    >>> packed.data, packed.batch_sizes
    (tensor([1, 3, 2]), tensor([2, 1]))
    """
    if input.numel() == 0:
        raise RuntimeError("Cannot pack empty tensors.")
    lengths, order = _lengths(lengths), None
    across = 0 if batch_first else 1
    if not enforce_sorted:
        order = tensor(sorted(range(len(lengths)), key=lambda k: -lengths[k]))
        lengths = sorted(lengths, reverse=True)
        input = input.index_select(across, order)
    if len(lengths) != input.size(across):
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(lengths)} "
            f"(batch_size={input.size(across)})"
        )
    if batch_first:
        input = input.transpose(0, 1)
    if lengths[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is "
            "<= 0"
        )
    if any(a < b for a, b in zip(lengths, lengths[1:], strict=False)):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can "
            "pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this "
            "requirement if you do not need ONNX exportability."
        )
    pieces, sizes, start = [], [], 0
    rest = input.size()[2:]
    for batch in range(len(lengths), 0, -1):
        end = lengths[batch - 1]
        if end > start:
            # like PyTorch, do not check that the input is as long as the lengths say
            pieces.append(input[start:end, :batch].reshape(-1, *rest))
            sizes += [batch] * (end - start)
            start = end
    return PackedSequence(_ops.cat(pieces, 0), tensor(sizes), order, None)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """Pad packed sequences; the inverse of `pack_padded_sequence`.

    Parameters
    ----------
    sequence : PackedSequence
    batch_first : bool, default False
    padding_value : float, default 0.0
        The value of the padding.
    total_length : int, optional
        The length to pad to; by default the length of the longest sequence.

    Returns
    -------
    tuple of Tensor
        (time, batch, *), or (batch, time, *) with `batch_first`, and the lengths.

    Raises
    ------
    ValueError
        When `total_length` is less than the longest sequence.

    Examples
    --------
    >>> import minitorch as torch
    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
    >>> torch.nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
    (tensor([[1, 2],
            [3, 0]]), tensor([2, 1]))
    """
    sizes = sequence.batch_sizes.tolist()
    length, batch = len(sizes), sizes[0]
    if total_length is not None:
        if total_length < length:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but "
                f"got total_length={total_length} and max sequence length being {length}"
            )
        length = total_length
    data = sequence.data
    padded = full((length, batch, *data.size()[1:]), padding_value, dtype=data.dtype)
    rows = tensor([t * batch + b for t, size in enumerate(sizes) for b in range(size)])
    padded = padded.flatten(0, 1).index_copy(0, rows, data).view(padded.size())
    lengths = tensor([sum(size > b for size in sizes) for b in range(batch)])
    if batch_first:
        padded = padded.transpose(0, 1)
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices]
    return padded, lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Pad sequences to the length of the longest one and stack them.

    Parameters
    ----------
    sequences : list of Tensor
        Each (length, *).
    batch_first : bool, default False
    padding_value : float, default 0.0
    padding_side : str, default "right"
        "right" or "left".

    Returns
    -------
    Tensor
        (time, batch, *), or (batch, time, *) with `batch_first`.

    Raises
    ------
    RuntimeError
        When `sequences` is not iterable or empty, or `padding_side` is invalid.
    TypeError
        When an element of `sequences` is not a tensor.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.utils.rnn.pad_sequence([torch.tensor([1, 2]), torch.tensor([3])], batch_first=True)
    tensor([[1, 2],
            [3, 0]])
    """
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            "pad_sequence: Expected iterable for input sequences, but got arg of type: "
            f"{type(sequences)}"
        )
    sequences = list(sequences.unbind(0) if isinstance(sequences, Tensor) else sequences)
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    for index, sequence in enumerate(sequences):
        if not isinstance(sequence, Tensor):
            kind = type(sequence).__name__
            raise TypeError(f"expected Tensor as element {index} in argument 0, but got {kind}")
    if padding_side not in ("left", "right"):
        raise RuntimeError(
            f"Expected padding_side to be one of left or right, but got {padding_side}."
        )
    return _padded(sequences, batch_first, padding_value, padding_side)


@without_batching_rule("aten::pad_sequence", LISTS)
def _padded(sequences, batch_first, padding_value, padding_side):
    first, longest = sequences[0], max(s.size(0) for s in sequences)
    size = [len(sequences), longest] if batch_first else [longest, len(sequences)]
    size += first.size()[1:]
    padded = full(size, padding_value, dtype=first.dtype, device=first.device)
    for k, s in enumerate(sequences):
        start = longest - s.size(0) if padding_side == "left" else 0
        padded.select(0 if batch_first else 1, k).narrow(0, start, s.size(0)).copy_(s)
    return padded


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """Split padded sequences into a list of tensors; the inverse of `pad_sequence`.

    Parameters
    ----------
    padded_sequences : Tensor
        The shape ``(time, batch, *)``, or ``(batch, time, *)``.
    lengths : Tensor
        The integer lengths of the sequences, of the shape ``(batch,)``.
    batch_first : bool, default False
        Whether the batch is the first dimension.

    Returns
    -------
    list of Tensor
        Each of the shape ``(length, *)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.utils.rnn.unpad_sequence(torch.tensor([[1, 3], [2, 0]]), torch.tensor([2, 1]))
    [tensor([1, 2]), tensor([3])]
    """
    if not batch_first:
        padded_sequences.transpose_(0, 1)  # in place, as PyTorch does
    times = arange(padded_sequences.size(1))
    pairs = zip(padded_sequences.unbind(0), lengths, strict=True)
    return [sequence[times < length] for sequence, length in pairs]


def pack_sequence(sequences, enforce_sorted=True):
    """Pack a list of sequences.

    Parameters
    ----------
    sequences : list of Tensor
        Each (length, *).
    enforce_sorted : bool, default True
        Require the sequences to be sorted by decreasing length.

    Returns
    -------
    PackedSequence

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])]).data
    tensor([1, 3, 2])
    """
    lengths = [s.size(0) for s in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """Unpack sequences into a list of tensors; the inverse of `pack_sequence`.

    Parameters
    ----------
    packed_sequences : PackedSequence
        Sequences of any lengths.

    Returns
    -------
    list of Tensor
        The sequences in the original order, each of the shape ``(length, *)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
    >>> torch.nn.utils.rnn.unpack_sequence(packed)
    [tensor([1, 2]), tensor([3])]
    """
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
