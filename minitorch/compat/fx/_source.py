"""Functions compiled from generated source, and graph modules as files and pickles."""

import importlib
import linecache
import traceback
import warnings
from pathlib import Path

from minitorch import nn
from minitorch.fx import _names
from minitorch.fx.proxy import _is_ours
from minitorch.nn import Module
from minitorch.nn.modules.module import _addindent

_MODULES_THAT_ARE_THEIR_REPR = (
    nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d,
)  # fmt: skip


class _EvalCacheLoader:
    """Stores generated sources so that `linecache` and tracebacks can show them."""

    def __init__(self):
        self.eval_cache = {}
        self.next_id = 0

    def cache(self, src, globals, co_fields=None):
        """Store a source and return its file name.

        Parameters
        ----------
        src : str
        globals : dict
        co_fields : dict, optional
            Code attributes of the traced function, which go into the file name.
        """
        key = f"<eval_with_key>.{self.next_id}"
        self.next_id += 1
        if co_fields and {"co_firstlineno", "co_name"} <= set(co_fields):
            where = f"{co_fields['co_filename']}:{co_fields['co_firstlineno']}"
            key += f" from {where} in {co_fields['co_name']}"
        elif co_fields and "co_filename" in co_fields:
            key = co_fields["co_filename"]
        self.eval_cache[key] = src
        names = {**globals, "__file__": key, "__name__": key, "__loader__": self}
        linecache.lazycache(key, names)
        return key

    def get_source(self, module_name):
        """Return the source with this name, or None."""
        return self.eval_cache.get(module_name)


_loader = _EvalCacheLoader()


def _exec_with_source(src, globals, co_fields=None):
    key = _loader.cache(src, globals, co_fields)
    exec(compile(src, key, "exec", dont_inherit=True), globals)


def _method_from_src(method_name, src, globals, co_fields=None):
    """Compile the source and return the function of this name."""
    names = globals.copy()
    _exec_with_source(src, names, co_fields)
    return names.pop(method_name)


# ---- pickles


def _import_statement(name, obj):
    builtin = _names.custom_builtins()
    if name in builtin:
        return builtin[name].import_str
    module, attribute = obj.__module__, getattr(obj, "__qualname__", obj.__name__)
    found = importlib.import_module(module)
    for part in attribute.split("."):
        found = getattr(found, part, None)
    if found is not obj:
        raise ValueError(f"minitorch cannot pickle {obj!r}: it is not {module}.{attribute}")
    if "." not in attribute:
        return f"from {module} import {attribute} as {name}"
    head, _, rest = attribute.partition(".")
    return f"from {module} import {head} as {name}\n{name} = {name}.{rest}"


def import_block(globals):
    """Return the import statements that define the globals of a source."""
    lines = {_import_statement(name, obj) for name, obj in globals.items()}
    return "\n".join(sorted(lines))


# ---- folders


def _line_of_child(folder, name, module):
    """Return the line that recreates a child, and whether the child was saved to a file."""
    if type(module) in _MODULES_THAT_ARE_THEIR_REPR:
        return f"setattr(self, '{name}', {module!r})", False
    file = folder / f"{name}.pt"
    _names.package().save(module, file)
    text = repr(module).replace("\r", " ").replace("\n", " ")
    load = f"torch.load(r'{file}', weights_only=False)"
    return f"setattr(self, '{name}', {load}) # {text}", True


def write_folder(module, folder, module_name):
    """Write a graph module as a package whose class recreates it."""
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    _names.package().save(module.state_dict(), folder / "state_dict.pt")
    lines, in_files = [], []
    for name, child in module.named_children():
        line, in_file = _line_of_child(folder, name, child)
        lines.append(line)
        if in_file:
            in_files.append(name)
    for name, buffer in module._buffers.items():
        if buffer is not None:
            empty = f"torch.empty({list(buffer.shape)}, dtype={buffer.dtype})"
            lines.append(f"self.register_buffer('{name}', {empty})")
    for name, parameter in module._parameters.items():
        if parameter is not None:
            empty = f"torch.empty({list(parameter.shape)}, dtype={parameter.dtype})"
            lines.append(f"setattr(self, '{name}', torch.nn.Parameter({empty}))")
    lines.append(f"self.load_state_dict(torch.load(r'{folder}/state_dict.pt'))")
    (folder / "module.py").write_text(_module_text(module, module_name, lines))
    (folder / "__init__.py").write_text("from .module import *")
    if in_files:
        warnings.warn(
            "Was not able to save the following children modules as reprs -saved as pickled files "
            f"instead: {in_files}",
            stacklevel=3,
        )


def _module_text(module, module_name, lines):
    imports = [entry.import_str for entry in _names.custom_builtins().values()]
    package = _names.package().__name__
    body = "\n".join(f"        {line}" for line in lines)
    code = _addindent(module.code, 4)
    return (
        "\n".join([*imports, f"from {package}.nn import *"])
        + f"\n\n\nclass {module_name}(torch.nn.Module):\n"
        + f"    def __init__(self):\n        super().__init__()\n{body}\n{code}\n"
    )


# ---- errors


def innermost_frame(error):
    """Return the innermost frame of an error outside this package, or None."""
    frames = traceback.extract_tb(error.__traceback__)
    written = [frame for frame in frames if not _is_ours(frame.filename)]
    return written[-1] if written else None


def error_in_source(frame, formatted):
    """Return an error message with the failing line of the generated source and its context."""
    lines = linecache.getlines(frame.filename)
    number = frame.lineno
    return "\n".join(
        [
            formatted,
            f"Call using an FX-traced Module, line {number} of the traced Module's generated "
            "forward function:",
            "".join(lines[number - 2 : number]),
            f"{'~' * len(frame.line)}~~~ <--- HERE",
            "\n".join(lines[number : number + 2]),
        ]
    )


class CodeOnlyModule(Module):
    """Module with the attributes of a pickled graph module."""

    def __init__(self, body):
        super().__init__()
        self.__dict__ = body
