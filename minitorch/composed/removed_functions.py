"""Functions that PyTorch has removed; they raise an error that names the replacement."""

__all__ = ["eig", "lstsq", "matrix_rank", "solve", "symeig"]

_REMOVED = "This function was deprecated since version 1.9 and is now removed."


def matrix_rank(input, tol=None, symmetric=False, *, out=None):
    """Raise: replaced by `linalg.matrix_rank`.

    Parameters
    ----------
    input : Tensor
    tol : float, optional
    symmetric : bool, default False
    out : Tensor, optional
        The arguments of the former function.

    Raises
    ------
    RuntimeError
        Always.

    Examples
    --------
    >>> import minitorch as torch
    >>> try:
    ...     torch.matrix_rank(torch.eye(2))
    ... except RuntimeError:
    ...     print("removed")
    removed
    """
    raise RuntimeError(
        f"{_REMOVED}\nPlease use the `torch.linalg.matrix_rank` function instead. The parameter "
        "'symmetric' was renamed in `torch.linalg.matrix_rank()` to 'hermitian'."
    )


def solve(input, A, *, out=None):
    """Raise: replaced by `linalg.solve`, which takes its arguments in reverse order.

    Parameters
    ----------
    input, A : Tensor
        The arguments of the former function.
    out : tuple of Tensor, optional
        The results of the former function.

    Raises
    ------
    RuntimeError
        Always.

    Examples
    --------
    >>> import minitorch as torch
    >>> try:
    ...     torch.solve(torch.eye(2), torch.eye(2))
    ... except RuntimeError:
    ...     print("removed")
    removed
    """
    raise RuntimeError(
        f"{_REMOVED} `torch.solve` is deprecated in favor of `torch.linalg.solve`. "
        "`torch.linalg.solve` has its arguments reversed and does not return the LU factorization."
        "\n\nTo get the LU factorization see `torch.lu`, which can be used with `torch.lu_solve` or "
        "`torch.lu_unpack`.\nX = torch.solve(B, A).solution should be replaced with:\n"
        "X = torch.linalg.solve(A, B)"
    )


def lstsq(input, A, *, out=None):
    """Raise: replaced by `linalg.lstsq`, which takes its arguments in reverse order.

    Parameters
    ----------
    input, A : Tensor
        The arguments of the former function.
    out : tuple of Tensor, optional
        The results of the former function.

    Raises
    ------
    RuntimeError
        Always.

    Examples
    --------
    >>> import minitorch as torch
    >>> try:
    ...     torch.lstsq(torch.eye(2), torch.eye(2))
    ... except RuntimeError:
    ...     print("removed")
    removed
    """
    raise RuntimeError(
        f"{_REMOVED} `torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.\n"
        "`torch.linalg.lstsq` has reversed arguments and does not return the QR decomposition in "
        "the returned tuple (although it returns other information about the problem).\n\n"
        "To get the QR decomposition consider using `torch.linalg.qr`.\n\n"
        "The returned solution in `torch.lstsq` stored the residuals of the solution in the last "
        "m - n columns of the returned value whenever m > n. In torch.linalg.lstsq, the residuals "
        "are in the field 'residuals' of the returned named tuple.\n\n"
        "The unpacking of the solution, as in\nX, _ = torch.lstsq(B, A).solution[:A.size(1)]\n"
        "should be replaced with:\nX = torch.linalg.lstsq(A, B).solution"
    )


def symeig(input, eigenvectors=False, upper=True, *, out=None):
    """Raise: replaced by `linalg.eigh`, which reads the lower triangle.

    Parameters
    ----------
    input : Tensor
    eigenvectors : bool, default False
    upper : bool, default True
    out : tuple of Tensor, optional
        The arguments of the former function.

    Raises
    ------
    RuntimeError
        Always.

    Examples
    --------
    >>> import minitorch as torch
    >>> try:
    ...     torch.symeig(torch.eye(2))
    ... except RuntimeError:
    ...     print("removed")
    removed
    """
    raise RuntimeError(
        f"{_REMOVED} The default behavior has changed from using the upper triangular portion of "
        "the matrix by default to using the lower triangular portion.\n\n"
        "L, _ = torch.symeig(A, upper=upper) should be replaced with:\n"
        "L = torch.linalg.eigvalsh(A, UPLO='U' if upper else 'L')\n\nand\n\n"
        "L, V = torch.symeig(A, eigenvectors=True) should be replaced with:\n"
        "L, V = torch.linalg.eigh(A, UPLO='U' if upper else 'L')"
    )


def eig(self, eigenvectors=False, *, e=None, v=None):
    """Raise: replaced by `linalg.eig`, whose results are complex.

    Parameters
    ----------
    self : Tensor
    eigenvectors : bool, default False
    e, v : Tensor, optional
        The arguments of the former function.

    Raises
    ------
    RuntimeError
        Always.

    Examples
    --------
    >>> import minitorch as torch
    >>> try:
    ...     torch.eig(torch.eye(2))
    ... except RuntimeError:
    ...     print("removed")
    removed
    """
    raise RuntimeError(
        f"{_REMOVED} `torch.linalg.eig` returns complex tensors of dtype `cfloat` or `cdouble` "
        "rather than real tensors mimicking complex tensors.\n\n"
        "L, _ = torch.eig(A) should be replaced with:\nL_complex = torch.linalg.eigvals(A)\n\nand\n\n"
        "L, V = torch.eig(A, eigenvectors=True) should be replaced with:\n"
        "L_complex, V_complex = torch.linalg.eig(A)"
    )
