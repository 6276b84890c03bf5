"""Long chains, cycles, threads, exceptions: what must hold when a graph is large or goes wrong."""

import gc
import subprocess
import sys
import textwrap
import threading
import weakref

import pytest

import minitorch as torch


def run(program):
    result = subprocess.run(
        [sys.executable, "-c", "import minitorch as torch\n" + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("keep", ["y", "y.grad_fn"])
def test_a_million_nodes_forward_backward_and_freed_on_an_8_mb_stack(keep):
    out = run(f"""
        import resource
        resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))
        x = torch.ones(1, requires_grad=True)
        w = torch.ones(1)
        y = x
        for _ in range(1_000_000):
            y = y * w
        y.backward(retain_graph=True)
        kept = {keep}
        del y
        del kept
        print(x.grad.tolist())
    """)
    assert out == "[1.0]\n"


@pytest.mark.slow
def test_a_long_chain_of_other_nodes_is_freed_too():
    out = run("""
        x = torch.ones(1, 1, requires_grad=True)
        y = x
        for _ in range(100_000):
            y = torch.cat([y.view(1), y.view(1)]).sum().view(1, 1) * 0.5
        y.backward()
        del y
        print(x.grad.item())
    """)
    assert float(out) == pytest.approx(1.0)


def test_forty_doublings_apply_forty_nodes():
    applied = []
    y = x = torch.tensor(1.0, requires_grad=True)
    for _ in range(40):
        y = y + y
        y.grad_fn.register_prehook(lambda grads: applied.append(1))
    y.backward()
    assert len(applied) == 40
    assert x.grad.item() == 2.0**40


def live_nodes():
    gc.collect()
    return sum(type(o).__name__.endswith("Backward0") for o in gc.get_objects())


def test_a_parameter_and_its_recorded_gradient_are_collected():
    def round():
        x = torch.ones(3, requires_grad=True)
        (x * x * x).sum().backward(create_graph=True)
        return weakref.ref(x)

    references = [round() for _ in range(20)]
    gc.collect()
    assert all(reference() is None for reference in references)


@pytest.mark.slow
def test_ten_thousand_recorded_backwards_keep_memory_flat():
    from minitorch.core import allocator

    def rounds(count):
        for _ in range(count):
            parameters = [torch.ones(16, requires_grad=True) for _ in range(3)]
            loss = (parameters[0] * parameters[1] * parameters[2]).sum()
            loss.backward(create_graph=True)
        del parameters, loss
        gc.collect()

    rounds(100)
    nodes, used = live_nodes(), allocator.memory_stats()["allocated_bytes"]
    rounds(10_000)
    assert live_nodes() <= nodes
    assert allocator.memory_stats()["allocated_bytes"] <= used + 4096


def test_a_graph_is_freed_with_its_last_tensor():
    from minitorch.core import allocator

    x = torch.ones(1000, requires_grad=True)
    before = allocator.memory_stats()["allocated_bytes"]
    y = x
    for _ in range(50):
        y = (y * 2).exp()
    del y
    assert allocator.memory_stats()["allocated_bytes"] == before


def test_saved_tensors_are_released_as_nodes_finish():
    from minitorch.core import allocator

    x = torch.ones(1000, requires_grad=True)
    y = x
    for _ in range(50):
        y = y.exp() * 0.1
    loss = y.sum()
    before = allocator.memory_stats()["allocated_bytes"]
    loss.backward()
    after = allocator.memory_stats()["allocated_bytes"]
    assert before - after > 45 * 4000


def test_cycle_through_a_hook_is_collected():
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y.register_hook(lambda grad, y=y: None)
    reference = weakref.ref(y)
    del y
    gc.collect()
    assert reference() is None


def test_cycle_through_node_metadata_is_collected():
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y.grad_fn.metadata["tensor"] = y
    reference = weakref.ref(y)
    del y
    gc.collect()
    assert reference() is None


@pytest.mark.slow
def test_eight_threads_into_shared_leaves_sum_exactly():
    x = torch.zeros(4, requires_grad=True)
    shared = x * 1
    rounds = 1000

    def work():
        for _ in range(rounds):
            (shared * 1).sum().backward(retain_graph=True)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert x.grad.tolist() == [8.0 * rounds] * 4


@pytest.mark.parametrize("position", range(6))
@pytest.mark.parametrize("kind", ["tensor", "pre", "post"])
def test_a_raising_hook_leaves_everything_usable(position, kind):
    x = torch.ones(2, requires_grad=True)
    ys = [x]
    for k in range(6):
        ys.append(ys[k] * 2)
    loss = ys[6].sum()

    def fail(*args):
        raise ValueError("planted")

    target = ys[position + 1]
    if kind == "tensor":
        handle = target.register_hook(fail)
    elif kind == "pre":
        handle = target.grad_fn.register_prehook(fail)
    else:
        handle = target.grad_fn.register_hook(fail)
    with pytest.raises(ValueError, match="planted"):
        loss.backward(retain_graph=True)
    assert torch.is_grad_enabled()
    handle.remove()
    x.grad = None
    loss.backward()
    assert x.grad.tolist() == [64.0, 64.0]


def test_a_raising_formula_leaves_everything_usable():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    bad = torch.floor_divide(y, 2)
    with pytest.raises(RuntimeError, match="not implemented"):
        bad.sum().backward(retain_graph=True)
    assert torch.is_grad_enabled()
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_interrupt_during_backward_leaves_everything_usable():
    x = torch.ones(2, requires_grad=True)
    y = x * 2

    def interrupt(grad):
        raise KeyboardInterrupt

    handle = y.register_hook(interrupt)
    with pytest.raises(KeyboardInterrupt):
        y.sum().backward(retain_graph=True)
    handle.remove()
    assert torch.is_grad_enabled()
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_errors_tell_the_node_in_their_notes():
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(RuntimeError) as caught:
        y.backward()
    assert any("MulBackward0" in note for note in caught.value.__notes__)
