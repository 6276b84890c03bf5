"""In a process without the library's optimizers, nothing of the library moves a parameter."""

import json
import subprocess
import sys

import pytest

WAYS = """
torch.optim.SGD([w])
torch.optim.AdamW([w])
torch.optim.LBFGS([w])
torch.optim.Optimizer.__subclasses__()[0].__subclasses__()[0]([w])
before.step()
before.step.__wrapped__(before)
type(before).step(before)
before._rule(before.param_groups[0])
before._update(before.param_groups[0])
torch.optim.adam.adam([w], [g], [g], [g], [], [], amsgrad=False, beta1=0, beta2=0, lr=1, weight_decay=0, eps=0, maximize=False)
torch.optim._functional.sgd([w], [g], [None], weight_decay=0, momentum=0, lr=1, dampening=0, nesterov=False, maximize=False)
torch.optim.sgd._fused_sgd([w], [g], [None], weight_decay=0, momentum=0, lr=1, dampening=0, nesterov=False, maximize=False)
torch.optim.lr_scheduler.CosineAnnealingLR(before, 3)
torch.optim.lr_scheduler.LambdaLR(before, abs)
torch.optim.swa_utils.AveragedModel(torch.nn.Linear(1, 1))
torch.nn.utils.clip_grad_norm_([w], 0.1)
torch.nn.utils.clip_grad.get_total_norm([g])
torch.nn.utils.clip_grads_with_norm_([w], 0.1, g)
""".strip().splitlines()  # noqa: E501 (each line is a way)

PROGRAM = """
import ctypes, gc, json, os, sys, types
import minitorch as torch
from exercises.optimizers import retire_optimizers

w, g = torch.ones(1, requires_grad=True), torch.ones(1)
w.grad = g.clone()
before = torch.optim.AdamW([w])
retire_optimizers()

class Halving(torch.optim.Optimizer):
    def step(self, closure=None):
        with torch.no_grad():
            for p in self.param_groups[0]["params"]:
                p.mul_(0.5)

found = {}
for way in json.loads(sys.argv[1]):
    try:
        eval(way)
        found[way] = "it works"
    except Exception as error:
        found[way] = str(error)
found["w"] = w.tolist()
optimizer = Halving([w], {"lr": 1.0})
optimizer.step()
optimizer.load_state_dict(optimizer.state_dict())
found["a subclass"] = w.tolist()
alive = [thing for thing in gc.get_objects() if isinstance(thing, types.FunctionType)]
library = os.path.dirname(torch.__file__) + os.sep
files = {thing.__code__.co_filename.partition(library)[2] for thing in alive}
found["files"] = sorted(name for name in files if "optim" in name or "clip_grad" in name)
compiled = type(torch._fused_sdp_choice)
names = {thing.__name__ for thing in gc.get_objects() if type(thing) is compiled}
found["compiled"] = sorted(names & {"_fused_sgd_", "_fused_adam_"})
found["compiled and still there"] = sorted(names & {"_fused_sdp_choice"})
try:
    ctypes.pythonapi.PyCapsule_GetPointer
    found["ctypes"] = "it works"
except PermissionError as error:
    found["ctypes"] = str(error)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found():
    command = [sys.executable, "-c", PROGRAM, json.dumps(WAYS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("way", WAYS)
def test_a_way_leads_to_an_exception(found, way):
    assert found[way] == "this is yours to write; the library's own is switched off here"


def test_the_parameter_has_not_moved(found):
    assert found["w"] == [1.0]


def test_the_base_class_still_works(found):
    assert found["a subclass"] == [0.5]


def test_no_function_has_its_code_any_more(found):
    assert found["files"] == ["optim/_groups.py", "optim/optimizer.py"]


def test_the_compiled_functions_are_gone(found):
    assert found["compiled"] == []
    assert found["compiled and still there"] == ["_fused_sdp_choice"]
    assert found["ctypes"] == "an answer may not use ctypes.dlsym"
