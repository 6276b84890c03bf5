"""Random calls, most of them wrong, under PyTorch and minitorch: nothing may end the interpreter.

``python -m tests.compat.bad_calls --count 20000`` makes calls of PyTorch's functions and methods from
their schemas, spoils one or two arguments of each, and runs them in two processes, one for each
library. A process that dies is started again behind the call that killed it. What is raised must be of
PyTorch's type and say the same. With ``--inside vmap`` (grad, jvp) the calls are made inside of a transform.
"""

import argparse
import collections
import inspect
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import torch

import minitorch

# what a call is made of; each is made anew for each call
TENSORS = """T(3) T(2,3) T(3,3) T(2,3,4) T(1,2,5,5) T() T(0) T(0,3) T(3,0,2) T(1)
    T(3,3).t() T(1,3).expand(2,3) T(4)[::2] T(2,3).requires_grad_() T(3).requires_grad_()
    torch.arange(3) torch.arange(6).reshape(2,3) torch.tensor(1) torch.tensor(True) torch.tensor([True,False,True])
    torch.tensor([2,0,1]) torch.tensor([5,-7]) torch.tensor([9223372036854775807,-9223372036854775808])
    T(3).half() T(2,3).bfloat16() T(3,3).double() T(3).to(torch.complex64) T(3,3).to(torch.complex128)
    T(3).to(torch.uint8) T(2,3).to(torch.int8) T(3).to(torch.int16) torch.tensor([nan,inf,-inf])
    torch.full((2,2),nan) torch.tensor([[nan]]).double() torch.empty(0,dtype=torch.int64)
    torch.zeros(2,3,dtype=torch.bool) T(1,1,1,1,1,1)""".split()
NUMBERS = "0 1 -1 2 3 -2 7 0.5 -0.5 1e30 nan inf -inf True 1j 2**31 2**63-1 -2**63 2**64 2**70 1e400".split()
INTS = "0 1 -1 2 3 -2 5 -9 100 2**31-1 2**31 -2**31 2**62 2**63-1 -2**63".split()
WRONG = """None 'abc' '' b'x' [] () [1] (1,2) [0,0] [-1] [1,2,3,4,5,6,7,8] [None] ['a'] [1.5] {} {'a':1} object() len
    torch.float32 torch.int64 torch.strided torch.device('cpu') torch.Size([2]) slice(None) ... 2**63 2**70 -2**63
    nan inf 1j True 1.5 [T(2),T(2)] [T(2),None] (T(2,2),) [[1,2],[3,4]] [2**63] [2**62,2**62] (-5,) range(3)
    torch.Generator() torch.float16 torch.complex64 torch.bool torch.preserve_format torch.channels_last
    T(2).dtype T(2).numpy() type T torch.nn.functional""".split()
