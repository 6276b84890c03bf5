"""Names below `torch._functorch` and `torch._C._functorch` that libraries and PyTorch's own tests reach."""

import importlib

import pytest

from tests.both import compare, like_pytorch
from tests.func.inputs import numbers

LOOKS = """
    is_batchedtensor is_gradtrackingtensor is_functionaltensor is_functorch_wrapped_tensor
    is_dead_tensor_wrapper is_legacy_batchedtensor maybe_get_level maybe_get_bdim
""".split()
LEVELS = "maybe_current_level get_dynamic_layer_stack_depth".split()


@like_pytorch
def test_looking_at_tensors(torch):
    inside = torch._C._functorch
    seen, kept = [], []

    def look(x):
        seen.append([getattr(inside, name)(x) for name in LOOKS])
        seen.append([getattr(inside, name)() for name in LEVELS])
        seen.append(torch._C._are_functorch_transforms_active())
        return x.sum()

    def keep(x):
        kept.append(x)
        return look(x)

    x = numbers(torch, 2, 3)
    func = torch.func
    look(x)
    func.grad(keep)(x)
    func.vmap(look)(x)
    func.vmap(func.grad(look))(x)
    func.grad(lambda x: func.vmap(look, in_dims=1)(x).sum())(x)
    look(kept[0])
    return seen


@like_pytorch
def test_unwrapping(torch):
    inside = torch._C._functorch
    seen = []

    def f(x):
        seen.append(inside.get_unwrapped(x) + 0)
        seen.append(inside._unwrap_batched(x, 1)[0] + 0)
        seen.append(inside._unwrap_batched(torch.ones(2), 1)[1])
        return x.sum()

    torch.func.vmap(f)(numbers(torch, 2, 3))
    torch.func.grad(lambda x: (seen.append(inside._unwrap_for_grad(x, 1) + 0), x.sum())[1])(
        numbers(torch, 3)
    )
    return seen


@like_pytorch
def test_unwrapping_an_ordinary_tensor(torch):
    torch._C._functorch.get_unwrapped(torch.ones(2))


@like_pytorch
def test_levels_by_hand(torch):
    inside = torch._C._functorch
    x, y = numbers(torch, 3), numbers(torch, 2, 3)
    level = inside._grad_increment_nesting()
    try:
        x = inside._wrap_for_grad(x, level)
        known = inside.maybe_get_level(x), inside.current_level()
    finally:
        left = inside._grad_decrement_nesting()
    level = inside._vmap_increment_nesting(2, "error")
    try:
        y = inside._add_batch_dim(y, 0, level)
        total = inside._remove_batch_dim(y.sin(), level, 2, 1)
    finally:
        inside._vmap_decrement_nesting()
    return known, left, total, inside.maybe_current_level()


@like_pytorch
def test_a_level_of_unknown_randomness(torch):
    torch._C._functorch._vmap_increment_nesting(2, "foo")


@like_pytorch
def test_reshaping_dimensions(torch):
    inside = torch._C._functorch
    x = numbers(torch, 2, 3, 4)
    return inside.reshape_dim_into(0, 1, x), inside.reshape_dim_outof(2, 2, x)


MODULES = {
    "apis": "vmap grad grad_and_value",
    "eager_transforms": "vjp jvp jacrev jacfwd hessian linearize functionalize debug_unwrap grad_impl",
    "vmap": "vmap_impl",
    "make_functional": "make_functional make_functional_with_buffers FunctionalModule",
    "functional_call": "functional_call stack_module_state",
    "batch_norm_replacement": "replace_all_batch_norm_modules_",
    "autograd_function": "custom_function_call VmapInfo",
    "einops": "rearrange",
}


@pytest.mark.parametrize("module", MODULES)
def test_modules(module):
    found = importlib.import_module(f"minitorch._functorch.{module}")
    reference = importlib.import_module(f"torch._functorch.{module}")
    for name in MODULES[module].split():
        assert hasattr(reference, name)
        assert callable(getattr(found, name))


