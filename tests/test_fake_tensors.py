"""`FakeTensorMode`: tensors without elements that are said to be on a device."""

import copy
import importlib
import io
import re

import pytest

import minitorch
from tests.both import compare, like_pytorch


def fakes(torch):
    """The module of fake tensors."""
    return importlib.import_module(f"{torch.__name__}._subclasses.fake_tensor")


def shown(value):
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value)).replace("minitorch.", "torch.")


MADE = {
    "rand": lambda torch, x: torch.rand(2, 3),
    "an operator": lambda torch, x: x @ x.t(),
    "another dtype": lambda torch, x: x.to(torch.float64),
    "another device": lambda torch, x: x.to("meta"),
    "on meta": lambda torch, x: torch.ones(2, device="meta"),
    "of data": lambda torch, x: torch.tensor([1, 2]),
    "several results": lambda torch, x: list(x.max(0)),
    "a view": lambda torch, x: (x[0], x[0]._base is x, x[:, 1].storage_offset()),
    "in place": lambda torch, x: x.clone().add_(1),
    "in place, another shape": lambda torch, x: x.clone().t_(),
    "resized": lambda torch, x: x.clone().resize_(7),
    "requires grad": lambda torch, x: x.clone().requires_grad_() * 2,
    "a loss": lambda torch, x: torch.nn.functional.cross_entropy(x, torch.tensor([0, 1])),
    "like": lambda torch, x: x.new_zeros(4, dtype=torch.int32),
    "rows": lambda torch, x: list(x),
}


@pytest.mark.parametrize("case", MADE)
def test_what_operators_give(case):
    def program(torch):
        with fakes(torch).FakeTensorMode():
            return shown(MADE[case](torch, torch.empty(2, 3)))

    compare(program)


REFUSED = {
    "item": lambda torch, x: x.sum().item(),
    "truth": lambda torch, x: bool(x.sum() > 0),
    "list": lambda torch, x: x.tolist(),
    "nonzero": lambda torch, x: x.nonzero(),
    "mask": lambda torch, x: x[x > 0],
    "unique": lambda torch, x: x.unique(),
    "equal": lambda torch, x: torch.equal(x, x),
    "allclose": lambda torch, x: torch.allclose(x, x),
    "numpy": lambda torch, x: x.numpy(),
    "bincount": lambda torch, x: torch.bincount(torch.tensor([1, 2])),
    "format": lambda torch, x: f"{x.sum():.3f}",
    "with elements": lambda torch, x: x[0] + REAL[torch.__name__],
}
REAL = {}


@pytest.mark.parametrize("case", REFUSED)
def test_elements_are_refused(case):
    def program(torch):
        REAL[torch.__name__] = torch.ones(3)
        with fakes(torch).FakeTensorMode():
            return REFUSED[case](torch, torch.empty(2, 3))

    compare(program)


@like_pytorch
def test_numbers_of_the_program_are_known(torch):
    with fakes(torch).FakeTensorMode():
        five = torch.tensor(5)
        return five.item(), (five + 1).item(), shown(five), five.constant, shown(torch.ones(1))


@like_pytorch
def test_of_tensors_with_elements(torch):
    mode = fakes(torch).FakeTensorMode()
    whole, leaf = torch.ones(4, 4), torch.ones(2, requires_grad=True)
    base, view = mode.from_tensor(whole), mode.from_tensor(whole[1:])
    other = fakes(torch).FakeTensorMode(allow_non_fake_inputs=True)
    with other:
        mixed = torch.ones(3) + whole[0, :3]
    return (
        (view._base is base, view.storage_offset(), mode.from_tensor(whole) is base),
        (mode.from_tensor(leaf).requires_grad, mode.from_tensor(leaf).is_leaf),
        shown(mode.from_tensor(torch.nn.Parameter(whole))),
        (fakes(torch).is_fake(base), fakes(torch).maybe_get_fake_mode(base) is mode),
        (fakes(torch).is_fake(whole), shown(mixed), shown(mode.from_tensor(mixed))),
        (base.device.type, base.is_meta, isinstance(base, torch.Tensor)),
    )


@like_pytorch
def test_operators_on_them_outside_of_the_mode(torch):
    x = fakes(torch).FakeTensorMode().from_tensor(torch.ones(2, requires_grad=True))
    loss = (x * 2).exp().sum()
    loss.backward()
    return shown(loss), shown(x.grad)


