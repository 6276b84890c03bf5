"""Dropout, embedding and flattening layers."""

from minitorch.autograd.grad_mode import no_grad
from minitorch.nn import functional as F
from minitorch.nn import init
from minitorch.nn._making import empty
from minitorch.nn.modules._simple import functional
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter


class _DropoutNd(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input):
        return self.function(input, self.p, self.training, self.inplace)

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """Set elements to 0 at random in training, and scale the others.

    The other elements are divided by ``1 - p``, so that the mean stays. In evaluation, the input is
    returned. Shape and dtype stay.

    Parameters
    ----------
    p : float, default 0.5
        The probability of a 0.
    inplace : bool, default False
        Write the result into the input.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    References
    ----------
    G. Hinton et al., Improving neural networks by preventing co-adaptation of feature detectors, 2012.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Dropout().eval()(torch.ones(3))
    tensor([1., 1., 1.])
    >>> torch.nn.Dropout(p=1.0)(torch.ones(3))
    tensor([0., 0., 0.])
    """

    function = functional("dropout")


class Dropout1d(_DropoutNd):
    """Set whole channels to 0 at random in training, and scale the others.

    Each channel of ``(N, C, L)`` or ``(C, L)`` is set to 0 with probability `p`; the others are divided
    by ``1 - p``. In evaluation, the input is returned. Shape and dtype stay.

    Parameters
    ----------
    p : float, default 0.5
        The probability of a 0.
    inplace : bool, default False
        Write the result into the input.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    References
    ----------
    J. Tompson et al., Efficient Object Localization Using Convolutional Networks, CVPR 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Dropout1d().eval()(torch.ones(1, 1, 2))
    tensor([[[1., 1.]]])
    """

    function = functional("dropout1d")


class Dropout2d(_DropoutNd):
    """Set whole channels to 0 at random in training, and scale the others.

    Each channel of ``(N, C, H, W)`` or ``(C, H, W)`` is set to 0 with probability `p`; the others are
    divided by ``1 - p``. In evaluation, the input is returned. Shape and dtype stay.

    Parameters
    ----------
    p : float, default 0.5
        The probability of a 0.
    inplace : bool, default False
        Write the result into the input.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    References
    ----------
    J. Tompson et al., Efficient Object Localization Using Convolutional Networks, CVPR 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Dropout2d().eval()(torch.ones(1, 1, 1, 2))
    tensor([[[[1., 1.]]]])
    """

    function = functional("dropout2d")


class Dropout3d(_DropoutNd):
    """Set whole channels to 0 at random in training, and scale the others.

    Each channel of ``(N, C, D, H, W)`` or ``(C, D, H, W)`` is set to 0 with probability `p`; the others
    are divided by ``1 - p``. In evaluation, the input is returned. Shape and dtype stay.

    Parameters
    ----------
    p : float, default 0.5
        The probability of a 0.
    inplace : bool, default False
        Write the result into the input.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    References
    ----------
    J. Tompson et al., Efficient Object Localization Using Convolutional Networks, CVPR 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Dropout3d().eval()(torch.ones(1, 1, 1, 1, 2))
    tensor([[[[[1., 1.]]]]])
    """

    function = functional("dropout3d")


class AlphaDropout(_DropoutNd):
    """Apply dropout that preserves mean and variance of the outputs of `SELU`.

    Elements are set to the smallest output of `SELU`, and the result is scaled and shifted. In
    evaluation, the input is returned. Shape and dtype stay.

    Parameters
    ----------
    p : float, default 0.5
        The probability that an element is replaced.
    inplace : bool, default False
        Write the result into the input.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    References
    ----------
    G. Klambauer et al., Self-Normalizing Neural Networks, NeurIPS 2017.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.AlphaDropout().eval()(torch.ones(3))
    tensor([1., 1., 1.])
    """

    function = functional("alpha_dropout")


class FeatureAlphaDropout(_DropoutNd):
    """Apply `AlphaDropout` to whole channels.

    The input has the shape ``(N, C, *)``. In evaluation, it is returned. Shape and dtype stay.

    Parameters
    ----------
    p : float, default 0.5
        The probability that a channel is replaced.
    inplace : bool, default False
        Write the result into the input.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.FeatureAlphaDropout().eval()(torch.ones(1, 2, 2))
    tensor([[[1., 1.],
             [1., 1.]]])
    """

    function = functional("feature_alpha_dropout")


