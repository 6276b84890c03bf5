"""`jacrev`, `jacfwd` and `hessian`: whole Jacobians, all rows or columns at once by `vmap`."""

from minitorch._functorch._checks import check_real, slice_argnums
from minitorch._functorch._derivatives import jvp_with_argnums, vjp_with_argnums
from minitorch._functorch._wrapping import wraps
from minitorch._functorch.apis import vmap
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten


def standard_basis(tensors, start, stop):
    """Return rows `start` to `stop` of the identity matrix, split between the `tensors`."""
    parts = []
    before = 0
    for t in tensors:
        part = t.new_zeros(stop - start, t.numel())
        part.diagonal(start - before).fill_(1)
        parts.append(part.view(stop - start, *t.shape))
        before += t.numel()
    return parts


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    """Return a function that computes the Jacobian of `func` in reverse mode.

    Parameters
    ----------
    func : callable
        Takes tensors, or trees of them, and returns a tensor or a tree of tensors.
    argnums : int or tuple of int, default 0
        The arguments to differentiate by.
    has_aux : bool, default False
        Whether `func` returns ``(output, aux)``, where `aux` is a tree of tensors that is passed
        through.
    chunk_size : int, optional
        The number of rows to compute at once; default: all. With 1, `vmap` is not used.

    Returns
    -------
    callable
        Takes the arguments of `func` and returns a tree like its output. In place of each tensor it
        has a tree like the selected argument (a tuple of trees if `argnums` is a tuple), whose
        tensors have the output's shape followed by the input's. With `has_aux` it returns
        ``(jacobian, aux)``.

    Raises
    ------
    ValueError
        When `chunk_size` is not positive.
    AssertionError
        In the returned function: if `chunk_size` is 1 and the output has no elements.
    RuntimeError
        In the returned function: for complex tensors, for `argnums` out of range, and as for `vjp`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.func.jacrev(torch.square)(torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @wraps(func)
    def jacobian(*args):
        check_real("jacrev", args, inputs=True)
        output, vjp_fn, *aux = vjp_with_argnums(func, *args, argnums=argnums, has_aux=has_aux)
        flat_outputs, output_spec = tree_flatten(output)
        check_real("jacrev", flat_outputs, inputs=False)
        flat_primals, primals_spec = tree_flatten(slice_argnums(args, argnums))
        rows = _rows(
            vjp_fn, flat_outputs, output_spec, flat_primals, chunk_size, _preallocate_and_copy
        )
        sizes = [t.numel() for t in flat_outputs]
        blocks = [
            [
                block.view(out.shape + primal.shape)
                for block, out in _parts(part, sizes, 0, flat_outputs)
            ]
            for part, primal in zip(rows, flat_primals, strict=True)
        ]
        by_output = [
            _of_one(tree_unflatten(of_inputs, primals_spec), argnums)
            for of_inputs in zip(*blocks, strict=True)
        ]
        result = tree_unflatten(by_output, output_spec)
        return (result, aux[0]) if has_aux else result

    return jacobian


def _parts(whole, sizes, dim, tensors):
    return zip(_ops.split_with_sizes(whole, sizes, dim), tensors, strict=True)


def _of_one(of_inputs, argnums):
    return of_inputs[0] if isinstance(argnums, int) else of_inputs


def _rows(vjp_fn, outputs, spec, primals, chunk_size, preallocate):
    """Return the Jacobian by each of `primals`, with a row for each element of all outputs."""
    total = sum(t.numel() for t in outputs)
    if total == 0 and chunk_size == 1:
        raise AssertionError("expected t.size(0) to be 1, got 0")
    step = total if chunk_size is None else min(chunk_size, total)
    if step == total and chunk_size != 1:
        return _some_rows(vjp_fn, standard_basis(outputs, 0, total), spec, False)
    whole = [p.new_zeros(total, *p.shape) for p in primals] if preallocate else None
    chunks = []
    for start in range(0, total, step):
        stop = min(start + step, total)
        rows = _some_rows(vjp_fn, standard_basis(outputs, start, stop), spec, chunk_size == 1)
        if whole is None:
            chunks.append(rows)
        else:
            for all_rows, part in zip(whole, rows, strict=True):
                all_rows[start:stop].copy_(part)
    if whole is not None:
        return whole
    return [_ops.cat(list(parts), 0) for parts in zip(*chunks, strict=True)]


def _some_rows(vjp_fn, basis, spec, single):
    if single:
        grads = vjp_fn(tree_unflatten([t.squeeze(0) for t in basis], spec))
        return [g.unsqueeze(0) for g in tree_leaves(grads)]
    return tree_leaves(vmap(vjp_fn)(tree_unflatten(basis, spec)))


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """Return a function that computes the Jacobian of `func` in forward mode.

    Parameters
    ----------
    func : callable
        Takes tensors, or trees of them, and returns a tensor or a tree of tensors.
    argnums : int or tuple of int, default 0
        The arguments to differentiate by.
    has_aux : bool, default False
        Whether `func` returns ``(output, aux)``, where `aux` is a tree of tensors that is passed
        through.
    randomness : {"error", "different", "same"}
        The behaviour of random operators in `func`, as in `vmap`.

    Returns
    -------
    callable
        Returns the same as the function that `jacrev` returns.

    Raises
    ------
    RuntimeError
        In the returned function: for complex tensors, for `argnums` out of range, and as for `jvp`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.func.jacfwd(torch.square)(torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    @wraps(func)
    def jacobian(*args):
        check_real("jacfwd", args, inputs=True)
        primals = args if argnums is None else slice_argnums(args, argnums)
        flat_primals, primals_spec = tree_flatten(primals)
        sizes = [p.numel() for p in flat_primals]
        basis = tree_unflatten(standard_basis(flat_primals, 0, sum(sizes)), primals_spec)

        def push_forward(direction):
            output, *rest = jvp_with_argnums(func, args, direction, argnums, has_aux=has_aux)
            check_real("jacfwd", output, inputs=False)
            return tuple(rest) if has_aux else rest[0]

        columns = vmap(push_forward, randomness=randomness)(basis)
        if has_aux:
            columns, aux = columns
            aux = tree_map(lambda t: t[0], aux)
        flat_columns, output_spec = tree_flatten(columns)
        by_output = [
            _of_one(
                tree_unflatten(
                    [
                        part.unflatten(-1, primal.shape) if primal.dim() else part.squeeze(-1)
                        for part, primal in _parts(column.movedim(0, -1), sizes, -1, flat_primals)
                    ],
                    primals_spec,
                ),
                argnums,
            )
            for column in flat_columns
        ]
        result = tree_unflatten(by_output, output_spec)
        return (result, aux) if has_aux else result

    return jacobian


def hessian(func, argnums=0):
    """Return a function that computes the second derivatives of `func`: ``jacfwd(jacrev(func))``.

    Parameters
    ----------
    func : callable
        Takes tensors, or trees of them, and returns a tensor or a tree of tensors.
    argnums : int or tuple of int, default 0
        The arguments to differentiate by.

    Returns
    -------
    callable
        Takes the arguments of `func`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.func.hessian(lambda x: x.prod())(torch.tensor([2.0, 3.0]))
    tensor([[0., 1.],
            [1., 0.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)
