"""Lead the compilers astray, and forge results from compiled code; answers to a12_cython_loop."""

# ruff: noqa: F821

import cython

FUNCTION = "@cython.cfunc\ndef step(x: cython.int) -> cython.int:\n    return x\n"

# Texts that are no Python, or that name what an answer may not, and a part of the message.
REJECTED = {
    "includes_a_file": ('include "/etc/passwd"', "SyntaxError"),
    "declares_c_code": (
        'cdef extern from *:\n    """\n    #include "/etc/passwd"\n    """',
        "Syntax",
    ),
    "cimports_the_c_library": ("from cython.cimports.libc.stdlib import system", "may not cimport"),
    "cimports_everything": ("from cython.cimports.minitorch.autograd.node import *", "cimport"),
    "cimports_the_queue": (
        "from cython.cimports.minitorch.autograd.graph_task import ReadyQueue as Theirs",
        "may not cimport ReadyQueue",
    ),
    "cimports_the_engine": (
        "from cython.cimports.minitorch.autograd.engine import call_function",
        "may not cimport call_function",
    ),
    "cimports_a_module": ("import cython.cimports.libc.stdlib", "may not import"),
    "imports_cython_by_another_name": (
        "import cython as c\nx = c.cast(c.p_int, 8)",
        "import cython",
    ),
    "imports_from_cython": ("from cython import cast, p_int", "may not import from cython"),
    "gives_cython_another_name": ("c = cython", "as in cython.int"),
    "casts_a_number": ("def f():\n    return cython.cast(cython.p_char, 8)[0]", "cython.cast"),
    "declares_a_pointer": ("def f():\n    p: cython.p_int = cython.NULL", "cython.p_int"),
    "declares_by_a_text": ('x = cython.declare("void *")', "without quotation marks"),
    "declares_by_a_bare_name": ("p_int = 3\nx = cython.declare(p_int)", "p_int as a type"),
    "annotates_by_a_dictionary": ("def f(x: {'ctype': 'p_int'}):\n    pass", "as a type"),
    "annotates_by_a_bare_name": ("def f(x: double[:]):\n    return x[10**6]", "as a type"),
    "annotates_by_a_text": ('def f(x: "char *"):\n    return x[0]', "without quotation marks"),
    "returns_by_a_text": ('def f() -> "char *":\n    pass', "without quotation marks"),
    "declares_an_array": ("def f():\n    a: cython.int[4]\n    a[10000] = 1", "C arrays"),
    "switches_checks_off": ("@cython.boundscheck(False)\ndef f():\n    pass", "cython.boundscheck"),
    "gives_directives": ("# cython: nonecheck=False", "directives"),
    "gives_the_compiler_flags": (
        "# distutils: extra_compile_args=-fplugin=./x.so",
        "directives",
    ),
    "runs_code_in_the_compiler": (
        "x = cython.inline('1')",
        "not a valid",
    ),
    "replaces_the_engine": (
        "class Engine:\n    def run_backward(self, *arguments):\n        pass",
        "may not replace Engine",
    ),
    "extends_the_loop_in_python": ("class Mine(plain_loop.Engine):\n    pass", "use plain_loop"),
    "follows_the_pointers_of_a_node": (
        "def f(node: Node):\n    node.saved0.storage.data[8] = 1",
        "may not use data, which none of its classes defines",
    ),
    "gives_a_field_the_name_of_a_nodes": (
        "@cython.cclass\nclass Mine:\n    saved0: object\ndef f(node: Node):\n    return node.saved0",
        "may not read saved0 of a node",
    ),
    "finds_a_nodes_field_in_a_field": (
        "@cython.cclass\nclass Mine:\n    hooks: object\ndef f(state: State):\n"
        "    return state.node.hooks",
        "may not read hooks of a node",
    ),
    "sets_a_nodes_number": (
        "def f(node: Node):\n    node.num_outputs = 9",
        "may not set num_outputs",
    ),
    "extends_a_node": ("@cython.cclass\nclass Mine(Node):\n    pass", "use Node only as the type"),
    "gives_a_node_another_name": (
        "from cython.cimports.minitorch.autograd.node import Node as Theirs",
        "may not give another name",
    ),
    "replaces_a_node": ("class Node:\n    pass", "may not replace Node"),
    "keeps_what_is_freed": (
        "@cython.cclass\nclass Word:\n    value: cython.long\n"
        "    def __dealloc__(self):\n        kept.append(self)\nkept = []",
        "may not use __dealloc__",
    ),
    "fills_a_buffer_itself": (
        "@cython.cclass\nclass Odd:\n    def __getbuffer__(self, buffer, flags):\n"
        "        buffer.buf = self",
        "may not use __getbuffer__",
    ),
    "adds_to_the_place_of_a_function": (
        f"{FUNCTION}def f(k: cython.int = 2):\n    g = step\n    g = g + k\n    return g(3)",
        "may only be called",
    ),
    "keeps_a_function_in_a_global": (f"{FUNCTION}g = step\ng + 2", "may only be called"),
    "passes_a_function_to_another": (f"{FUNCTION}sorted([1], key=step)", "may only be called"),
    "shows_a_function_in_a_text": (
        f'{FUNCTION}def f():\n    return f"""{{\n\n[\n\nstep]}}"""',
        "may only be called",
    ),
    "calls_a_method_on_none": (
        "@cython.cclass\nclass Box:\n    k: cython.long\n    @cython.cfunc\n"
        "    def get(self) -> cython.long:\n        return self.k\nBox.get(None)",
        "call the method get on an object",
    ),
    "calls_a_builtin_method_on_none": (
        "def f():\n    x: list = None\n    list.append(x, 1)",
        "call the method append on an object",
    ),
    "imports_a_private_name": ("from collections import _sys", "may not import _sys"),
    "reads_a_private_name": ("import collections\ncollections._sys", "may not use _sys"),
    "makes_a_private_name": (
        "import collections\nclass Mine:\n    _sys = None\ncollections._sys",
        "may not use _sys",
    ),
    "shortens_a_list_while_it_is_matched": (
        "class Mine:\n    def __eq__(self, other):\n        del ITEMS[1:]\n        return True\n"
        "    probe = None\nMine.probe = Mine()\nITEMS = [1, 2, 3]\nmatch ITEMS:\n"
        "    case [Mine.probe, *_, last]:\n        pass",
        "may not use nonlocal, := and match",
    ),
    "assigns_to_a_builtin_where_it_is_never_reached": (
        "def f():\n    if False:\n        eval = 1\n    return eval('1')",
        "may not use eval",
    ),
    "assigns_to_a_builtin_behind_a_return": (
        "def f():\n    return exec\n    exec = 1",
        "may not use exec",
    ),
    "uses_a_builtin_of_cython": (
        "import heapq\ndef f(getattr3):\n    pass\nx = getattr3(heapq, '__buil' 'tins__', None)",
        "may not use getattr3",
    ),
    "calls_open_outside_of_its_function": (
        "def f(open):\n    pass\nopen('/etc/passwd')",
        "may not use open",
    ),
    "calls_open_as_a_global": (
        "def f():\n    global open\n    return open('/etc/passwd')\n    open = 1",
        "may not use open",
    ),
    "formats_an_attribute": ("x = '{0.__class__}'.format(1)", "may not use format"),
    "imports_ctypes": ("import ctypes", "may not import ctypes"),
    "imports_the_engine": ("from minitorch.autograd.engine import Engine", "may not import from"),
    "imports_by_a_function": ('__import__("ctypes")', "may not use __import__"),
    "finds_the_c_interface": ("x = plain_loop.__pyx_capi__", "may not use __pyx_capi__"),
    "opens_the_bytes_of_a_file": ('open("/etc/passwd")', "may not use open"),
    "is_nested_deeply": ("x = " + "(" * 5000 + ")" * 5000, ""),
    "is_a_long_sum": ("def f(x):\n    return " + "+".join(["x"] * 60_000), ""),
    "makes_the_compiler_compute_for_ever": ("x = 10 ** 10 ** 9", ""),
    "makes_a_library_of_gigabytes": ('x = b"x" * 2_000_000_000', ""),
    "makes_a_large_library": ('x = b"' + "x" * 50_000 + '" * 100', ""),
    "makes_large_code": ("\n".join(f"def f{k}(): return {k}" for k in range(6000)), ""),
}