@like_pytorch
def test_a_net_and_its_training(torch):
    nn = torch.nn
    with fakes(torch).FakeTensorMode():
        conv = (nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2))
        net = nn.Sequential(*conv, nn.Flatten(), nn.Linear(36, 2))
        out = net(torch.randn(2, 3, 8, 8))
        out.sum().backward()
        optimizer = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
        optimizer.step()
        return [shown(out), *(shown(p.grad) for p in net.parameters()), shown(net[0].weight)]


NEED_NO_ELEMENTS = {
    "inverse": lambda torch, x: torch.linalg.inv(x),
    "cholesky": lambda torch, x: torch.linalg.cholesky(x),
    "solve": lambda torch, x: torch.linalg.solve(x, x),
    "index": lambda torch, x: x[torch.tensor([0, 1])],
    "index_put_": lambda torch, x: x.clone().index_put_((torch.tensor([0]),), x[0]),
    "one_hot": lambda torch, x: torch.nn.functional.one_hot(torch.tensor([1, 2]), 3),
    "LSTM": lambda torch, x: torch.nn.LSTM(4, 3)(x)[0],
    "attention": lambda torch, x: torch.nn.MultiheadAttention(4, 2)(x, x, x)[0],
    "vmap": lambda torch, x: torch.func.vmap(torch.sin)(x),
    "func.grad": lambda torch, x: torch.func.grad(lambda y: y.sin().sum())(x),
}


@pytest.mark.parametrize("case", NEED_NO_ELEMENTS)
def test_what_needs_no_elements(case):
    def program(torch):
        with fakes(torch).FakeTensorMode():
            return shown(NEED_NO_ELEMENTS[case](torch, torch.rand(4, 4)))

    compare(program)


@pytest.mark.parametrize("name", ["Adam", "SGD", "NAdam", "Adagrad", "RAdam"])
def test_steps_of_optimizers_count(name):
    def program(torch):
        with fakes(torch).FakeTensorMode():
            p = torch.nn.Parameter(torch.ones(3))
            p.grad = torch.ones(3)
            optimizer = getattr(torch.optim, name)([p], lr=0.1)
            optimizer.step()
            optimizer.step()
            steps = optimizer.state[p].get("step") if name != "SGD" else None
            return shown(p), steps if steps is None else steps.item()

    compare(program)


@like_pytorch
def test_modules_are_copied_without_elements(torch):
    mode = fakes(torch).FakeTensorMode()
    with fakes(torch).FakeCopyMode(mode):
        return shown(copy.deepcopy(torch.nn.Linear(2, 3)).weight)


