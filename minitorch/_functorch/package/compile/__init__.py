"""``functorch.compile``: placeholders for functions that are not implemented."""

from minitorch._functorch import aot_autograd, compilers, config, fx_minifier, partitioners
from minitorch._functorch.python_key import pythonkey_decompose

for _module in (aot_autograd, compilers, fx_minifier, partitioners):
    globals().update(
        {name: f for name, f in vars(_module).items() if callable(f) and name != "names"}
    )

__all__ = ["config", "pythonkey_decompose"]
