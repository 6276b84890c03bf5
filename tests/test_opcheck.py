"""`torch.library.opcheck`: operators that do not do what is said of them."""

import itertools

import pytest

import minitorch
from tests.both import compare, like_pytorch

_numbers = itertools.count()


def operator(torch, function, fake=None, schema="(Tensor x) -> Tensor"):
    name = f"op{next(_numbers) // 2}"
    made = torch.library.custom_op(f"checked::{name}", function, mutates_args=(), schema=schema)
    if fake is not None:
        made.register_fake(fake)
    return made


def program_of(function, fake=None, grad=False, **options):
    def program(torch):
        op = operator(torch, function, fake)
        try:
            return torch.library.opcheck(op, (torch.ones(3, requires_grad=grad),), **options)
        except Exception as error:
            raise type(error)(str(error).replace(op._name, "op").replace("clone", "op")) from None

    return program


def clone(x):
    return x.clone()


def write(x):
    x.add_(1)
    return x.clone()


SCHEMA = {"test_utils": "test_schema"}
FAKE = {"test_utils": "test_faketensor"}
CASES = {
    "nothing is wrong": program_of(clone, lambda x: x.new_empty(3), **FAKE),
    "nothing is written": program_of(clone, **SCHEMA),
    "something is written": program_of(write, **SCHEMA),
    "the input is returned": program_of(
        clone, grad=True, test_utils=["test_schema", "test_autograd_registration"]
    ),
    "nothing without elements": program_of(clone, **FAKE),
    "other shapes": program_of(clone, lambda x: x.new_empty(2), **FAKE),
    "other types": program_of(clone, lambda x: x.new_empty(3, dtype=x.dtype).long(), **FAKE),
    "no tensor": program_of(clone, lambda x: 3, **FAKE),
    "an unknown check": program_of(clone, test_utils="test_nothing"),
    "half a tolerance": program_of(clone, rtol=1),
    "no operator": lambda torch: torch.library.opcheck(3, ()),
    "one of pytorch's own": lambda torch: torch.library.opcheck(
        torch.ops.aten.sin.default, (torch.ones(2),), test_utils="test_schema"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_checks(name):
    compare(CASES[name])


@like_pytorch
def test_errors_may_be_results(torch):
    op = operator(torch, write)
    found = torch.library.opcheck(op, (torch.ones(2),), raise_exception=False, **SCHEMA)
    return {name: str(error) for name, error in found.items()}


def test_what_a_compiler_does_is_not_checked():
    op = operator(minitorch, clone, lambda x: minitorch.empty_like(x))
    found = minitorch.library.opcheck(op, (minitorch.ones(2, requires_grad=True),))
    assert set(found.values()) == {"SUCCESS"} and len(found) == 3
    with pytest.raises(NotImplementedError):
        minitorch.library.opcheck(op, (minitorch.ones(2),), test_utils="test_aot_dispatch_static")


def _places(torch, space):
    @torch.library.custom_op(f"{space}::places", mutates_args=())
    def places(x: torch.Tensor) -> torch.Tensor:
        return x.nonzero().contiguous()

    @places.register_fake
    def _(x):
        size = torch.library.get_ctx().new_dynamic_size()
        return x.new_empty(size, x.dim(), dtype=torch.int64)

    return places


@like_pytorch
def test_a_size_that_depends_on_data_is_not_compared(torch):
    x = torch.tensor([[0.0, 1.0], [2.0, 3.0]])
    return torch.library.opcheck(
        _places(torch, "sized"), (x,), test_utils=("test_schema", "test_faketensor")
    )


def test_tensors_without_elements_have_no_size_that_depends_on_data():
    places = _places(minitorch, "sized_meta")
    with pytest.raises(RuntimeError, match=r"run this operator with meta Tensors \(as opposed to"):
        places(minitorch.ones(2, device="meta"))
    mode = minitorch._subclasses.FakeTensorMode()
    with mode, pytest.raises(minitorch._subclasses.DynamicOutputShapeException):
        places(minitorch.ones(2))
    assert minitorch.library.get_ctx() is None


def _annotated(torch):
    def double(x: torch.Tensor) -> torch.Tensor: ...

    return double


UNLIKE = {
    "a name alone": lambda torch: torch.library.infer_schema(_annotated(torch), mutates_args="x"),
    "another schema": lambda torch: torch.library.custom_op(
        "unlike::op", lambda x: x, mutates_args=("x",), schema="(Tensor x) -> Tensor"
    ),
}


@pytest.mark.parametrize("case", UNLIKE)
def test_what_is_written_to_is_named_in_one_way(case):
    compare(UNLIKE[case])


@pytest.mark.parametrize("key", ["Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd"])
@pytest.mark.parametrize("right", [True, False])
def test_a_kernel_for_tensors_without_elements_is_compared(key, right):
    def program(torch):
        with torch.library._scoped_library("checked_kernels", "FRAGMENT") as library:
            library.define("op(Tensor x) -> Tensor")
            library.impl("op", clone, "CPU")
            library.impl("op", clone if right else lambda x: x.new_empty(2), key)
            op = torch.ops.checked_kernels.op.default
            return torch.library.opcheck(op, (torch.ones(3),), **FAKE)

    compare(program)


@like_pytorch
def test_an_operator_of_a_library_is_named_that_has_no_kernel_without_elements(torch):
    with torch.library._scoped_library("checked_kernels", "FRAGMENT") as library:
        library.define("op(Tensor x) -> Tensor")
        library.impl("op", clone, "CPU")
        return torch.library.opcheck(torch.ops.checked_kernels.op.default, (torch.ones(3),), **FAKE)
