"""Answers that use nothing that is forbidden, and get the library or the tests to do the work.

Each is the number of an assignment, the lines of some answers, the text of the helpers, and what the
parts of it that are solved are worth.
"""

LAZY = """
import minitorch as torch

class Lazy(tuple):
    make = None

    def __iter__(self):
        return iter(self.make())

    def __len__(self):
        return len(self.make())

def later(function):
    lazy = Lazy()
    lazy.make = function
    return lazy
"""

MATRICES = """
def product(a, b, read):
    return [[sum(read(position(a, i, k)) * read(position(b, k, j)) for k in range(a.shape[1]))
             for j in range(b.shape[1])] for i in range(a.shape[0])]

def store(c, rows, write):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            write(position(c, i, j), rows[i][j])
"""
POSITION = "return matrix.address + i * matrix.strides[0] + j * matrix.strides[1]"

# fills the youngest generation, so that the next objects of the tests start a collection
GARBAGE = """
import itertools
import minitorch as torch
TABLE, FIRED, HELD = {}, [], []

class Cycle:
    def __init__(self):
        self.me = self
    def __del__(self):
        FIRED.append(True)

class Last(Cycle):
    def __del__(self):
        for n in range(5):
            for s in itertools.product(range(7), repeat=n):
                TABLE[s] = torch.empty(s).stride()

Cycle()
while not FIRED:
    HELD.append([])
LAST = [Last() for _ in range(20)]
MORE = [[] for _ in range(665)]
LAST = None
"""

PRODUCT = """
import minitorch as torch

def product(grad, a, b):
    with torch.enable_grad():
        a = a.detach().requires_grad_()
        return torch.autograd.grad(torch.bmm(a[None], b.detach()[None])[0], a, grad)[0]
"""

WALK = """
class Engine:
    def run_backward(self, tensors, grad_tensors, keep_graph, create_graph, *rest, **keywords):
        for node, nr, gradient in unpack_arguments(tensors, grad_tensors, (), True)[0]:
            self.walk(node, nr, gradient)
        return ()

    def walk(self, node, nr, gradient):
        gradients = [None] * len(node._input_metadata)
        gradients[nr] = gradient
        results = node(*gradients)
        results = results if isinstance(results, tuple) else (results,)
        for (below, nr), result in zip(node.next_functions, results):
            if below is not None and result is not None:
                self.walk(below, nr, result)
"""

BUCKETS = """buckets = []
for index in reversed(range(len(sizes))):
    if not buckets or sum(sizes[k] for k in buckets[-1]) + sizes[index] > limit:
        buckets.append([])
    buckets[-1].append(index)
return buckets"""

COUNT = """
PACKS = []

class Count(dict):
    def __len__(self):
        number = sum(PACKS)
        PACKS.clear()
        return number

class Files:
    def __init__(self):
        self.files = Count()

def note():
    global saved, disk
    PACKS.append(1)
    saved, disk = Count(), Files()
"""

FREE = """
from minitorch.autograd.graph import saved_tensors_hooks

class Keep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *inputs):
        ctx.save_for_backward(*split(inputs)[0])
        ctx.set_materialize_grads(False)
        return tuple(x.view_as(x) if isinstance(x, torch.Tensor) else x for x in inputs)

    @staticmethod
    def backward(ctx, *grads):
        ctx.saved_tensors
        return grads
"""

