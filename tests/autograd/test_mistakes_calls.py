"""What `backward`, `grad`, forward mode and the graph say of a mistake, beside PyTorch."""

import pytest

import minitorch
from tests.both import compare
from tests.mistakes import check_mistake, mistakes, named

PRELUDE = """
import importlib, types

auto = torch.autograd
FA, G, B = auto.forward_ad, auto.graph, auto.backward
grad, edge_of = auto.grad, G.get_gradient_edge

def leaf():
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)

x, y = leaf(), leaf()
z, s = x * 2, x.sum()
edge = edge_of(z)
ones = torch.ones(3)

def mapping(value):
    return types.MappingProxyType({"a": value})

def in_level(call):
    with FA.dual_level():
        return call()

def in_func(call):
    return torch.func.grad(lambda a: (call(a), a.sum())[1])(x)

def in_older_vmap(call):
    vmap = importlib.import_module(torch.__name__ + "._vmap_internals")._vmap
    return vmap(call)(torch.arange(6.0).reshape(2, 3))

def from_a_wrong_level():
    FA._current_level = 4
    try:
        FA.enter_dual_level()
    finally:
        FA._current_level = 0
        FA.exit_dual_level()

def hooks(pack, unpack):
    with G.saved_tensors_hooks(pack, unpack):
        squares = (x * x).sum()
    squares.backward()

def multi_hook_outside(mode):
    G.register_multi_grad_hook([x], lambda g: None, mode=mode)
    return next(iter(x._backward_hooks.values()))(ones)

def recorded_in(context):
    with context:
        return (x * x).sum()

def inside(context, call=lambda: None):
    with context:
        return call()
"""

BACKWARD = r"""
grad(edge, x, torch.ones(2, 5), is_grads_batched=True)
grad(z, x, torch.ones(2, 5), is_grads_batched=True)
grad(s, x, torch.tensor(1.0), is_grads_batched=True)
B([3])
B(3)
B("a")
B(["a"], [torch.ones(1)])
B([s, None])
grad([3], x)
grad((), x)
B(edge, torch.ones(5))
B(z, torch.ones(5))
B(z, ones * 1j)
B(edge, ones * 1j)
B(x * 2j, ones)
B(z)
B(edge)
B((x * 2j).sum())
B(edge_of((x * 2j).sum()))
B(z, 3)
B(z, [3])
B(edge, ["a"])
B((s, s), (None,))
B(ones)
B(torch.ones(1))
B(torch.ones(1), torch.ones(1))
in_func(lambda a: B(a.sum()))
in_func(lambda a: a.sum().backward())
in_func(lambda a: B(s))
in_func(lambda a: B(3, 4, grad_variables=5))
torch.func.vmap(lambda a: (a.sum().backward(), a)[1])(x)
in_older_vmap(lambda a: B(a))
in_older_vmap(lambda a: (s.backward(), a)[1])
in_older_vmap(lambda a: B(a, 3))
in_older_vmap(lambda a: grad((a * 2).sum(), a))
in_older_vmap(lambda a: grad((x * a).sum(), x))
in_older_vmap(lambda a: grad(z, a, ones))
B(z, grad_variables=ones)
B(z, ones, grad_variables=ones)
B(s, inputs=mapping(x))
B(s, inputs=[])
B(s, inputs={})
B(s, inputs=3)
B(s, inputs=[3])
B(s, inputs="a")
B(s, inputs=ones)
grad(s, mapping(x))
grad(s, ())
grad(s, {})
grad(s, 3)
grad(s, [3])
grad(s, {"a": 3})
grad(s, ones)
grad(s, y)
grad(s, (), only_inputs=False)
grad(s, x, only_inputs=False)
grad(s, x, materialize_grads=True, allow_unused=False)
grad(s, x, only_inputs=False, materialize_grads=True, allow_unused=False)
grad(s, edge_of(y * 2), materialize_grads=True)
grad(s, G.GradientEdge(3, 0))
grad(s, G.GradientEdge(s.grad_fn, "a"))
grad(s, (s.grad_fn, 0))
B(G.GradientEdge(3, 0))
B(G.GradientEdge(s.grad_fn, 7))
B(s, retain_graph="a")
B(s, retain_graph=1.5)
B(s, create_graph=None)
B(s, create_graph=300)
B(s, create_graph=-1)
grad(s, x, allow_unused="a")
w = x.exp();; B(w, ones);; B(w, ones)
auto.variable(1)
auto.Variable(3)
auto.Variable(ones, "a")
auto.Variable(ones, 300)
auto.Variable(ones, volatile=True)
auto.Variable(ones, True, True)
auto.Variable(ones, _grad_fn=3)
auto.Variable(ones, _grad_fn=s.grad_fn)
auto.Variable(ones.int(), True)
ones.volatile
setattr(ones, "volatile", True)
delattr(ones, "volatile")
auto.Variable._execution_engine.queue_callback(lambda: None)
auto.Variable._execution_engine.run_backward()
auto.Variable._execution_engine.run_backward([s], (None,), False, False)
auto.Variable._execution_engine.run_backward((s,), [None], False, False)
auto.Variable._execution_engine.run_backward((s,), (), False, False)
auto.Variable._execution_engine.run_backward((s,), (3,), False, False)
auto.Variable._execution_engine.run_backward((s,), (None,), False, False)
auto.Variable._execution_engine.run_backward((3,), (None,), False, False)
auto.Variable._execution_engine.run_backward((s,), (torch.ones(()),), "a", False)
auto.Variable._execution_engine.run_backward((s,), (torch.ones(()),), False, False, [x])
auto.Variable._execution_engine.run_backward((s,), (torch.ones(()),), False, False, (3,))
auto.Variable._execution_engine.run_backward((s,), (torch.ones(()),), False, False, unknown=3)
"""