TOOLS = '''
def module(name):
    """Import a module that an answer may not import."""
    return vars(heapq)["__builtins__"]["__import__"](name)
'''


def forges_a_result():
    os = module("os")
    data = b'{"values": [["x.grad", {"tensor": "float64", "shape": [2], "data": [1.0, 1.0]}]]}'
    for fd in range(3, 64):
        try:
            os.write(fd, data)
        except OSError:
            pass
    os._exit(0)


def takes_the_compiled_engine():
    module("sys").modules["piece"].Engine = module("minitorch.autograd.engine").Engine


def delegates_to_the_loop_in_python():
    for name in ("Engine", "count_dependencies", "sort_nodes", "loop_only"):
        setattr(module("sys").modules["piece"], name, getattr(plain_loop, name, None))


def finds_the_loop_by_the_collector():
    class Collecting:
        def run_backward(self, *arguments):
            for thing in module("gc").get_objects():
                if getattr(thing, "__name__", "") == "GraphTask" and thing is not GraphTask:
                    plain_loop.Engine.task = thing
                    return plain_loop.Engine().run_backward(*arguments)

    module("sys").modules["piece"].Engine = Collecting


def loads_a_second_library():
    machinery = module("importlib.machinery").machinery
    path = module("minitorch.autograd.engine").autograd.engine.__file__
    machinery.ExtensionFileLoader("piece", path).load_module()


def makes_a_library_in_memory():
    module("os").memfd_create("x")


def changes_its_own_library():
    os = module("os")
    for fd in range(3, 64):
        try:
            os.ftruncate(fd, 0)
        except OSError:
            pass


def starts_a_program():
    module("os").system("touch /" + "tmp/hostile_was_here")


def reads_the_fields_of_none():
    state: State = None
    return state.priority


@cython.cfunc
def overflows_the_stack(k: cython.long = 0) -> cython.long:
    return overflows_the_stack(k + 1) + 1


def divides_by_zero(k: cython.int = 0):
    return 5 // k


def goes_through_none():
    things: set = None
    for thing in things:
        print(thing)


def loops_without_end():
    k: cython.Py_ssize_t = 0
    while k < 10:
        k = (k + 1) % 10


def takes_memory_without_end():
    blocks: list = []
    while True:
        blocks.append(bytearray(1 << 26))
