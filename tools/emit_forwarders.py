"""Write `minitorch-stubs`, by which type checkers find the modules of `minitorch/compat/`.

At run time `minitorch.fx` is `minitorch/compat/fx`, because that folder is on ``minitorch.__path__``, which mypy and
pyright do not evaluate. `minitorch-stubs` is a partial stub package (PEP 561). For each module in `minitorch/compat/`
it has a forwarder, a file that exports the names of that module. It also has copies of the stubs in `minitorch/`,
because pyright does not look for a stub there once it has found the package. For modules without a stub, both
checkers go on to the sources in `minitorch/`.
"""

import ast
from pathlib import Path

STUBS = "minitorch-stubs"


def bound_names(source: str) -> list[str]:
    """Return the names that a module binds by definitions, assignments and imports at its top level."""
    found: dict[str, None] = {}
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[node.name] = None
        elif isinstance(node, ast.ImportFrom):
            found.update((alias.asname or alias.name, None) for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update((alias.asname, None) for alias in node.names if alias.asname)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in (each for target in targets for each in ast.walk(target)):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                    found[name.id] = None
    return [name for name in found if name != "*" and not name.startswith("__")]


def forwarders(root: Path) -> dict[Path, str]:
    """Return the text of each file of the stub package, by its path below the package."""
    library = root / "minitorch"
    compat = library / "compat"
    files = {Path("py.typed"): "partial\n"}
    for path in sorted(library.rglob("*.pyi")):
        files[path.relative_to(library)] = path.read_text(encoding="utf-8")
    for path in sorted(compat.rglob("*.py")):
        place = path.relative_to(compat)
        parts = place.parts[:-1] if place.name == "__init__.py" else place.with_suffix("").parts
        module = ".".join(("minitorch", "compat", *parts))
        text = f"from {module} import *\n"
        names = bound_names(path.read_text(encoding="utf-8"))
        if names:
            text += f"from {module} import (\n"
            text += "".join(f"    {name} as {name},\n" for name in names) + ")\n"
        files[place.with_suffix(".pyi")] = text
    return files


def write_forwarders(root: Path) -> None:
    """Write the stub package beside `minitorch`, and remove the files of modules that are gone."""
    package = root / STUBS
    files = forwarders(root)
    for path in [*package.rglob("*.pyi")]:
        if path.relative_to(package) not in files:
            path.unlink()
    for place, text in files.items():
        path = package / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