FORWARD_MODE = r"""
from_a_wrong_level()
FA.exit_dual_level()
FA.exit_dual_level(level=-1)
FA.exit_dual_level(level=3)
FA.exit_dual_level(level="a")
in_level(FA.enter_dual_level)
in_level(FA.exit_dual_level)
in_level(lambda: FA.exit_dual_level(level=3))
FA.make_dual(x, x)
FA.make_dual(x, x, level=0)
in_level(lambda: FA.make_dual(x, x, level=-1))
in_level(lambda: FA.make_dual(x, x, level=1))
in_level(lambda: FA.make_dual(x, x, level="a"))
in_level(lambda: FA.make_dual(x, x, level=0.0))
in_level(lambda: FA.make_dual(ones.int(), x))
in_level(lambda: FA.make_dual(x, ones.int()))
in_level(lambda: FA.make_dual(ones.bool(), ones.int()))
in_level(lambda: FA.make_dual(3, x))
in_level(lambda: FA.make_dual(x, None))
in_level(lambda: FA.make_dual(x, torch.ones(2)))
in_level(lambda: FA.make_dual(FA.make_dual(x, ones), ones))
in_level(lambda: FA.make_dual(x, FA.make_dual(x, ones)))
in_level(lambda: FA.unpack_dual(3))
in_level(lambda: FA.unpack_dual(None))
in_level(lambda: FA.unpack_dual(x, level="a"))
in_level(lambda: torch.heaviside(FA.make_dual(x, ones), ones))
in_level(lambda: torch.add(FA.make_dual(ones, ones), 1, out=torch.zeros(3)))
in_level(lambda: torch.add(ones, 1, out=FA.make_dual(ones, ones)))
in_level(lambda: FA.make_dual(ones, ones).set_(torch.ones(2)))
in_level(lambda: FA.make_dual(ones, ones).resize_(2))
in_level(lambda: FA.make_dual(ones, ones).detach_())
FA._set_fwd_grad_enabled(3)
FA._set_fwd_grad_enabled("a")
"""

GRAPH = r"""
G.Node()
G.Node.name(None)
G.Node.next_functions.fget(None)
G.Node.metadata(None)
G.Node._sequence_nr(None)
G.Node._input_metadata.fget(None)
G.Node._register_hook_dict(None, None)
G.Node.register_hook(None, None)
G.Node.register_prehook(None, None)
s.grad_fn._register_hook_dict(3)
s.grad_fn.register_hook(3);; B(s)
edge_of(ones)
edge_of(3)
G.register_multi_grad_hook([ones], print)
G.register_multi_grad_hook([3], print)
G.register_multi_grad_hook([x], print, mode="b")
multi_hook_outside("all")
multi_hook_outside("any")
G.region_activation_memory_budget("a").__enter__()
G.region_activation_memory_budget(True).__enter__()
G.region_activation_memory_budget(-1).__enter__()
G.region_activation_memory_budget(2.0).__enter__()
G.region_activation_memory_budget(float("nan")).__enter__()
G.region_activation_memory_budget(0.5).__enter__()
G.register_multi_grad_hook(None, print)
G.register_multi_grad_hook((t for t in [x]), print)
G.set_warn_on_accumulate_grad_stream_mismatch(3)
G.set_override_stale_capture_stream("a")
inside(G.save_on_cpu(pin_memory=True, device_type="cpu"), lambda: x * x)
G.increment_version(3)
G.increment_version([3])
G.increment_version("a")
inside(G.allow_mutation_on_saved_tensors(), lambda: inside(G.allow_mutation_on_saved_tensors()))
recorded_in(G.allow_mutation_on_saved_tensors()).backward()
w = recorded_in(G.allow_mutation_on_saved_tensors());; inside(G.allow_mutation_on_saved_tensors(), w.backward)
inside(G.disable_saved_tensors_hooks("not here"), lambda: hooks(lambda t: t, lambda t: t))
G.disable_saved_tensors_hooks(3).__enter__()
hooks(3, 4)
hooks(lambda t: t, lambda t: None)
hooks(lambda t: t, lambda t: 3)
hooks(lambda t: t.mul_(2), lambda t: t)
hooks(lambda t: t, lambda: 3)
w = x.exp();; w.grad_fn._raw_saved_result.register_hooks(lambda t: t, lambda t: None);; B(w, ones)
w = x.exp();; w.grad_fn._raw_saved_result.register_hooks(lambda t: t.mul_(2), lambda t: t)
w = x.exp();; saved = w.grad_fn._raw_saved_result;; B(w, ones);; saved.register_hooks(hooks, hooks)
w = x.exp();; B(w, ones);; w.grad_fn._saved_result
w = x.exp();; saved = w.grad_fn._raw_saved_result;; saved.register_hooks(lambda t: t, lambda t: t);; saved.register_hooks(hooks, hooks)
torch.autograd.SavedTensor()
"""

