"""What is compared of a sparse tensor, and of an error that PyTorch's lists of backends end."""

import warnings

import minitorch
from tests.both import compare, real

with warnings.catch_warnings():
    # given once in a process: sparse tensors are checked here always, and CSR is not there
    warnings.simplefilter("ignore")
    real.sparse_coo_tensor([[0]], [1.0], (1,))
    real.sparse.mm(real.eye(2).to_sparse(), real.eye(2).to_sparse())
    for torch in (real, minitorch):  # the old constructor, in each of its four forms
        i, v = torch.tensor([[0]]), torch.ones(1)
        for given in ((), (2,), (i, v), (i, v, (1,))):
            torch.sparse.FloatTensor(*given)


def look(value):
    """`value` with dictionaries in the place of sparse tensors."""
    if isinstance(value, (list, tuple)):
        return [look(item) for item in value]
    if isinstance(value, dict):
        return {key: look(item) for key, item in value.items()}
    if not (hasattr(value, "is_sparse") and value.is_sparse):
        return value
    return {
        "layout": str(value.layout),
        "size": tuple(value.shape),
        "indices": value._indices().tolist(),
        "nnz": tuple(value._values().shape),
        "values": value._values().reshape(-1).clone(),
        "coalesced": value.is_coalesced(),
        "requires_grad": value.requires_grad,
        "grad_fn": None if value.grad_fn is None else type(value.grad_fn).__name__,
        "repr": repr(value),
    }


def like_pytorch(program):
    """A test that does the same under both libraries, with `look` at what it returns."""

    def seen(torch, *arguments):
        try:
            return look(program(torch, *arguments))
        except Exception as error:
            return [type(error).__name__, str(error).split(" This could be")[0]]

    # not functools.wraps: pytest would take the program's parameter for a fixture
    def test(*arguments):
        compare(lambda torch: seen(torch, *arguments))

    return test