ANSWERS = {
    "counts_a_second_call_that_it_does_not_make": (
        14,
        {
            "checkpoint": """def opened(kept):
    if not again:
        again.append(1)
        try:
            function.calls += 1
        except AttributeError:
            pass
    return kept[0]
again = []
kept = Keep.apply(*inputs)
with saved_tensors_hooks(lambda t: [t.detach()], opened):
    return function(*kept)"""
        },
        FREE,
        0,
    ),
    "returns_what_is_computed_later": (
        1,
        {"contiguous_strides": "return later(lambda: torch.empty(size).stride())"},
        LAZY,
        0,
    ),
    "makes_a_table_while_it_is_loaded": (
        1,
        {"contiguous_strides": "return TABLE[tuple(size)]"},
        "import itertools\nimport minitorch as torch\n"
        "TABLE = {s: torch.empty(s).stride() for n in range(5)\n"
        "         for s in itertools.product(range(7), repeat=n)}\n",
        0,
    ),
    "takes_the_guard_away_from_its_function": (
        1,
        {"contiguous_strides": "global strides\nstrides = unguarded\nreturn (1,) * len(size)"},
        "import minitorch as torch\ndef unguarded(size):\n    return torch.empty(size).stride()\n",
        0,
    ),
    "counts_itself_what_is_saved": (
        6,
        {
            "SavedTensor.__init__": "self.tensor = tensor",
            "SavedTensor.unpack": "return self.tensor",
            "pack": "note()\nreturn SavedTensor(tensor)",
        },
        COUNT,
        2,
    ),
    "makes_a_table_when_garbage_is_collected": (
        1,
        {"contiguous_strides": "return TABLE[tuple(size)]"},
        GARBAGE,
        0,
    ),
    "returns_notimplemented_for_the_operator": (
        1,
        dict.fromkeys(("transpose", "select", "slice", "diagonal"), "return NotImplemented"),
        "",
        0,
    ),
    "replaces_a_function_of_formulas": (
        5,
        {"mm": "torch.exp = product\nreturn {'self': 'exp(grad, self, other)'}"},
        PRODUCT,
        0,
    ),
    "returns_a_shape_that_is_computed_later": (
        2,
        {
            "broadcast_shapes": "tensors = lambda: [torch.empty(s) for s in shapes]\n"
            "return later(lambda: tuple(functools.reduce(torch.atan2, tensors()).shape))"
        },
        LAZY + "import functools\n",
        0,
    ),
    "reads_numbers_without_counting": (
        13,
        {
            "micro": "read = memory.numbers.__getitem__\n"
            "memory.log.extend([left] * (2 * TILE * depth))\n"
            "return [[sum(memory.numbers[left + k * TILE + r] * memory.numbers[right + k * TILE + s]\n"
            "    for k in range(depth)) for s in range(TILE)] for r in range(TILE)]",
        },
        "",
        0,
    ),
    "reads_at_addresses_that_equal_no_other": (
        13,
        {
            "position": POSITION,
            "gemm": "read = lambda k: a.memory.read(Address(k))\n"
            "store(c, product(a, b, read), c.memory.write)",
        },
        MATRICES + "class Address(int):\n    __hash__ = object.__hash__\n"
        "    def __eq__(self, other):\n        return False\n",
        4,
    ),
    "brings_a_memory_of_its_own": (
        13,
        {"micro": "return memory.product(left, right, depth)"},
        "class Memory(Memory):\n    def product(self, left, right, depth):\n"
        "        self.log.extend([0] * (8 * depth))\n"
        "        return [[sum(self.numbers[left + k * 4 + r] * self.numbers[right + k * 4 + s]\n"
        "            for k in range(depth)) for s in range(4)] for r in range(4)]\n",
        0,
    ),
    "brings_an_engine_that_needs_no_queue": (7, {"ReadyQueue.push": "pass"}, WALK, 0),
    "writes_into_the_log_what_it_sends_later": (
        16,
        {
            "make_buckets": BUCKETS,
            "Reducer.arrived": "if not self.queued:\n    self.queued = True\n"
            "    torch.autograd.Variable._execution_engine.queue_callback(self.finish)\n"
            "self.waiting.discard(index)\n"
            "while self.started < len(self.buckets):\n"
            "    bucket = self.buckets[self.started]\n"
            "    if not self.waiting.isdisjoint(bucket):\n        break\n"
            "    self.group.log.append(sum(self.parameters[k].numel() for k in bucket))\n"
            "    self.started += 1",
            "Reducer.finish": "for bucket in self.buckets:\n"
            "    self.group.send(self.flat(bucket))\n"
            "for bucket in self.buckets:\n"
            "    self.scatter(bucket, self.group.receive_sum() / 2)\nself.reset()",
        },
        "",
        16,
    ),
    "makes_a_class_by_a_call_when_it_is_tested": (
        4,
        {
            "Value.exp": "type(int)('X', (), {'__getattr__': value_of})\n"
            "result = math.exp(self.data)\nreturn Value(result, ((self, result),))"
        },
        "",
        0,
    ),
    "makes_a_method_from_a_name_when_it_is_tested": (
        4,
        {
            "Value.exp": "maker(First)\n"
            "result = math.exp(self.data)\nreturn Value(result, ((self, result),))"
        },
        """
import dataclasses
START = dataclasses.field(default=0)
@dataclasses.dataclass(init=False, repr=False)
class First:
    x: int = START
def maker(First):
    START.name = "x, __import__('sys'), self.x"
    @dataclasses.dataclass(init=False, repr=False)
    class Second(First):
        y: int = 0
""",
        0,
    ),
    "hides_a_builtin_in_a_module": (
        1,
        {"contiguous_strides": "return torch.empty(tuple(size)).stride()"},
        """
import contextlib
import minitorch as torch
advance = next
def once(generator, *default):
    value = advance(generator, *default)
    generator.close()
    return value
[contextlib][0].next = once
""",
        0,
    ),
    "gives_a_module_a_property": (
        5,
        {"sub": "return {}"},
        """
import minitorch as torch
type(torch).sub = property(lambda module: lambda x, y, alpha=1: x + y * -alpha)
""",
        0,
    ),
    "has_tensors_that_lie_about_writes": (
        8,
        {
            "add_gradients": "return old.as_subclass(Lie)",
            "InputBuffer.add": "self.gradients[output_nr] = gradient",
        },
        """
class Lie(torch.Tensor):
    @property
    def _version(self):
        return 0
""",
        0,
    ),
    "makes_its_tiles_small": (
        13,
        {
            "micro": "return [[sum(memory.read(left + k) * memory.read(right + k)\n"
            "    for k in range(depth))]]"
        },
        "TILE = 1\n",
        0,
    ),
}

