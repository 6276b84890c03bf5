"""Every name that a program can import from PyTorch and from minitorch, in a list that a test protects.

    python -m tests.names            # what differs from the list
    python -m tests.names --write    # write the list anew (needs PyTorch)

The list, `names.txt`, has a line for each module of PyTorch's that minitorch has too, and below it a line for each name
in it that PyTorch's module has as well: the name, where it says to come from (``__module__`` and ``__qualname__``, by
which a pickle finds it) unless that is the module itself, and its signature. Other names are our own and may change.
"""

import argparse
import enum
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
import types
import warnings
from pathlib import Path

from minitorch.core.module_table import MODULES

LIST = Path(__file__).with_name("names.txt")
ROOT = "minitorch"


def modules(package):
    """The names of all modules of a package that can be imported, without its own name in front."""
    found = [""]
    root = importlib.import_module(package)
    for info in pkgutil.walk_packages(root.__path__, package + ".", onerror=lambda name: None):
        if not info.name.endswith("__main__"):
            found.append(info.name[len(package) :])
    if package == ROOT:
        found += (name[len(package) :] for name in MODULES)
    return found


def imported(name):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except Exception:  # what cannot be imported here (an optional package, a platform) has no names
        return None


def description(module, name, known):
    """What the list says of one name of a module; `known` are the modules of the list."""
    value = getattr(module, name)
    parts = []
    home = getattr(value, "__module__", None)
    own = getattr(value, "__qualname__", None)
    if not callable(value) or not isinstance(home, str) or not isinstance(own, str):
        return type(value).__name__
    foreign = home != ROOT and not home.startswith(ROOT + ".")
    if (home, own) != (module.__name__, name) and (foreign or home in known):
        parts.append(f"{home}:{own}")
    ours = home.partition(".")[0] in ("torch", ROOT)
    try:
        # signatures of other libraries and of enumerations differ between their versions
        if ours and not isinstance(value, enum.EnumType):
            parts.append(_plain(inspect.signature(value)))
    except (ValueError, TypeError):
        parts.append("no signature")
    return " ".join(parts)


def _plain(signature):
    """A signature without its annotations and without defaults that print an address."""
    parameters = []
    for parameter in signature.parameters.values():
        default = parameter.default
        if default is not parameter.empty and " at 0x" in repr(default):
            default = types.SimpleNamespace()
        parameters.append(parameter.replace(annotation=parameter.empty, default=default))
    text = str(signature.replace(parameters=parameters, return_annotation=signature.empty))
    return re.sub(r"<module (.[\w.]+.)[^>]*>", r"<module \1>", text)


def names_of(module_name, wanted, known):
    """A dictionary from names to descriptions; `wanted` are the names to describe."""
    module = imported(module_name)
    if module is None:
        return None
    return {n: description(module, n, known) for n in sorted(wanted) if _is_listed(module, n)}


def _is_listed(module, name):
    if name.startswith("__"):
        return False
    try:
        value = getattr(module, name)
    except (AttributeError, ImportError):  # some need PyTorch's own testing modules
        return False
    return not isinstance(value, types.ModuleType)  # these are there once they have been imported


def read():
    """The list: a dictionary of modules, each a dictionary from names to descriptions."""
    there, module = {}, None
    for line in LIST.read_text().splitlines():
        if line.startswith("  "):
            name, _, text = line.strip().partition(" ")
            there[module][name] = text
        else:
            module = line
            there[module] = {}
    return there


def write():
    theirs = {name: imported("torch" + name) for name in modules(ROOT)}
    known = {ROOT + name for name, module in theirs.items() if module is not None}
    lines = []
    for module in sorted(known):
        names = names_of(module, dir(theirs[module[len(ROOT) :]]), known)
        if names is not None:
            lines.append(module)
            lines += [f"  {name} {text}" for name, text in names.items()]
    LIST.write_text("\n".join(lines) + "\n")


def _is_missing(text):
    """Return whether a name belongs to an optional package, such as tqdm, that is not installed."""
    package = re.match(r"(\w+)\.[\w.]*:", text)
    if package is None or package[1] in ("torch", ROOT):
        return False
    return importlib.util.find_spec(package[1]) is None


def differences():
    """Lines that say what the list has and the package has not, or otherwise."""
    found = []
    listed = read()
    for module, names in listed.items():
        here = names_of(module, names, set(listed))
        if here is None:
            found.append(f"{module}: cannot be imported")
            continue
        for name, text in names.items():
            if _is_missing(text):
                continue
            if name not in here:
                found.append(f"{module}.{name}: missing")
            elif here[name] != text:
                found.append(f"{module}.{name}: {text} became {here[name]}")
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        write()
    else:
        lines = differences()
        print(*lines, sep="\n", end="\n" if lines else "")
        sys.exit(bool(lines))
