"""Conjugates and negatives that are views, compared with PyTorch's."""

import pytest

from tests.both import compare, like_pytorch

Z = [1 + 2j, 3 - 1j, 0.5j]


def program_of(text):
    """A program that evaluates an expression of a complex vector ``z``; bits are part of the result."""

    def described(torch, value):
        if isinstance(value, (list, tuple)):
            return [described(torch, item) for item in value]
        if isinstance(value, torch.Tensor):
            return value.is_conj(), value.is_neg(), value.resolve_conj().resolve_neg()
        return value

    def program(torch):
        z = torch.tensor(Z)
        names = {"torch": torch, "z": z, "c": z.conj(), "n": torch._neg_view(torch.arange(1.0, 4))}
        return described(torch, eval(text, names))

    return program


@pytest.mark.parametrize(
    "text",
    [
        "c, c._base is z, c.data_ptr() == z.data_ptr(), c.conj(), torch.ones(2).conj(), torch.conj(z)",
        "c + 1, c * z, c.sum(), c.abs(), c.exp(), n + 1, n.exp(), torch.sgn(c), c == z",
        "c[1:], c.view(3, 1), c.unsqueeze(0), c.unbind(), c.split(2), n[1:], c.t(), c.expand(2, 3)",
        "c.real, c.imag, torch.real(c), torch.imag(c), c.imag._base is z, torch.view_as_real(n.real + z)",
        "c.resolve_conj(), z.resolve_conj() is z, n.resolve_neg(), c.clone(), c.detach(), c.data",
        "c[0].item(), complex(c[1]), c.tolist(), n.tolist(), str(c), str(n), c.numpy(force=True).tolist()",
        "c @ z, torch.outer(c, z), torch.vdot(z, z), z[None].mH, z[None].H, z[None].adjoint(), torch.einsum('i,j->ij', c, z)",
        "torch.cat([c, z]), torch.stack([c, z]), torch.where(z.real > 0, c, z), torch.fft.fft(c)",
        "torch.linalg.solve((torch.eye(2) + 1j).mH, torch.ones(2, 1) + 0j), torch.linalg.eigh((z[:, None] * c).mH)[0]",
        "c.to(torch.complex128), c.to(torch.complex64), torch.tensor([c[0], z[1]]), torch.empty_like(c).is_conj()",
        "torch.equal(c, z.conj_physical()), torch.allclose(c, z.conj_physical()), torch.equal(n, n.neg())",
        "torch.mul(z, 2, out=z.clone().conj()), c.conj_physical(), z.clone().conj().conj_physical_()",
        "z.clone().fill_(c[0]), z.clone().index_put_((torch.tensor([0]),), c[1]), torch._foreach_mul([c], 2)",
        "torch.vmap(lambda x: x.conj() * 2)(z), torch.func.grad(lambda x: (x.conj() * x).real.sum())(z)",
        "torch.func.jvp(lambda x: x.conj() * x, (z,), (z,)), z.to_sparse().conj().to_dense()",
        "z.clone().conj().resize_(2), torch.ones(2, 3, dtype=torch.complex64).conj().t_()",
        "torch.view_as_real(c)",
        "c.view(torch.float32)",
        "c.numpy()",
        "n.numpy()",
    ],
)
def test_same(text):
    compare(program_of(text))


def test_writes_go_to_the_memory():
    def program(torch):
        x = torch.tensor(Z)
        y = x.conj()
        y[0] = 5 + 5j
        y.mul_(2)
        y[1:].copy_(torch.tensor([1j, 2]))
        y.imag.add_(3)
        n = torch._neg_view(x)
        n.add_(1)
        return x, y.resolve_conj(), y.is_conj(), n.is_neg(), x._version, y._version

    compare(program)


