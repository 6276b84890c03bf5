"""Aliases of inference tensors, made in inference mode and outside of it: what may be done with them."""

import pytest

from tests.both import compare


def inference(torch, function=lambda t: t):
    with torch.inference_mode():
        return function(torch.ones(2, 3))


def in_mode_of_normal(torch, function):
    normal = torch.ones(6)
    with torch.inference_mode():
        return function(normal)


WAYS = {
    "itself": inference,
    "detached in the mode": lambda torch: inference(torch, lambda t: t.detach()),
    "data in the mode": lambda torch: inference(torch, lambda t: t.data),
    "view in the mode": lambda torch: inference(torch, lambda t: t.view(3, 2)),
    "view of a normal tensor in the mode": lambda torch: in_mode_of_normal(
        torch, lambda n: n.view(2, 3)
    ),
    "normal tensor detached in the mode": lambda torch: in_mode_of_normal(
        torch, lambda n: n.detach()
    ),
    "data of a normal tensor in the mode": lambda torch: in_mode_of_normal(torch, lambda n: n.data),
    "detached": lambda torch: inference(torch).detach(),
    "data": lambda torch: inference(torch).data,
    "cloned": lambda torch: inference(torch).clone(),
    "detached twice": lambda torch: inference(torch).detach().detach(),
    "data of detached": lambda torch: inference(torch).detach().data,
    "detached view": lambda torch: inference(torch).view(6).detach(),
    "view of detached": lambda torch: inference(torch).detach().view(6),
    "row of detached": lambda torch: inference(torch).detach()[0],
    "chunks of detached": lambda torch: inference(torch).detach().split(1)[0],
    "detached without recording": lambda torch: torch.no_grad()(
        lambda: inference(torch).detach()
    )(),
    "conjugate": lambda torch: inference(torch, lambda t: t.to(torch.complex64)).conj(),
    "array": lambda torch: torch.from_numpy(inference(torch).numpy()),
    "set": lambda torch: torch.ones(1).set_(inference(torch)),
    "assigned data": lambda torch: assigned(torch, torch.ones(1), inference(torch)),
    "buffer": lambda torch: torch.nn.Buffer(inference(torch)),
}


def assigned(torch, t, data):
    t.data = data
    return t


def in_the_mode(torch, t):
    with torch.inference_mode():
        return t.add_(1).is_inference()


def version_of_a_view(torch, t):
    view = t[...]
    t.add_(1)
    return view._version


def after_assignment(torch, t, data):
    t.data = data
    return t.is_inference(), t._version


USES = {
    "version": lambda torch, t: t._version,
    "is_inference": lambda torch, t: t.is_inference(),
    "write": lambda torch, t: (t.add_(1), t._version)[1],
    "write in the mode": in_the_mode,
    "is_view": lambda torch, t: t._is_view(),
    "requires_grad_": lambda torch, t: t.requires_grad_().requires_grad,
    "saved": lambda torch, t: (t * torch.ones(1, requires_grad=True)).requires_grad,
    "not saved": lambda torch, t: (t + torch.ones(1, requires_grad=True)).requires_grad,
    "version of a view": version_of_a_view,
    "increment_version": lambda torch, t: torch.autograd.graph.increment_version(t),
    "set version": lambda torch, t: torch._C._autograd._unsafe_set_version_counter((t,), (3,)),
    "unsqueeze_": lambda torch, t: t.unsqueeze_(0)._version,
    "resize_": lambda torch, t: t.resize_(2)._version,
    "set_": lambda torch, t: t.set_(torch.ones(2)).tolist(),
    "out": lambda torch, t: torch.add(torch.ones(t.shape), 1, out=t).tolist(),
    "assign normal": lambda torch, t: after_assignment(torch, t, torch.zeros(1)),
    "assign inference": lambda torch, t: after_assignment(torch, t, inference(torch)),
    "assign detached": lambda torch, t: after_assignment(torch, t, inference(torch).detach()),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("way", WAYS)
def test_aliases_of_inference_tensors(way, use):
    compare(lambda torch: USES[use](torch, WAYS[way](torch)))
