"""The error for a matrix for which an algorithm has no result, and its texts."""


class LinAlgError(RuntimeError):
    """A matrix is singular or not positive-definite, or an iteration did not converge.

    Examples
    --------
    >>> import minitorch as torch
    >>> try:
    ...     torch.linalg.inv(torch.zeros(2, 2))
    ... except torch.linalg.LinAlgError as error:
    ...     print(error)
    linalg.inv: The diagonal element 1 is zero, the inversion could not be completed because the input matrix is singular.
    """


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = "torch._C"

# part of the function's name -> what LAPACK's info means there
_MEANINGS = {
    "inv": "The diagonal element {info} is zero, the inversion could not be completed because the "
    "input matrix is singular.",
    "solve": "The solver failed because the input matrix is singular.",
    "cholesky": "The factorization could not be completed because the input is not "
    "positive-definite (the leading minor of order {info} is not positive-definite).",
    "svd": "The algorithm failed to converge because the input matrix is ill-conditioned or has "
    "too many repeated singular values (error code: {info}).",
    "eig": "The algorithm failed to converge because the input matrix is ill-conditioned or has "
    "too many repeated eigenvalues (error code: {info}).",
    "syevd": "The algorithm failed to converge because the input matrix is ill-conditioned or has "
    "too many repeated eigenvalues (error code: {info}).",
    "lstsq": "The least squares solution could not be computed because the input matrix does not "
    "have full rank (error code: {info}).",
    "lu_factor": "U[{info},{info}] is zero and using it on lu_solve would result in a division by "
    "zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or "
    "linalg.lu_factor_ex(A, pivot)",
}


def linalg_error(info, name, batch_index=None):
    """Return the exception for one matrix.

    Parameters
    ----------
    info : int
        The `info` that LAPACK returned, not 0.
    name : str
        The function, such as ``"linalg.inv"``.
    batch_index : int, optional
        The index of the matrix in a batch.
    """
    where = name if batch_index is None else f"{name}: (Batch element {batch_index})"
    if info < 0:
        if "svd" in name:
            return LinAlgError(
                f"{where}: The algorithm failed to converge because the input matrix contained "
                "non-finite values."
            )
        return RuntimeError(
            f"{where}: Argument {-info} has illegal value. Most certainly there is a bug in the "
            "implementation calling the backend library."
        )
    for part, meaning in _MEANINGS.items():
        if part in name:
            error = RuntimeError if part == "lu_factor" else LinAlgError
            return error(f"{where}: {meaning.format(info=info)}")
    return RuntimeError(f"{name}: Unknown error code: {info}.")
