"""A module's tensors by dotted names."""

import importlib

import pytest

from tests.both import compare


def _model(torch):
    class Holder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.zeros(1))
            self.register_buffer("buffer", torch.ones(2))
            self.number = 3

    return torch.nn.ModuleDict({"a": Holder(), "b": torch.nn.ReLU()})


CALLS = {
    "read": lambda torch, a: [a.get_tensor("a.weight"), *a.get_tensors(["a.buffer"])],
    "no such tensor": lambda torch, a: a.get_tensor("a.x"),
    "no tensor": lambda torch, a: a.get_tensor("a.number"),
    "no such module": lambda torch, a: a.get_submodule("c.d"),
    "no module": lambda torch, a: a.get_submodule("a.weight"),
    "written": lambda torch, a: [
        a.set_tensor("a.buffer", torch.zeros(3)),
        a.get_tensor("a.buffer"),
    ],
    "exchanged": lambda torch, a: a.swap_tensors(["a.weight"], [torch.ones(3)]),
    "lengths": lambda torch, a: a.set_tensors(["a.weight"], []),
    "deleted": lambda torch, a: [a.del_tensors(["a.weight"]), a.check_keys(["a.weight"])],
    "deleted twice": lambda torch, a: a.del_tensors(["a.weight", "a.weight"]),
    "another module": lambda torch, a: [
        type(a.swap_submodule("b", torch.nn.Linear(1, 1))).__name__,
        a.get_submodule("b").in_features,
        sorted(name for name, _ in a.named_tensors()),
    ],
    "a module that is none": lambda torch, a: a.swap_submodule("b", 3),
    "no child": lambda torch, a: a.swap_submodule("c", torch.nn.ReLU()),
}


@pytest.mark.parametrize("case", CALLS)
def test_accessor(case):
    def program(torch):
        members = importlib.import_module(f"{torch.__name__}.nn.utils._named_member_accessor")
        return CALLS[case](torch, members.NamedMemberAccessor(_model(torch)))

    compare(program)


def test_a_failed_exchange_changes_nothing():
    def program(torch):
        members = importlib.import_module(f"{torch.__name__}.nn.utils._named_member_accessor")
        accessor = members.NamedMemberAccessor(_model(torch))
        new = {"a.weight": torch.ones(1), "a.other": torch.ones(1)}
        try:
            accessor.swap_tensors_dict(new)
        except RuntimeError as error:
            text = str(error)
        names = [name for name, _ in accessor.named_tensors()]
        return text, accessor.get_tensor("a.weight"), names

    compare(program)