class Embedding(Module):
    """Look up rows of a learned table by index.

    The input holds indices of dtype int64 or int32 and any shape; the output has the shape
    ``(*input.shape, embedding_dim)``.

    Parameters
    ----------
    num_embeddings : int
        The number of rows.
    embedding_dim : int
        The size of a row.
    padding_idx : int, optional
        A row that starts at 0 and gets no gradient.
    max_norm : float, optional
        Rows with a larger norm are scaled down to it, in place, when they are looked up.
    norm_type : float, default 2.0
        The p of that norm.
    scale_grad_by_freq : bool, default False
        Divide a row's gradient by the number of times it occurs in the batch.
    sparse : bool, default False
        Make the gradient of `weight` a sparse tensor.
    _weight : Tensor, optional
        The table, of the shape ``(num_embeddings, embedding_dim)``; by default it is drawn from the normal
        distribution.
    _freeze : bool, default False
        Do not train the table.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    IndexError
        When an index is not a row.
    RuntimeError
        When the indices have another dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> table = torch.nn.Embedding(10, 3, padding_idx=0)
    >>> table(torch.tensor([[1, 2, 0]])).shape
    torch.Size([1, 3, 3])
    >>> table(torch.tensor(0)).detach()
    tensor([0., 0., 0.])
    """

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        _weight=None,
        _freeze=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            if padding_idx < 0:
                padding_idx += num_embeddings
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        if _weight is None:
            shape = (num_embeddings, embedding_dim)
            self.weight = Parameter(
                empty(shape, device=device, dtype=dtype), requires_grad=not _freeze
            )
            self.reset_parameters()
        else:
            if list(_weight.shape) != [num_embeddings, embedding_dim]:
                raise AssertionError(
                    "Shape of weight does not match num_embeddings and embedding_dim"
                )
            self.weight = Parameter(_weight, requires_grad=not _freeze)

    def reset_parameters(self):
        """Draw normal numbers, with zeros for the padding row."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input):
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
                           self.scale_grad_by_freq, self.sparse)  # fmt: skip

    def extra_repr(self):
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        for name, default in (("padding_idx", None), ("max_norm", None), ("norm_type", 2.0),
                              ("scale_grad_by_freq", False)):  # fmt: skip
            if getattr(self, name) != default:
                text += f", {name}={getattr(self, name)}"
        return text + (", sparse=True" if self.sparse is not False else "")

    @classmethod
    def from_pretrained(
        cls,
        embeddings,
        freeze=True,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
    ):
        """Create a layer with a given table."""
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        return cls(rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse,
                   _weight=embeddings, _freeze=freeze)  # fmt: skip


class Flatten(Module):
    """Flatten several neighbouring dimensions into one.

    By default an input of the shape ``(N, *)`` becomes ``(N, n)``. The output is a view where possible.

    Parameters
    ----------
    start_dim : int, default 1
    end_dim : int, default -1
        The first and the last dimension to flatten.

    Raises
    ------
    RuntimeError
        When the layer is called and `start_dim` comes after `end_dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Flatten()(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 12])
    """

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self):
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Split one dimension into several.

    The output is a view.

    Parameters
    ----------
    dim : int or str
        The dimension to split.
    unflattened_size : tuple of int
        The new sizes; their product is the size of `dim`, and one may be -1.

    Raises
    ------
    TypeError
        If `unflattened_size` is no tuple of int.
    RuntimeError
        When the layer is called and the sizes do not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Unflatten(1, (2, 3))(torch.zeros(4, 6)).shape
    torch.Size([4, 2, 3])
    """

    def __init__(self, dim, unflattened_size):
        super().__init__()
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                "unflattened_size must be a tuple of ints, but found type "
                + type(unflattened_size).__name__
            )
        for k, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise TypeError(
                    "unflattened_size must be tuple of ints, but found element of type "
                    f"{type(size).__name__} at pos {k}"
                )
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input):
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self):
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
