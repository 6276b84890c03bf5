"""What makes tensors, asked for a sparse one or of one."""

import contextlib

import pytest

from tests.both import compare

REFUSED = """
torch.rand(2, layout=torch.sparse_coo)
torch.randn(2, layout=torch.sparse_coo)
torch.randint(3, (2,), layout=torch.sparse_coo)
torch.randperm(3, layout=torch.sparse_coo)
torch.eye(2, layout=torch.sparse_coo)
torch.linspace(0, 1, 3, layout=torch.sparse_coo)
torch.logspace(0, 1, 3, layout=torch.sparse_coo)
torch.tril_indices(2, 2, layout=torch.sparse_coo)
torch.ones_like(torch.eye(2), layout=torch.sparse_coo)
torch.full_like(torch.eye(2), 1, layout=torch.sparse_coo)
torch.rand_like(torch.eye(2), layout=torch.sparse_coo)
torch.ones_like(torch.eye(2).to_sparse())
torch.rand_like(torch.eye(2).to_sparse())
torch.randn_like(torch.eye(2).to_sparse())
torch.eye(2).new_ones(2, layout=torch.sparse_coo)
torch.eye(2).to_sparse().new_ones(2)
torch.eye(2).to_sparse().new_full((2,), 1)
""".strip().splitlines()


@pytest.mark.parametrize("call", REFUSED)
def test_refused(call):
    def program(torch):
        with pytest.raises(NotImplementedError) as caught:
            eval(call, {"torch": torch})
        return str(caught.value).partition(" This could be")[0]

    compare(program)


def test_zeros_of_the_shape_of_another():
    def program(torch):
        x = torch.eye(2, 3)
        sparse = torch.zeros_like(x, layout=torch.sparse_coo, dtype=torch.float64)
        dense = torch.zeros_like(x.to_sparse(), layout=torch.strided)
        return (
            sparse.layout is torch.sparse_coo,
            sparse.dtype is torch.float64,
            sparse.to_dense(),
            dense,
        )

    compare(program)


def test_uncoalesced_indices_are_refused_where_invariants_are_checked():
    columns = (
        [[0, 1], [1, 0]],
        [[0, 0], [0, 1]],
        [[0, 0], [1, 1]],
        [[1, 0], [0, 1]],
        [[2, 2], [0, 0]],
    )

    def program(torch):
        outcomes = []
        for indices in (*columns, [[], []]):
            for switch in (torch.sparse.check_sparse_tensor_invariants, None):
                options = {} if switch else {"check_invariants": True}
                try:
                    with switch() if switch else contextlib.nullcontext():
                        made = torch.sparse_coo_tensor(
                            torch.tensor(indices, dtype=torch.int64),
                            torch.ones(len(indices[0])),
                            (3, 3),
                            is_coalesced=True,
                            **options,
                        )
                    outcomes.append(made.is_coalesced())
                except RuntimeError as error:
                    outcomes.append(str(error))
        return outcomes

    compare(program)
