"""Delegate to the library's own engine; these are answers to a07_engine."""

# ruff: noqa: F821


def uses_the_compiled_class():
    global Engine
    from minitorch.autograd.engine import Engine


def uses_the_engine_of_another_variable():
    global Engine
    Engine = lambda: type(torch.autograd.Variable._execution_engine)()  # noqa: E731


def restores_the_engine_it_finds():
    import gc

    global Engine

    class Engine:
        def run_backward(self, *arguments, **keywords):
            for thing in gc.get_objects():
                if hasattr(type(thing), "run_backward") and type(thing) is not Engine:
                    return type(thing).run_backward(thing, *arguments, **keywords)


def calls_the_descriptor_it_finds():
    import gc

    global Engine

    class Engine:
        def run_backward(self, *arguments, **keywords):
            for thing in gc.get_objects():
                if getattr(thing, "__name__", "") == "run_backward" and callable(thing):
                    return thing(self, *arguments, **keywords)


def imports_the_compiled_module_afresh():
    import importlib
    import sys

    global Engine
    for name in [n for n in sys.modules if n.startswith("minitorch.autograd")]:
        del sys.modules[name]
    Engine = importlib.import_module("minitorch.autograd.engine").Engine


def loads_the_compiled_file():
    import importlib.machinery
    import importlib.util
    import sys

    global Engine
    path = sys.modules["minitorch.autograd.engine"].__file__
    loader = importlib.machinery.ExtensionFileLoader("minitorch.autograd.engine", path)
    spec = importlib.util.spec_from_loader("minitorch.autograd.engine", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    Engine = module.Engine


def replaces_the_nodes_and_the_loop():
    global Engine

    class Engine:
        def run_backward(self, tensors, grad_tensors, *rest, **keywords):
            return torch.func.vjp(lambda *x: tensors[0], *tensors)[1](grad_tensors[0])


def calls_backward_from_its_backward():
    global Engine

    class Engine:
        def run_backward(self, tensors, grad_tensors, *rest, **keywords):
            return torch.autograd.backward(tensors, grad_tensors)