MODES = r"""
auto.detect_anomaly() and None
auto.set_detect_anomaly("a")
torch.set_grad_enabled(3)
auto.set_multithreading_enabled(3)
auto.set_multithreading_enabled(None)
auto._force_original_view_tracking("a")
auto.enforce_grad_layout_policy(1)
auto._unsafe_preserve_version_counter(3)
auto._unsafe_preserve_version_counter([x])
auto._unsafe_preserve_version_counter((3,))
torch._C._autograd._unsafe_set_version_counter((inside(torch.inference_mode(), lambda: torch.ones(1)),), (0,))
torch._C._autograd._unsafe_set_version_counter((torch.ones(1),), (-1,))
torch._C._will_engine_execute_node(3)
torch._C._will_engine_execute_node(s.grad_fn)
torch._C._current_graph_task_execution_order()
y.register_hook(lambda g: torch._C._current_graph_task_execution_order());; B(y * 2, ones)
y.register_hook(lambda g: torch._C._will_engine_execute_node(edge_of(y).node));; grad(y.sum(), y)
"""


@pytest.mark.parametrize(
    "mistake", mistakes(PRELUDE, BACKWARD + FORWARD_MODE + GRAPH + MODES), ids=named
)
def test_a_mistake_raises_as_in_pytorch(mistake):
    check_mistake(mistake)


WRONG_BACKWARDS = {
    "shape": lambda t, a, b: t.autograd.backward((a * 2, b * 2), (t.ones(3), t.ones(2))),
    "gradient": lambda t, a, b: t.autograd.backward((a.sum(), b * 2)),
    "root": lambda t, a, b: t.autograd.backward((a.sum(), 3)),
    "input": lambda t, a, b: t.autograd.backward((a.sum(), b.sum()), inputs=[a, 3]),
    "flag": lambda t, a, b: t.autograd.backward((a.sum(), b.sum()), retain_graph="a"),
    "edge": lambda t, a, b: t.autograd.grad(
        (a.sum(), b.sum()), (a, t.autograd.graph.GradientEdge(3, 0))
    ),
}


@pytest.mark.parametrize("name", WRONG_BACKWARDS)
def test_a_wrong_call_writes_nothing(name):
    def program(torch):
        a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
        try:
            WRONG_BACKWARDS[name](torch, a, b)
        except Exception as error:  # noqa: BLE001 - any is compared
            return type(error).__name__, str(error), a.grad, b.grad
        raise AssertionError("the call is wrong")

    compare(program)


SWITCHES = {
    "set_multithreading_enabled": "is_multithreading_enabled",
    "_force_original_view_tracking": "is_view_replay_enabled",
}


@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.parametrize("value", [0, 1, None, "a"])
def test_a_switch_that_is_given_no_bool_stays_as_it_is(switch, value):
    def program(torch):
        before = getattr(torch.autograd, SWITCHES[switch])()
        try:
            getattr(torch.autograd, switch)(value)
        except TypeError as error:
            return str(error), before == getattr(torch.autograd, SWITCHES[switch])()
        raise AssertionError("it takes a bool")

    compare(program)


def test_the_second_of_two_gradients_is_named():
    # PyTorch looks it up by value, among tensors that cannot be compared
    def program(torch):
        x = torch.ones(3, requires_grad=True)
        torch.autograd.backward((x * 2, x * 3), (torch.ones(3), torch.ones(5)))

    with pytest.raises(RuntimeError, match=r"grad_output\[1\] has a shape of torch.Size\(\[5\]\)"):
        program(minitorch)