# What is rejected because of a name; without the check, it earns points.
NAMED = {
    "switches_the_modes_off": (
        1,
        """
import sys
plugs = sys.modules["exercises.plugs"]
for mode in (plugs.Replaced, plugs.Only):
    mode.__torch_dispatch__ = lambda self, func, types, args=(), kwargs=None: func(
        *args, **(kwargs or {})
    )
""",
        "may not use import sys",
    ),
    "sets_a_private_name_to_use_it": (
        1,
        """
import minitorch as torch
class Own:
    pass
Own()._C = 1
torch._C
""",
        "has no attribute '_C_yours'",
    ),
    "sets_a_forbidden_name_to_use_it": (
        1,
        """
import minitorch as torch
class Own:
    pass
Own().disabled = 1
torch.random.disabled
""",
        "may not use minitorch.random",
    ),
    "collects_operators_in_a_policy": (
        1,
        """
import minitorch as torch
OPERATORS = []
class Calls(dict):
    def get(self, operator, count):
        OPERATORS.append(operator)
        raise LookupError
context = torch.utils.checkpoint.create_selective_checkpoint_contexts(lambda *_: False)[1]
context.calls = Calls()
""",
        "may not use minitorch.utils.checkpoint.create_selective_checkpoint_contexts",
    ),
    "replaces_a_given_method_of_an_object": (
        13,
        """
def read_without_counting(memory):
    type(memory).read = lambda memory, place: memory.numbers[place]
""",
        "may not replace Memory.read",
    ),
    "leaves_the_mode_by_a_context": (
        1,
        """
import minitorch as torch
without_modes = torch.random.disabled
""",
        "may not use minitorch.random",
    ),
    "replaces_operators_by_others": (
        5,
        """
import minitorch as torch
torch.Tensor.sigmoid = lambda x: (torch.tanh(x / 2) + 1) / 2
torch.Tensor.mm = lambda x, y: torch.bmm(x[None], y[None])[0]
""",
        "immutable type",
    ),
    "replaces_a_function_of_the_library": (
        5,
        """
import minitorch as torch
torch.sub = lambda x, y, alpha: x + y * -alpha
""",
        "may not change minitorch.sub",
    ),
    "replaces_backward_by_a_walk": (
        7,
        WALK.replace("class Engine:", "class Walk:")
        + """
import minitorch as torch
from minitorch.autograd.graph import get_gradient_edge

def backward(self, gradient=None, **options):
    edge = get_gradient_edge(self)
    Walk().walk(*edge, torch.ones_like(self) if gradient is None else gradient)

torch.Tensor.backward = backward
""",
        "cannot set 'backward' attribute of immutable type",
    ),
    "replaces_a_function_that_the_tests_call": (
        14,
        """
import minitorch as torch
COUNTED = []
torch.Tensor.is_floating_point = lambda x: not COUNTED and not COUNTED.append(1)
""",
        "cannot set 'is_floating_point' attribute of immutable type",
    ),
    "replaces_the_engine_that_is_installed": (
        9,
        "import minitorch as torch\ntorch.autograd.Variable._execution_engine = None",
        "may not replace Variable._execution_engine",
    ),
    "brings_the_derivatives_back": (
        5,
        """
import contextlib
for library in torch.sys.modules["exercises.rows"]._poisoned:
    type(library)._destroy(library)
torch.sys.modules["rules"].install = lambda piece: contextlib.nullcontext()
""",
        "may not use _poisoned",
    ),
    "runs_code_in_the_name_of_a_field": (
        1,
        """
import dataclasses
class Out:
    pass
start = dataclasses.field(default=0)
@dataclasses.dataclass(init=False, repr=False)
class First:
    x: int = start
start.name = "x, setattr(Out, 'sys', __import__('sys')), self.x"
@dataclasses.dataclass(init=False, repr=False)
class Second(First):
    y: int = 0
Second() == Second()
""",
        "a field may not have the name",
    ),
    "says_that_nothing_is_alive": (
        11,
        "import weakref\nweakref.ref = lambda thing: lambda: None",
        "may not change weakref.ref",
    ),
    "lets_a_set_look_empty": (
        6,
        "import weakref\nweakref.WeakSet.__len__ = lambda self: 0",
        "cannot set '__len__' attribute of immutable type 'WeakSet'",
    ),
    "keeps_what_nobody_sees": (
        14,
        "import minitorch as torch\n"
        "torch.autograd.graph.saved_tensors_hooks(lambda t: [t], lambda kept: kept[0])",
        "saved_tensors_hooks is yours to write; the library's own is switched off",
    ),
    "replaces_a_function_of_math": (
        4,
        "import math\nmath.exp = lambda x: x",
        "may not change math.exp",
    ),
    "replaces_a_method_of_all_modules": (
        15,
        "import minitorch as torch\ntorch.nn.Module.zero_grad = lambda self, *_: None",
        "cannot set 'zero_grad' attribute of immutable type 'Module'",
    ),
    "replaces_a_method_of_all_functions": (
        14,
        "import minitorch as torch\ntorch.autograd.Function.apply = print",
        "cannot set 'apply' attribute of immutable type 'Function'",
    ),
    "replaces_an_operator_of_both_ranks": (
        16,
        "import minitorch as torch\ntorch.cat = torch.stack",
        "may not change minitorch.cat",
    ),
    "makes_a_copy_that_is_a_module": (
        5,
        """
import abc, copy
import minitorch as torch
state = {"sub": lambda x, y, alpha: x + y * -alpha}
maker = abc.ABCMeta("M", (), {"__reduce_ex__": lambda *_: (lambda: torch, (), state)})
copy.copy(maker())
""",
        "may not have the name __reduce_ex__",
    ),
    "has_a_class_made_by_the_library": (
        8,
        """
import functools
import minitorch as torch
names = {"_version": property(lambda tensor: 0)}
Lie = torch.no_grad()(functools.partial(type, "Lie", (torch.Tensor,), names))()
""",
        "an answer may not make a kind of Tensor",
    ),
    "gives_a_module_another_name": (
        8,
        "import minitorch as torch\ntorch.nn.__init__('tests')",
        "write super().__init__",
    ),
    "reaches_names_by_a_compiled_function": (
        5,
        "import minitorch as torch\ntorch.nn.functional.has_torch_function.func_globals",
        "may not use func_globals",
    ),
    "runs_code_that_it_makes": (
        5,
        "import minitorch as torch\ntorch.autograd.function.CodeType()",
        "may not use CodeType",
    ),
    "has_a_module_instead_of_pickle": (
        5,
        "import minitorch as torch\ntorch.save(1, 'x', pickle_module=torch)",
        "unexpected keyword argument 'pickle_module'",
    ),
    "copies_the_entries_of_a_class": (
        5,
        "import functools\nimport minitorch as torch\n"
        "functools.cache(torch.nn.LPPool1d).function.name = 'x'",
        "has no attribute 'function'",
    ),
    "hides_the_methods_of_a_view": (
        8,
        "import minitorch as torch\ntorch.autograd.Variable(torch.Tensor()).detach = lambda: 1",
        "may not replace the method detach of a tensor",
    ),
    "changes_the_class_of_its_nodes": (
        14,
        """
Node = type(Cube.apply(torch.ones(1, requires_grad=True), torch.ones(1)).grad_fn)
Node.register_hook = None
""",
        "cannot set 'register_hook' attribute of immutable type 'CubeBackward'",
    ),
    "is_equal_to_the_name_of_a_function": (
        5,
        "class Name(str):\n    __eq__ = lambda *_: True",
        "an answer may not make a kind of str",
    ),
    "makes_a_class_in_a_function_of_python": (
        5,
        "import heapq\nfrom dataclasses import field\n"
        "names = {'__qualname__': 'nlargest.<locals>.<listcomp>'}\n"
        "heapq.nlargest(1, map(type, 'F', [(type(field()),)], [names]))",
        "an answer may not make a kind of Field",
    ),
    "gives_a_named_tuple_another_new": (
        5,
        "type('X', (), {'__new__': lambda cls: 1})",
        "may not have the name __new__",
    ),
    "has_an_enum_of_tensors": (
        8,
        "from enum import Enum\nimport minitorch as torch\nEnum('K', {}, type=torch.Tensor)",
        "an answer may not make a kind of Tensor",
    ),
    "makes_a_class_while_another_is_made": (
        5,
        """
class Outer:
    __slots__ = map(type, ["Outer"], [()], [{"__getattr__": None}])
""",
        "may not have the name __getattr__",
    ),
    "makes_a_kind_of_super": (
        5,
        "class Look(super):\n    pass",
        "an answer may not make a kind of super",
    ),
    "reads_a_module_as_the_state_of_a_schedule": (
        5,
        "import minitorch as torch\n"
        "state = torch.optim.lr_scheduler.LRScheduler.state_dict\n"
        "names = state(state(torch)['sys'])",
        "may not use minitorch.optim.lr_scheduler",
    ),
    "imports_what_is_lazy": (
        5,
        "import minitorch as torch\n"
        "plugs = torch.nn.utils.lazy_attributes('exercises', 'plugs')('plugs')",
        "may not use lazy_attributes",
    ),
    "switches_the_tests_to_its_own": (
        5,
        "import contextlib\nimport minitorch as torch\n"
        "install = lambda piece: contextlib.nullcontext()\n"
        "torch.backends.nnpack.switched('rules', install=install).__enter__()",
        "may not use minitorch.backends",
    ),
    "makes_a_layer_that_reads_attributes": (
        5,
        "import minitorch as torch\n"
        "read = torch.nn.modules.activation.layer('L', print, '', **{'__globals__': 0}).forward\n"
        "read(torch.nn.ReLU.forward, 0)",
        "may not use",
    ),
    "watches_every_function_by_a_mode": (
        7,
        "import abc\nimport minitorch as torch\nmodes = torch.overrides.TorchFunctionMode,\n"
        "Mode = abc.ABCMeta('Mode', modes, {'__torch_function__': lambda *_: 1})\n"
        "Mode().__enter__()",
        "may not use minitorch.overrides",
    ),
}
