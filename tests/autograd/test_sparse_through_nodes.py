"""A backward that returns a sparse gradient: linear nodes keep its layout, others raise PyTorch's error."""

import pytest

from tests.both import compare


def sparse_function(torch):
    class Sparse(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad.to_sparse()

    return Sparse


NODES = {
    "leaf": lambda torch, x: x,
    "clone": lambda torch, x: x.clone(),
    "times a number": lambda torch, x: x * 2,
    "number times": lambda torch, x: 2 * x,
    "over a number": lambda torch, x: x / 2,
    "neg": lambda torch, x: -x,
    "plus a number": lambda torch, x: x + 1,
    "minus a number": lambda torch, x: x - 1,
    "number minus": lambda torch, x: 1 - x,
    "plus": lambda torch, x: x + torch.ones(2, 3),
    "plus twice": lambda torch, x: torch.add(x, x, alpha=3),
    "minus": lambda torch, x: torch.ones(2, 3) - x,
    "times": lambda torch, x: x * torch.full((2, 3), 3.0),
    "over": lambda torch, x: x / torch.full((2, 3), 4.0),
    "t": lambda torch, x: x.t(),
    "transpose": lambda torch, x: x.transpose(0, 1),
    "permute": lambda torch, x: x.permute(1, 0),
    "view": lambda torch, x: x.view(3, 2),
    "reshape": lambda torch, x: x.reshape(6),
    "unsqueeze": lambda torch, x: x.unsqueeze(0),
    "squeeze": lambda torch, x: x.squeeze(),
    "expand": lambda torch, x: x.expand(4, 2, 3),
    "index": lambda torch, x: x[0],
    "slice": lambda torch, x: x[:, 1:],
    "indices": lambda torch, x: x[torch.tensor([0, 1])],
    "index_select": lambda torch, x: x.index_select(0, torch.tensor([1, 0])),
    "sum": lambda torch, x: x.sum(),
    "sum of columns": lambda torch, x: x.sum(1),
    "mean": lambda torch, x: x.mean(0),
    "cat": lambda torch, x: torch.cat([x, x]),
    "stack": lambda torch, x: torch.stack([x, x]),
    "contiguous": lambda torch, x: x.t().contiguous(),
    "detached alias": lambda torch, x: x.view_as(x),
    "pad": lambda torch, x: torch.nn.functional.pad(x, (1, 1)),
    "relu": lambda torch, x: x.relu(),
    "exp": lambda torch, x: x.exp(),
    "matmul": lambda torch, x: x @ torch.ones(3, 2),
    "broadcast": lambda torch, x: x + torch.ones(4, 1, 3),
    "where": lambda torch, x: torch.where(torch.ones(2, 3) > 0, x, 0.0),
    "function": lambda torch, x: sparse_function(torch).apply(x),
    "two numbers": lambda torch, x: (x * 2 + 1) * 3,
    "both ways": lambda torch, x: x * 2 + x.clone(),
}


@pytest.mark.parametrize("node", NODES)
def test_the_layout_of_a_gradient_after_a_node(node):
    def program(torch):
        x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
        y = NODES[node](torch, x)
        try:
            sparse_function(torch).apply(y).sum().backward()
        except NotImplementedError as error:
            # the operator that it names is one that PyTorch's own formula calls
            return str(error).partition("'aten::")[0], "SparseCPU" in str(error), x.grad
        return str(x.grad.layout), x.grad.to_dense()

    compare(program)


@pytest.mark.parametrize("node", ["leaf", "clone", "times a number", "t", "plus twice"])
def test_a_sparse_and_a_dense_gradient_meet(node):
    def program(torch):
        x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
        y = NODES[node](torch, x)
        (sparse_function(torch).apply(y).sum() + (y * 5).sum()).backward()
        return str(x.grad.layout), x.grad.to_dense()

    compare(program)


@pytest.mark.parametrize("end", ["clone", "times a number", "t"])
def test_grad_returns_a_sparse_gradient(end):
    def program(torch):
        x = torch.ones(2, 3, requires_grad=True)
        y = NODES[end](torch, x)
        found = torch.autograd.grad(sparse_function(torch).apply(y).sum(), [x, y])
        return [(str(grad.layout), grad.to_dense()) for grad in found]

    compare(program)


@pytest.mark.parametrize("place", ["tensor", "pre", "post"])
def test_a_hook_sees_and_returns_a_sparse_gradient(place):
    def program(torch):
        said = []
        x = torch.ones(2, 3, requires_grad=True)
        y = x * 2
        z = y * 3
        if place == "tensor":
            y.register_hook(lambda grad: said.append(str(grad.layout)))
            sparse_function(torch).apply(z).sum().backward()
        elif place == "pre":
            y.grad_fn.register_prehook(lambda grads: said.append([str(g.layout) for g in grads]))
            sparse_function(torch).apply(z).sum().backward()
        else:
            z.grad_fn.register_hook(
                lambda ins, outs: tuple(None if g is None else g.to_sparse() for g in ins)
            )
            z.sum().backward()
        return said, str(x.grad.layout), x.grad.to_dense()

    compare(program)


def test_a_sparse_gradient_of_an_embedding_goes_through_nodes():
    def program(torch):
        weight = torch.ones(4, 3, requires_grad=True)
        indices = torch.tensor([0, 2, 2])
        torch.nn.functional.embedding(indices, weight * 2, sparse=True).sum().backward()
        return str(weight.grad.layout), weight.grad.to_dense()

    compare(program)
