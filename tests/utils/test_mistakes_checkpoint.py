"""What checkpoints say of a mistake, beside PyTorch."""

import pytest

from tests.mistakes import check_mistake, mistakes, named

PRELUDE = """
import contextlib, functools, importlib

K = importlib.import_module(torch.__name__ + ".utils.checkpoint")
aten = torch.ops.aten
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
nothing = contextlib.nullcontext()

def again(function, *args, **options):
    return K.checkpoint(function, *args, use_reentrant=False, **options)

def older(function, *args, **options):
    return K.checkpoint(function, *args, use_reentrant=True, **options)

def fails(a):
    raise ValueError("it fails")

class Suppressing(contextlib.AbstractContextManager):
    def __exit__(self, *error):
        return True

class Failing(contextlib.AbstractContextManager):
    def __exit__(self, *error):
        raise KeyError("at the end")

def keeping(operators, function, **options):
    "A selective checkpoint of x."
    contexts = functools.partial(K.create_selective_checkpoint_contexts, operators)
    return again(function, x, context_fn=contexts, **options).sum()

def first(one, other):
    "A function that is another one from the second call on."
    calls = []

    def function(a):
        calls.append(a)
        return one(a) if len(calls) == 1 else other(a)

    return function

def written_to():
    kept = []
    total = keeping([aten.exp.default], lambda a: (kept.append(a.exp()), kept[-1].sin())[1])
    kept[0].detach().mul_(2)
    return total
"""

CALLS = r"""
again(fails, x)
again(3, x)
older(3, x)
older(fails, x, a=3, b=4)
older(fails, x, context_fn=lambda: 3)
older(fails, x, debug=True)
again(fails, x, determinism_check="a")
again(fails, x, determinism_check="a", context_fn=lambda: 3)
again(fails, x, determinism_check="a", context_fn=lambda: 3, debug=True)
again(fails, x, context_fn=lambda: 3)
again(fails, x, context_fn=lambda: (3, 4))
again(fails, x, context_fn=lambda: (Suppressing(), nothing))
again(lambda a: a * 2, x, context_fn=lambda: (Failing(), nothing))
again(fails, x, context_fn=lambda: (Failing(), nothing))
K.checkpoint(lambda a: a * 2, x)
K.checkpoint_sequential([torch.sin], 1, x)
K.checkpoint_sequential([torch.sin], 0, x, use_reentrant=False)
K.checkpoint_sequential([torch.sin], 3, x, use_reentrant=False)
K.checkpoint_sequential([torch.sin], 1, x, use_reentrant=False, a=3)
K.detach_variable([x])
K.check_backward_validity([torch.ones(1)])
older(torch.sin, torch.ones(1))
torch.autograd.grad(older(torch.sin, x).sum(), x)
older(torch.sin, x).sum().backward(inputs=[x])
older(torch.detach, x).sum().backward()
"""

RECOMPUTATION = r"""
again(first(lambda a: a.sin(), lambda a: a.sin().exp()), x, early_stop=False).sum().backward()
again(first(lambda a: a.sin().exp(), lambda a: a * 1), x).sum().backward()
again(first(lambda a: a.sin(), lambda a: a.double().sin()), x).sum().backward()
K.create_selective_checkpoint_contexts(3)
K.create_selective_checkpoint_contexts([3])
keeping([aten.exp.default], first(lambda a: a.sin().exp(), lambda a: a.cos().exp())).backward()
keeping([aten.exp.default], first(lambda a: a.sin().exp(), lambda a: a.sin().sin().exp()), early_stop=False).backward()
y = keeping([aten.exp.default, aten.sin.default], lambda a: a.sin().exp());; y.backward(retain_graph=True);; y.backward()
written_to().backward()
"""


@pytest.mark.parametrize("mistake", mistakes(PRELUDE, CALLS + RECOMPUTATION), ids=named)
def test_a_mistake_raises_as_in_pytorch(mistake):
    check_mistake(mistake)
