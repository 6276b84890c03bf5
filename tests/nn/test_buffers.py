"""`nn.Buffer`: an attribute that makes a tensor a buffer of the module it is assigned to."""

import copy
import io

import pytest

from tests.both import compare


def class_of_a_buffer(torch):
    class Own(torch.Tensor):
        pass

    kinds = [
        torch.nn.Buffer(torch.ones(2)),
        torch.nn.Buffer(torch.ones(2).as_subclass(Own)),
        torch.nn.Buffer(),
        torch.nn.UninitializedBuffer(),
        torch.ones(2),
        torch.nn.Parameter(torch.ones(2)),
    ]
    return [(type(t).__name__, isinstance(t, torch.nn.Buffer)) for t in kinds]


def the_classes(torch):
    class Kept(torch.nn.Buffer):
        pass

    buffer = Kept(torch.ones(2))
    return [
        type(torch.nn.Buffer).__name__,
        type(buffer).__name__,
        isinstance(buffer, Kept),
        issubclass(torch.nn.Buffer, torch.Tensor),
    ]


def persistence(torch):
    made = [torch.nn.Buffer(torch.ones(1), persistent=p) for p in (True, False)]
    return [b.persistent for b in made] + [torch.nn.Buffer(torch.ones(1)).persistent]


def requires_grad(torch):
    buffer = torch.nn.Buffer(torch.ones(2, requires_grad=True) * 2)
    return buffer, buffer.is_leaf


def memory_is_shared(torch):
    t = torch.ones(2)
    torch.nn.Buffer(t).add_(1)
    return t


def results_are_no_buffers(torch):
    buffer = torch.nn.Buffer(torch.ones(2))
    return [isinstance(t, torch.nn.Buffer) for t in (buffer + 1, buffer.detach(), buffer.clone())]


def copies(torch):
    buffer = torch.nn.Buffer(torch.ones(2), persistent=False)
    file = io.BytesIO()
    torch.save(buffer, file)
    file.seek(0)
    loaded = torch.load(file, weights_only=False)
    found = [copy.deepcopy(buffer), copy.copy(buffer), loaded]
    return [(t, isinstance(t, torch.nn.Buffer), t.persistent) for t in found]


def copy_of_a_module(torch):
    layer = torch.nn.Linear(1, 1)
    layer.kept = torch.nn.Buffer(torch.ones(2))
    layer.lost = torch.nn.Buffer(torch.zeros(2), persistent=False)
    twin = copy.deepcopy(layer)
    return list(twin.state_dict()), list(dict(twin.named_buffers())), twin.kept is layer.kept


def conversion(torch):
    layer = torch.nn.Module()
    layer.state = torch.nn.Buffer(torch.ones(2))
    return layer.double().state


def assigned_where_an_attribute_is(torch):
    layer = torch.nn.Module()
    layer.state = torch.ones(2)
    layer.state = torch.nn.Buffer(torch.ones(2))


def assigned_where_a_parameter_is(torch):
    layer = torch.nn.Linear(1, 1)
    layer.weight = torch.nn.Buffer(torch.ones(2))


def no_tensor(torch):
    layer = torch.nn.BatchNorm1d(1)
    layer.running_mean = 3


def not_persistent_stays_so(torch):
    layer = torch.nn.Module()
    layer.state = torch.nn.Buffer(torch.ones(2), persistent=False)
    layer.state = torch.zeros(2)
    return list(layer.state_dict()), layer.state


def a_parameter_takes_the_place(torch):
    layer = torch.nn.Module()
    layer.state = torch.nn.Buffer(torch.ones(2), persistent=False)
    layer.state = torch.nn.Parameter(torch.ones(2))
    return list(layer.state_dict()), sorted(layer._non_persistent_buffers_set)


def a_module_takes_the_place(torch):
    layer = torch.nn.Module()
    layer.state = torch.nn.Buffer(torch.ones(2), persistent=False)
    layer.state = torch.nn.Linear(1, 1)
    return list(layer.state_dict()), sorted(layer._non_persistent_buffers_set)


def registration_of_the_module(torch):
    names = []

    class Listing(torch.nn.Module):
        def register_buffer(self, name, tensor, persistent=True):
            names.append((name, persistent))
            super().register_buffer(name, tensor, persistent)

    layer = Listing()
    layer.state = torch.nn.Buffer(torch.ones(1), persistent=False)
    layer.state = torch.zeros(1)
    layer.state = None
    return names


def registration_without_persistence(torch):
    class Old(torch.nn.Module):
        def register_buffer(self, name, tensor):
            super().register_buffer(name, tensor)

    layer = Old()
    layer.state = torch.nn.Buffer(torch.ones(1))
    layer.state = torch.zeros(1)
    layer.lost = torch.nn.Buffer(torch.ones(1), persistent=False)


@pytest.mark.parametrize(
    "program",
    [
        class_of_a_buffer,
        the_classes,
        persistence,
        requires_grad,
        memory_is_shared,
        results_are_no_buffers,
        copies,
        copy_of_a_module,
        conversion,
        assigned_where_an_attribute_is,
        assigned_where_a_parameter_is,
        no_tensor,
        not_persistent_stays_so,
        a_parameter_takes_the_place,
        a_module_takes_the_place,
        registration_of_the_module,
        registration_without_persistence,
    ],
    ids=lambda program: program.__name__,
)
def test_buffers_are_as_in_pytorch(program):
    compare(program)
