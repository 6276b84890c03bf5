"""Lead the compilers astray, and forge results from compiled code; answers to a12_cython_loop."""

# ruff: noqa: F821

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
    "declares_by_a_text": ('x = cython.declare("void *")', "cython.declare"),
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
        "class Engine(plain_loop.Engine):\n    def run_backward(self, *arguments):\n        pass",
        "may not replace Engine",
    ),
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


def overflows_the_stack():
    def down(k):
        return down(k + 1) + 1

    module("sys").setrecursionlimit(10**9)
    down(0)


def loops_without_end():
    k: cython.Py_ssize_t = 0
    while k < 10:
        k = (k + 1) % 10


def takes_memory_without_end():
    blocks: list = []
    while True:
        blocks.append(bytearray(1 << 26))
