"""What the tests of modules' hooks share."""

import pytest

from tests.both import real


def module_file(torch):
    return torch.nn.modules.module


@pytest.fixture(autouse=True)
def no_global_hooks():
    """Which kind of global backward hooks there is stays for good, unless it is taken back."""
    from minitorch.nn.modules._hooks import everywhere

    yield
    for name, table in vars(module_file(real)).items():
        if name.startswith("_global_") and isinstance(table, dict):
            table.clear()
    for table in vars(everywhere).values():
        if isinstance(table, dict):
            table.clear()
    module_file(real)._global_is_full_backward_hook = None
    everywhere.is_full = None


def calling(torch, function, *submodules):
    """A module that computes ``function(*args, **kwargs)``."""

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for k, submodule in enumerate(submodules):
                self.add_module(str(k), submodule)

        def forward(self, *args, **kwargs):
            return function(*args, **kwargs)

    return Module()


def vector(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)