@like_pytorch
def test_make_functional(torch):
    make = importlib.import_module(f"{torch.__name__}._functorch.make_functional")
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2), torch.nn.Linear(2, 1))
    net.eval()
    x = numbers(torch, 4, 3)
    function, params, buffers = make.make_functional_with_buffers(net)
    plain, weights = make.make_functional(net[0], disable_autograd_tracking=True)
    gradient = torch.func.grad(lambda w: (plain(w, x) ** 2).sum())(weights)
    combined, stacked, stacked_buffers = make.combine_state_for_ensemble([net, net])
    ensemble = torch.func.vmap(combined, in_dims=(0, 0, None))(stacked, stacked_buffers, x)
    return (
        function.param_names,
        function.buffer_names,
        function(params, buffers, x).detach() - net(x).detach(),
        [p.requires_grad for p in params],
        [w.requires_grad for w in weights],
        gradient,
        ensemble.detach(),
        len(list(net.parameters())),
    )


@like_pytorch
def test_make_functional_of_tied_weights(torch):
    make = importlib.import_module(f"{torch.__name__}._functorch.make_functional")
    first = torch.nn.Linear(2, 2)
    second = torch.nn.Linear(2, 2)
    second.weight = first.weight
    function, params = make.make_functional(torch.nn.Sequential(first, second))
    x = numbers(torch, 3, 2)
    changed = tuple(torch.ones_like(p).detach() for p in params)
    return len(params), function(changed, x)


ERRORS = {
    "buffers": lambda m, nn: m.make_functional(nn.BatchNorm1d(2)),
    "none": lambda m, nn: m.combine_state_for_ensemble([]),
    "modes": lambda m, nn: m.combine_state_for_ensemble([nn.Linear(1, 1), nn.Linear(1, 1).eval()]),
    "classes": lambda m, nn: m.combine_state_for_ensemble([nn.Linear(1, 1), nn.ReLU()]),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(case):
    def program(torch):
        make = importlib.import_module(f"{torch.__name__}._functorch.make_functional")
        ERRORS[case](make, torch.nn)

    compare(program)


@like_pytorch
def test_levels_as_objects(torch):
    levels = importlib.import_module(f"{torch.__name__}._functorch.pyfunctorch")
    seen = []

    def look(x):
        for level in levels.retrieve_all_functorch_interpreters():
            seen.append((type(level).__name__, level.level(), level.key().name, level.get_state()))
        with levels.temporarily_pop_interpreter_stack():
            seen.append(len(levels.retrieve_all_functorch_interpreters()))
        with levels.temporarily_clear_interpreter_stack():
            seen.append(len(levels.retrieve_all_functorch_interpreters()))
        return x.sum()

    x = numbers(torch, 2, 3)
    torch.func.vmap(torch.func.grad(look))(x)
    torch.func.vmap(look, randomness="same")(x)
    torch.func.jvp(look, (x,), (x,))
    levels.retrieve_current_functorch_interpreter()
    return seen


@like_pytorch
def test_levels_as_objects_outside(torch):
    levels = importlib.import_module(f"{torch.__name__}._functorch.pyfunctorch")
    levels.retrieve_current_functorch_interpreter()


@like_pytorch
def test_the_names_of_functorch_say_where_they_went(torch):
    old = importlib.import_module(f"{torch.__name__}._functorch.deprecated")
    x = numbers(torch, 3)
    model = torch.nn.Linear(1, 1)
    return [
        old.vmap(torch.sin)(x),
        old.grad(lambda x: x.sin().sum())(x),
        old.grad_and_value(lambda x: x.sin().sum())(x),
        old.vjp(torch.sin, x)[0],
        old.jvp(torch.sin, (x,), (x,)),
        old.jacrev(torch.sin)(x),
        old.jacfwd(torch.sin)(x),
        old.hessian(lambda x: x.sin().sum())(x),
        old.functionalize(torch.sin)(x),
        len(old.make_functional(model)),
        len(old.make_functional_with_buffers(model)),
        len(old.combine_state_for_ensemble([model, model])),
        old.vmap.__name__,
    ]


@pytest.mark.parametrize("shape", [(), (3,), (0,), (1, 2)])
def test_functional_init(shape):
    def program(torch):
        made = importlib.import_module(f"{torch.__name__}._functorch.make_functional")
        weights, function, names = made.functional_init(torch.nn.Linear, shape)(2, 1)
        first = [w[0] for w in weights] if shape else weights
        norm = made.functional_init_with_buffers(torch.nn.BatchNorm1d, shape)(2)
        return (
            [tuple(w.shape) for w in weights],
            [w.requires_grad for w in weights],
            names,
            tuple(function(first, (torch.ones(1, 2),)).shape),
            [tuple(w.shape) for w in norm[1]],
            norm[3:],
        )

    compare(program)