@like_pytorch
def test_modes_of_programs_are_asked_first(torch):
    dispatch = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")
    log = []

    class Logging(dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            log.append(str(func))
            return func(*args, **(kwargs or {}))

    with Logging(), fakes(torch).FakeTensorMode() as mode:
        shape = shown(torch.ones(3).cos())
        with fakes(torch).unset_fake_temporarily() as left:
            real = torch.ones(2)
    guards = importlib.import_module(f"{torch.__name__}._guards")
    x = mode.from_tensor(real)
    return log, shape, left is mode, real, guards.detect_fake_mode([x]) is mode


@like_pytorch
def test_the_errors_of_mixing(torch):
    one, other = fakes(torch).FakeTensorMode(), fakes(torch).FakeTensorMode()
    a, b = one.from_tensor(torch.ones(2)), other.from_tensor(torch.ones(2))
    texts = []
    for call in (lambda: a + b, lambda: fakes(torch).FakeTensor(one, torch.ones(1), "cpu")):
        try:
            call()
        except AssertionError as error:
            texts.append(str(error).split(" x.fake_mode")[0])
    return texts


def test_sizes_as_symbols_are_refused():
    with pytest.raises(NotImplementedError, match="shape_env"):
        fakes(minitorch).FakeTensorMode(shape_env=object())


INDICES = {
    "positions": lambda torch, x: x[[0, 2]],
    "pairs": lambda torch, x: x[[0, 2], [1, 1]],
    "beside a slice": lambda torch, x: x[1:, [0]],
    "a mask": lambda torch, x: x[[True, False, True]],
    "written to": lambda torch, x: x.__setitem__([0, 1], 2.0),
}
CHECKED = {
    "max_unpool2d": lambda F, x, target: F.max_unpool2d(x[None], target[None].expand(1, 3, 3), 2),
    "multi_margin_loss": lambda F, x, target: F.multi_margin_loss(x, target),
    "multilabel_margin_loss": lambda F, x, target: F.multilabel_margin_loss(x[0], target),
}


@pytest.mark.parametrize("case", INDICES)
def test_lists_are_indices_of_fake_tensors(case):
    def program(torch):
        with fakes(torch).FakeTensorMode():
            found = INDICES[case](torch, torch.ones(3, 3))
        return found if found is None else (type(found).__name__, found.shape)

    compare(program)


@pytest.mark.parametrize("case", CHECKED)
def test_numbers_that_are_not_known_are_not_checked(case):
    def program(torch):
        with fakes(torch).FakeTensorMode():
            target = torch.ones(3, dtype=torch.int64)
            found = CHECKED[case](torch.nn.functional, torch.ones(3, 3), target)
        return type(found).__name__, found.shape

    compare(program)


@like_pytorch
def test_a_count_that_is_given_is_the_size(torch):
    with fakes(torch).FakeTensorMode():
        return torch.nonzero_static(torch.ones(2, 2), size=3).shape


READ = {
    "tensors": ({}, lambda torch: torch.nn.Linear(2, 3).state_dict()),
    "a view": ({}, lambda torch: {"a": torch.ones(2, 3).t()[1:], "b": torch.nn.Parameter(torch.ones(2))}),
    "elsewhere": ({"map_location": "cuda"}, lambda torch: {"a": torch.ones(2)}),
    "on meta": ({"map_location": "meta"}, lambda torch: {"a": torch.ones(2)}),
}  # fmt: skip


@pytest.mark.parametrize("case", READ)
def test_what_a_mode_reads_of_a_file_is_fake_and_knows_its_place(case):
    options, make = READ[case]

    def program(torch):
        file = io.BytesIO()
        torch.save(make(torch), file)
        file.seek(0)
        with fakes(torch).FakeTensorMode():
            read = torch.load(file, **options)
        places = [t.untyped_storage()._checkpoint_offset for t in read.values()]
        return [shown(t) for t in read.values()], [t.stride() for t in read.values()], places

    compare(program)


@like_pytorch
def test_fake_tensors_are_saved_with_room_for_their_elements(torch):
    with fakes(torch).FakeTensorMode():
        x = torch.ones(4)
        state = {**torch.nn.Linear(2, 3).state_dict(), "x": x, "view": x[2:]}
    file = io.BytesIO()
    with torch.serialization.skip_data(materialize_fake_tensors=True):
        torch.save(state, file)
    file.seek(0)
    read = torch.load(file)
    return [(type(t) is torch.Tensor, t.shape, t.sum().item()) for t in read.values()], (
        read["view"].data_ptr() - read["x"].data_ptr()
    )


@like_pytorch
def test_an_operator_of_two_devices_is_refused(torch):
    fake = importlib.import_module(f"{torch.__name__}._subclasses.fake_tensor")
    with fake.FakeTensorMode():
        try:
            torch.ones(2, device="cuda") + torch.ones(2)
        except fake.FakeTensorDeviceMismatchError as error:
            return str(error), str(error.func), str(error.common_device), str(error.device)


@like_pytorch
def test_what_the_old_constructors_make_is_fake(torch):
    fake = importlib.import_module(f"{torch.__name__}._subclasses.fake_tensor")
    with fake.FakeTensorMode():
        made = torch.Tensor(2), torch.Tensor([1.0]), torch.LongTensor([1]), torch.ones(2).new(3)
    return [(type(t).__name__, t.shape, str(t.dtype)) for t in made]


FAKED = {
    "a view that requires a gradient": lambda x: x.view(2, 3).requires_grad_(),
    "a view of one": lambda x: x.view(2, 3).requires_grad_()[0],
    "a view of what requires one": lambda x: x.requires_grad_().view(2, 3),
}


@pytest.mark.parametrize("case", FAKED)
def test_a_faked_view_requires_what_the_view_does(case):
    def program(torch):
        mode = fakes(torch).FakeTensorMode()
        fake = mode.from_tensor(FAKED[case](torch.arange(6.0)))
        return fake.requires_grad, fake.is_leaf, fake._is_view(), tuple(fake.shape)

    compare(program)


@like_pytorch
def test_normal_numbers_of_a_size_are_fake(torch):
    with fakes(torch).FakeTensorMode():
        made = torch.normal(0.5, 2, (2, 3)), torch.normal(0.0, 1.0, size=(2,), dtype=torch.float64)
    return [(type(t).__name__, tuple(t.shape), str(t.dtype)[-7:]) for t in made]
