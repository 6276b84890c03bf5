"""Pruning: masks, what is left, and mistakes."""

import importlib

import pytest

from tests.both import compare, like_pytorch, real

# PyTorch does not import it by itself
importlib.import_module(f"{real.__name__}.nn.utils.prune")

METHODS = [
    "identity(m, 'weight')",
    "random_unstructured(m, 'weight', 3)",
    "random_unstructured(m, 'weight', 0.5)",
    "random_unstructured(m, 'weight', 0)",
    "l1_unstructured(m, 'weight', 4)",
    "l1_unstructured(m, 'weight', 0.3, importance_scores=s)",
    "l1_unstructured(m, 'bias', amount=0.5)",
    "random_structured(m, 'weight', 1, dim=0)",
    "random_structured(m, 'weight', 0.5, dim=1)",
    "random_structured(m, 'weight', 0, dim=1)",
    "random_structured(m, 'weight', 2, dim=-1)",
    "ln_structured(m, 'weight', 1, 2, 0)",
    "ln_structured(m, 'weight', 0.5, 1, -1)",
    "ln_structured(m, 'weight', 2, float('inf'), 1, importance_scores=s)",
    "custom_from_mask(m, 'weight', mask=(s > 0))",
    "global_unstructured([(m, 'weight'), (m, 'bias')], pruning_method=p.L1Unstructured, amount=6)",
    "global_unstructured([(m, 'weight')], pruning_method=p.RandomUnstructured, amount=0.5)",
]
MISTAKES = [
    "l1_unstructured(m, 'weight', -1)",
    "l1_unstructured(m, 'weight', 1.5)",
    "l1_unstructured(m, 'weight', -0.5)",
    "l1_unstructured(m, 'weight', 'a')",
    "l1_unstructured(m, 'weight', 100)",
    "l1_unstructured(m, 'wait', 1)",
    "l1_unstructured(m, 'weight', 1, importance_scores=s[0])",
    "random_structured(m, 'bias', 1, 0)",
    "random_structured(m, 'weight', 1, 2)",
    "random_structured(m, 'weight', 9, 1)",
    "ln_structured(m, 'weight', 1, 2, 5)",
    "custom_from_mask(m, 'weight', mask=s[0])",
    "global_unstructured(3, pruning_method=p.L1Unstructured, amount=6)",
    "global_unstructured([(m, 'weight')], p.L1Unstructured, importance_scores=3, amount=6)",
    "remove(m, 'weight')",
    "PruningContainer(3)",
    "RandomUnstructured(amount=2).prune(s, importance_scores=s[0])",
]


def run(torch, text):
    torch.manual_seed(0)
    m = torch.nn.Linear(4, 3)
    s = torch.randn(3, 4)
    p = torch.nn.utils.prune
    return m, eval("p." + text, {"m": m, "s": s, "p": p})


def look(m):
    hooks = [type(hook).__name__ for hook in m._forward_pre_hooks.values()]
    return dict(m.state_dict(keep_vars=True)), m.weight, m.bias, hooks, repr(m)


@pytest.mark.parametrize("text", METHODS)
def test_methods(text):
    def program(torch):
        m, result = run(torch, text)
        m(torch.ones(4)).sum().backward()
        grads = {n: p.grad for n, p in m.named_parameters()}
        return look(m), grads, torch.nn.utils.prune.is_pruned(m), result is m

    compare(program)


@pytest.mark.parametrize("first", METHODS[1::3])
@pytest.mark.parametrize("second", METHODS[::2])
def test_one_after_the_other(first, second):
    def program(torch):
        p = torch.nn.utils.prune
        m, _ = run(torch, first)
        s = torch.randn(3, 4)
        eval("p." + second, {"m": m, "s": s, "p": p})
        lengths = [len(h) for h in m._forward_pre_hooks.values() if hasattr(h, "__len__")]
        before = look(m)
        if hasattr(m, "weight_orig"):
            p.remove(m, "weight")
        return before, lengths, look(m)

    compare(program)


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes(text):
    def program(torch):
        return look(run(torch, text)[0])

    compare(program)


@like_pytorch
def test_a_failed_method_leaves_the_parameter(torch):
    m = torch.nn.Linear(4, 3)
    try:
        torch.nn.utils.prune.l1_unstructured(m, "weight", 100)
    except ValueError:
        return list(m.state_dict()), len(m._forward_pre_hooks)


@like_pytorch
def test_prune_a_tensor(torch):
    torch.manual_seed(0)
    x = torch.randn(3, 4)
    p = torch.nn.utils.prune
    return p.L1Unstructured(5).prune(x), p.LnStructured(1, 2, 0).prune(x, importance_scores=-x)