NAMES = "dim keepdim out dtype other self input alpha wrong axis generator requires_grad device size".split()
BY_TYPE = {
    "Tensor": TENSORS, "number": NUMBERS, "int": INTS, "bool": ["True", "False"],
    "float": "0.5 0.0 -1.0 2.0 nan inf 1e-300".split(), "complex": ["1j", "2.0"],
    "str": ["'mean'", "'none'", "'reflect'", "'ij'", "'ij,jk->ik'", "'linear'", "'trunc'", "'sum'", "'N'"],
    "List[int]": "[] [0] [1] [2,3] [-1] [0,1] [1,1] [3,3] [2,2,2] [0,-1] [1,2,3,4] [5,5,5,5,5]".split(),
    "List[Tensor]": "[T(2),T(2)] [] [T(2,3)] [T(2),T(3,3)] [T(3),torch.arange(3)] (T(),T())".split(),
    "List[bool]": ["[True]", "[True,False]", "[]"], "List[float]": ["[0.5]", "[1.0,2.0]", "[]"],
    "List[Optional[Tensor]]": ["[torch.arange(2)]", "[None,torch.arange(2)]", "[T(2)]", "[]"],
    "Device": ["'cpu'", "None"], "Generator": ["None", "torch.Generator()"],
}  # fmt: skip
SPACES = {
    "torch": "", "torch.linalg": "linalg_", "torch.fft": "fft_", "torch.special": "special_",
    "torch.nn.functional": "", "torch.Tensor": "", "torch._C._VariableFunctions": "",
    "torch.nn.init": "", "torch._C._nn": "",
}  # fmt: skip
# they change the process, wait, read files, or hand out what nobody has written
LEFT_OUT = re.compile(
    r"set_|_set|manual_seed|^seed|load|^save|^compile|from_file|fork|hub|_jit|^empty|new_empty|resize|"
    r"^_?(use|is|get|init|has|enable|disable|import|start|stop)_|quantize|^q_|^_make_|_cuda|cudnn|miopen|mkldnn|"
    r"mps|vulkan|nnpack|share_memory|pin_memory|from_blob|^_?fbgemm|_fused|_transformer|rrelu|dropout|rand|"
    r"normal|bernoulli|multinomial|poisson|uniform|exponential|geometric|cauchy|binomial|_sample|xavier|kaiming|"
    r"orthogonal|sparse|trunc_|_test_|_debug|vitals|nested|__(reduce|sizeof|dir|init|new|del|getattr|setattr|class|"
    r"subclass|format|repr|str|hash|dlpack|cuda|deepcopy|torch)|data_ptr|^_cufft|_backward|wait|autocast|storage|"
    r"unsafe_chain|typename|parse_ir|merge_type|ScriptM|Stream|Event|Error|^(cond|while_loop|compiled|vmap)$"
)
PRELUDE = """
import signal, warnings
warnings.simplefilter("ignore")
nan, inf = float("nan"), float("inf")


def T(*shape):
    n = 1
    for size in shape:
        n *= size
    return (torch.arange(n, dtype=torch.float64) + 1).sin().float().reshape(shape)


def total(result):  # what is to be differentiated
    parts = result if isinstance(result, (list, tuple)) else [result]
    tensors = [p for p in parts if isinstance(p, torch.Tensor) and p.is_floating_point()]
    return sum(t.sum() for t in tensors) if tensors else result
"""
# how a call with one of its tensors as x is made inside of a transform
TRANSFORMS = {
    "vmap": "torch.func.vmap(lambda x: {call}, randomness='different')(T(2,{shape}))",
    "grad": "torch.func.grad(lambda x: total({call}))(T({shape}))",
    "jvp": "torch.func.jvp(lambda x: {call}, (T({shape}),), (T({shape}),))",
}
CHILD = """
import faulthandler, importlib, json, resource, signal, sys
faulthandler.enable()
name, first, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
torch = importlib.import_module(name)
import numpy
resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
sys.set_int_max_str_digits(0)
def late(*_):
    raise TimeoutError
signal.signal(signal.SIGALRM, late)
from tests.compat.bad_calls import PRELUDE
calls = json.load(open(path))
scope = {"torch": torch, "numpy": numpy}
exec(PRELUDE, scope)
own = dict(scope)
for k in range(first, len(calls)):
    print("@", k, flush=True)
    signal.alarm(5)
    try:
        exec(calls[k], dict(own))
        outcome = None
    except BaseException as error:
        outcome = [type(error).__name__, str(error)[:400]]
    signal.alarm(0)
    print(json.dumps(outcome), flush=True)
"""


def _within(library, space):
    for name in space.split(".")[1:]:
        library = getattr(library, name, None)
    return library


def functions():
    """(expression, schemas, whether it is a method) of all that both libraries have."""
    found = []
    for space, prefix in SPACES.items():
        theirs, ours = (_within(library, space) for library in (torch, minitorch))
        for name in sorted(set(dir(theirs)) & set(dir(ours))):
            if LEFT_OUT.search(name) or inspect.isclass(getattr(theirs, name)):
                continue
            if not callable(getattr(theirs, name)) or inspect.ismodule(getattr(theirs, name)):
                continue
            plain = name.strip("_") if name.startswith("__") else name
            schemas = torch._C._jit_get_schemas_for_operator(f"aten::{prefix}{plain}")
            found.append((f"{space}.{name}", schemas, space == "torch.Tensor"))
    return found


def argument(rng, type_name):
    type_name = re.sub(r"^Optional\[(.*)\]$", r"\1", type_name)
    values = BY_TYPE.get(type_name) or BY_TYPE["number"]
    return rng.choice(values)


