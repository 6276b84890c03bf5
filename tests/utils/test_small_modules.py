"""Modules of `utils` that are small: stacks in short, weak references by hash, decorators."""

import traceback
from importlib import import_module

import pytest

from tests.both import compare


def module(torch, name):
    return import_module(f"{torch.__name__}.{name}")


def test_a_function_compiled_from_a_string_shows_its_lines():
    def program(torch):
        names = {"__compile_source__": "def half(x):\n    return x / 0"}
        exec(names["__compile_source__"], names)
        with pytest.raises(ZeroDivisionError) as caught:
            with module(torch, "utils._traceback").report_compile_source_on_error():
                names["half"](1)
        entry = traceback.extract_tb(caught.value.__traceback__)[-1]
        return entry.line, entry.name, entry.lineno

    compare(program)


def test_a_stack_is_captured():
    def program(torch):
        tools = module(torch, "utils._traceback")

        def here(skip=0):
            return tools.CapturedTraceback.extract(skip=skip)

        short = tools.format_frame(here().summary()[-1], base="/").rpartition(" in ")[2]
        return here().summary()[-1].name, here(skip=1).summary()[-1].name, short

    compare(program)


def test_references_are_equal_by_hash():
    def program(torch):
        ref = module(torch, "utils.weak")._WeakHashRef
        one, same, other = frozenset({1}), frozenset([1]), frozenset({2})
        return ref(one) == ref(same), ref(one) == ref(other), hash(ref(one)) == hash(one)

    compare(program)


def test_a_context_decorates_a_function():
    def program(torch):
        decorate = module(torch, "utils._contextlib").context_decorator
        recorded = decorate(lambda: torch.no_grad(), lambda: torch.is_grad_enabled())()
        on_device = module(torch, "utils._device").set_device("cpu")(lambda: torch.ones(2))()
        with pytest.raises(RuntimeError, match="Cannot decorate classes"):
            decorate(lambda: torch.no_grad(), type("Box", (), {}))
        return recorded, on_device

    compare(program)


def test_versions_are_compared():
    def program(torch):
        check = module(torch, "serialization").check_module_version_greater_or_equal
        lib = type("lib", (), {"__version__": "1.2.x"})
        results = [check(lib, (1, 1)), check(lib, (1, 3)), check(lib, (1, 2, "a"))]
        with pytest.warns(UserWarning, match="continuing assuming"):
            results.append(check(lib, (1, 2, 3), error_if_malformed=False))
        with pytest.raises(RuntimeError) as caught:
            check(lib, (1, 2, 3))
        return results, str(caught.value)

    compare(program)


def test_a_module_is_imported_if_it_is_there():
    def program(torch):
        try_import = module(torch, "_utils").try_import
        return try_import("colorsys").__name__, try_import("no_module_of_this_name")

    compare(program)


def test_a_checkpoint_inside_of_a_transform_is_refused_for_its_hooks():
    def program(torch):
        checkpoint = module(torch, "utils.checkpoint").checkpoint
        return torch.func.grad(lambda x: checkpoint(torch.sin, x, use_reentrant=False))(
            torch.ones(())
        )

    compare(program)