@pytest.mark.parametrize(
    "text",
    [
        "(x.conj() * x * x.conj()).sum().abs()",
        "(x.conj() ** 2 * x).abs().sum()",
        "torch.view_as_real(x.conj().resolve_conj() * 1j).pow(2).sum()",
        "(x.conj().imag * x.real).sum()",
        "torch._neg_view(x).exp().abs().sum()",
        "torch.linalg.norm(x.unsqueeze(0).mH @ x.unsqueeze(0))",
    ],
)
def test_gradients(text):
    def program(torch):
        x = torch.tensor(Z, dtype=torch.complex128, requires_grad=True)
        (first,) = torch.autograd.grad(eval(text), x, create_graph=True)
        (second,) = torch.autograd.grad(first.abs().sum(), x)
        eval(text).backward()
        return first.detach(), second, x.grad

    compare(program)


@pytest.mark.parametrize(
    "write",
    [
        "y.conj().mul_(x)",
        "y.conj()[1:].mul_(x[1:])",
        "y.conj().imag.mul_(3.0)",
        "torch._neg_view(y).mul_(x)",
    ],
)
@pytest.mark.parametrize("kept", [True, False])
def test_gradients_of_writes_to_a_view(write, kept):
    def program(torch):
        x = torch.tensor(Z, requires_grad=True)
        y = x * 1
        view = eval(write)
        names = [view.grad_fn.name()] if kept else []
        total = (y * x).sum()
        if kept:
            total = total + view.sum()
        del view
        total.abs().backward()
        return x.grad, names, y.grad_fn.name()

    compare(program)


def test_a_conjugate_that_backward_did_not_expect():
    def program(torch):
        class Turned(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, grad):
                return grad.conj()

        x, w = torch.tensor(Z, requires_grad=True), torch.tensor(Z, requires_grad=True)
        y = w * 1j
        y.register_hook(lambda grad: grad.conj())
        (Turned.apply(x * 1j) * y * torch.tensor(Z)).sum().abs().backward()
        return x.grad, w.grad

    compare(program)


def test_files_and_copies():
    def program(torch):
        import copy
        import io

        z = torch.tensor(Z)
        file = io.BytesIO()
        torch.save([z.conj(), torch._neg_view(z)], file)
        file.seek(0)
        c, n = torch.load(file)
        again = copy.deepcopy(z.conj())
        return c.is_conj(), c.resolve_conj(), n.is_neg(), n.resolve_neg(), again.is_conj(), again

    compare(program)


@like_pytorch
def test_a_negative_view_reads_the_memory_with_the_other_sign(torch):
    x = torch.tensor([1 + 2j, -3.0])
    view = x._neg_view()
    x[0] = 5
    return view, view.is_neg(), view._is_view(), view.resolve_neg()


@like_pytorch
def test_data_of_a_lazy_tensor_is_not_counted_as_written(torch):
    leaf = torch.randn(2, 2, dtype=torch.complex128).t().conj().requires_grad_()
    leaf.data[0, 0] = 1
    leaf.data.add_(1)
    after_data = leaf._version
    leaf.detach().add_(1)
    return after_data, leaf._version, leaf.data.is_conj(), torch.autograd.gradcheck(torch.exp, leaf)


@like_pytorch
def test_bits_are_set_and_taken_back(torch):
    x = torch.tensor(Z)
    torch._C._set_conj(x, True)
    conjugated = x.is_conj(), x.resolve_conj().clone()
    torch._C._set_conj(x, False)
    torch._C._set_neg(x, True)
    return conjugated, x.is_conj(), x.is_neg(), x.resolve_neg()


@like_pytorch
def test_what_is_written_to_comes_after_a_number(torch):
    x = torch._neg_view(torch.tensor([-1.0, -2.0]))
    result = x.polygamma_(1)
    return result is x, x.is_neg(), x.resolve_neg()


@like_pytorch
def test_gradients_through_the_conjugate_of_pairs(torch):
    x = torch.arange(1.0, 7.0).reshape(3, 2).requires_grad_()
    (first,) = torch.autograd.grad(torch.view_as_complex(x).conj().abs().sum(), x)
    z = (torch.view_as_complex(x).conj() ** 2).real.sum()
    (second,) = torch.autograd.grad(z, x, create_graph=True)
    return first, second, torch.autograd.grad(second.pow(2).sum(), x)
