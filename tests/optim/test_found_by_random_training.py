"""What random optimizers and schedulers have found to differ from PyTorch: a line for each kind.

A line is a program in the words of `tests.compat.random_modules`.
"""

import warnings

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.compat.random_modules import run  # noqa: E402

PROGRAMS = """
# lists of tensors have no derivatives
opt = optim.Adamax([T(2).requires_grad_()], foreach=True, differentiable=True); opt.step()
x = T(2).requires_grad_(); x.grad = T(2); opt = optim.Adam([x], foreach=True, differentiable=True); opt.step()
# a wrong call is told with the name of the optimizer
opt = optim.RMSprop([T(2).requires_grad_()]); opt.step(x=1)
opt = optim.NAdam([T(2).requires_grad_()]); opt.step(1, 2)
opt = optim.AdamW([T(2).requires_grad_()]); opt.step(x=1)
# of a parameter that is there twice, the last number
x = T(2).requires_grad_(); opt = optim.SGD([x, x]); show(opt.state_dict())
# the order of what a scheduler and a group hold
opt = optim.SGD([T(2).requires_grad_()]); sched = schedulers.ReduceLROnPlateau(opt); show(sched.state_dict())
opt = optim.RAdam([T(2).requires_grad_()]); opt.load_state_dict(optim.SGD([T(2)]).state_dict())
# a share of a running mean that is a tensor
x = T(2).requires_grad_(); x.grad = T(2); opt = optim.Adamax([x], betas=(torch.tensor(0.9), 0.99)); opt.step(); show(x)
"""


@pytest.mark.parametrize(
    "text", [line for line in PROGRAMS.strip().splitlines() if not line.startswith("#")]
)
def test_as_pytorch(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        difference, _ = run(text.split("; "))
    assert difference is None, difference