def call(rng, found):
    """The text of one call, right by its schema but for an argument or two."""
    expression, schemas, method = found[rng.randrange(len(found))]
    positional, named = [], {}
    if schemas and rng.random() < 0.85:
        for k, a in enumerate(rng.choice(schemas).arguments):
            if a.has_default_value() and rng.random() < 0.6:
                if not a.kwarg_only:
                    break
                continue
            value = argument(rng, str(a.type))
            if a.kwarg_only or (k and rng.random() < 0.1):
                named["input" if a.name == "self" else a.name] = value
            elif not named:
                positional.append(value)
    else:
        positional = [rng.choice(TENSORS) for _ in range(rng.randrange(3))]
        positional += [rng.choice(NUMBERS + WRONG) for _ in range(rng.randrange(3))]
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        kind = rng.randrange(8)
        if kind < 5 and positional:
            positional[rng.randrange(len(positional))] = rng.choice(WRONG + TENSORS)
        elif kind == 5 and named:
            named[rng.choice(list(named))] = rng.choice(WRONG + TENSORS)
        elif kind == 6:
            named[rng.choice(NAMES)] = rng.choice(WRONG + TENSORS + INTS)
        elif positional and rng.random() < 0.5:
            positional.pop()
        else:
            positional.append(rng.choice(WRONG + TENSORS + INTS))
    if method:
        on = positional.pop(0) if positional and positional[0] in TENSORS else rng.choice(TENSORS)
        expression = f"{on}.{expression.rpartition('.')[2]}"
    texts = positional + [f"{name}={value}" for name, value in named.items()]
    return f"{expression}({', '.join(texts)})"


def inside(transform, rng, text):
    """The call inside of a transform, which gives one of its tensors; None where it has none."""
    tensors = list(re.finditer(r"\bT\(([\d,]*)\)", text))
    if not tensors:
        return None
    chosen = rng.choice(tensors)
    call = f"{text[: chosen.start()]}x{text[chosen.end() :]}"
    return TRANSFORMS[transform].format(call=call, shape=chosen[1])


def _run(command, patience=20):
    """Output, errors and code of a process, which is ended when it says nothing for so many seconds."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        size = heard = 0
        while process.poll() is None:
            time.sleep(0.1)
            now = os.fstat(out.fileno()).st_size
            heard, size = (time.time() if now != size or not heard else heard), now
            if time.time() - heard > patience:
                process.kill()
        out.seek(0)
        errors.seek(0)
        return out.read(), errors.read(), process.returncode


def outcomes(library, calls, path):
    """What each call ends with: None, [type, text], or why the process died."""
    results, first = [], 0
    while first < len(calls):
        out, errors, code = _run([sys.executable, "-c", CHILD, library, str(first), path])
        lines = [line for line in out.splitlines() if line[:2] == "@ " or line[:1] in "[n"]
        done = [json.loads(line) for line in lines if line[:2] != "@ "]
        results += done
        if len(results) < len(calls):
            trace = [line.strip() for line in errors.splitlines() if "File" in line][:1]
            results.append([f"DIED {code}", " ".join(trace)])
        first = len(results)
    return results


def kind_of(theirs, ours):
    """What sort of difference it is; None if there is none."""
    if ours and ours[0].startswith("DIED"):
        return None if theirs and theirs[0].startswith("DIED") else "died"
    if theirs and theirs[0].startswith(("DIED", "TimeoutError", "MemoryError")):
        return None
    if ours and ours[0] == "NotImplementedError" and (not theirs or theirs[0] != ours[0]):
        return "not implemented"
    if theirs is None or ours is None:
        return None if theirs is ours else "raises" if theirs is None else "does not raise"
    if theirs[0] != ours[0]:
        return f"{theirs[0]} / {ours[0]}"
    return None if _plain(theirs[1]) == _plain(ours[1]) else "text"


def _plain(text):
    text = re.sub(r"0x[0-9a-f]+", "0x", text).replace("minitorch", "torch")
    for mark in ("\nException raised from", " (Triggered internally", "INTERNAL ASSERT FAILED"):
        text = text.split(mark)[0]
    return text.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inside", choices=TRANSFORMS)
    parser.add_argument("--kinds", default="died", help="those to print: died, text, all, ...")
    options = parser.parse_args()
    rng, found = random.Random(options.seed), functions()
    calls = [call(rng, found) for _ in range(options.count)]
    if options.inside:
        calls = [text for text in (inside(options.inside, rng, c) for c in calls) if text]
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(calls, file)
        file.flush()
        ours = outcomes("minitorch", calls, file.name)
        theirs = outcomes("torch", calls, file.name)
    kinds = collections.Counter()
    for text, a, b in zip(calls, theirs, ours, strict=True):
        kind = kind_of(a, b)
        kinds[kind] += 1
        if kind and (options.kinds == "all" or kind in options.kinds.split(",")):
            print(f"{kind}: {text}\n  theirs: {a}\n  ours:   {b}", flush=True)
    print(f"{len(found)} functions, {kinds}")
    sys.exit(kinds["died"] > 0)


if __name__ == "__main__":
    main()
