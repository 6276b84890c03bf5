"""Who may import whom, and what may stand in the repository."""

import ast
import re
import shutil
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# The layers, from the bottom to the top: a file may import and cimport from its own layer and from
# those above its line here. A file belongs to the layer with the longest pattern that matches it.
LAYERS = [
    ("element types", ["minitorch/core/dtype.*"]),
    ("memory", ["minitorch/core/allocator.*", "minitorch/core/memory_log.*"]),
    ("what is found while memory is freed", ["minitorch/core/address_table.*"]),
    ("storage", ["minitorch/core/storage.*"]),
    ("warnings given once", ["minitorch/core/once.py"]),
    ("the tensor's data", ["minitorch/core/tensor_impl.*"]),
    ("the rest of the core", ["minitorch/core/*"]),
    ("the argument parser", ["minitorch/parsing/*"]),
    ("kernels", ["minitorch/kernels/*"]),
    ("forward operators", ["minitorch/ops/*"]),
    ("grad mode", ["minitorch/autograd/grad_mode.p[yx]*"]),
    (
        "nodes, handles, sinks",
        [
            "minitorch/autograd/*.pyx",
            "minitorch/autograd/*.pxd",
            "minitorch/autograd/graph_api/gc_tracking.py",
        ],
    ),
    ("typed nodes and recording wrappers", ["minitorch/autograd/functions/*"]),
    (
        "engine",
        [
            "minitorch/autograd/engine*.p[yx]*",
            "minitorch/autograd/graph_task.p[yx]*",
            "minitorch/autograd/exec_info.p[yx]*",
            "minitorch/autograd/current_task.p[yx]*",
            "minitorch/autograd/roots.p[yx]*",
        ],
    ),
    ("autograd's Python", ["minitorch/autograd/*.py", "minitorch/_vmap_internals.p*"]),
    (
        "class Tensor and operators composed in Python",
        ["minitorch/_*.py", "minitorch/composed/*", "minitorch/namespace/*", "minitorch/tensors/*"],
    ),
    (
        "what is written with tensors",
        [
            "minitorch/*",
            "minitorch/_utils.py",
            "minitorch/__config__.py",
            "minitorch/__future__.py",
            "minitorch/_VF.py",
            "minitorch/_C/_nn.py",
            "minitorch/_files/*",
            "minitorch/_dispatch/*",
            "minitorch/_functorch/*",
            "minitorch/_ops.py",
            "minitorch/_C/_functorch.py",
            "minitorch/_weights_only_unpickler.py",
        ],
    ),
    ("the public namespace", ["minitorch/__init__.py"]),
    (
        "compatibility",
        [
            "minitorch/compat/*",
            # modules of the same kind whose names lie inside of packages of the library
            "minitorch/_functorch/package/*",
            "minitorch/_functorch/python_key.py",
            "minitorch/utils/model_zoo.py",
        ],
    ),
    ("PyTorch 0.2's autograd", ["minitorch/legacy/*"]),
    (
        "commands",
        ["minitorch/commands/*", "minitorch/__main__.py"],
    ),
]

# Arrows that run downwards and are forbidden nevertheless.
FORBIDDEN = [
    ("minitorch/kernels/*", "minitorch/core/storage.*", "kernels know no tensor"),
    ("minitorch/kernels/*", "minitorch/core/tensor_impl.*", "kernels know no tensor"),
    ("minitorch/kernels/*", "minitorch/core/iterator.*", "kernels know no tensor"),
    ("minitorch/autograd/engine*", "minitorch/ops/*", "the engine knows no operator"),
    (
        "minitorch/autograd/engine*",
        "minitorch/autograd/functions/*",
        "the engine knows no operator",
    ),
    ("minitorch/autograd/graph_task*", "minitorch/ops/*", "the engine knows no operator"),
    ("minitorch/autograd/exec_info*", "minitorch/ops/*", "the engine knows no operator"),
    ("minitorch/autograd/roots*", "minitorch/ops/*", "the engine knows no operator"),
    ("minitorch/_dispatch/*", "minitorch/_functorch/*", "transforms stand above the dispatch"),
]

SUFFIXES = (".py", ".pyx", ".pxd")


def layer_of(path):
    """The index of a file's layer."""
    matches = [
        (len(pattern), index)
        for index, (_, patterns) in enumerate(LAYERS)
        for pattern in patterns
        if fnmatchcase(path, pattern)
    ]
    return max(matches)[1]


def sources(root):
    return sorted(
        path.relative_to(root).as_posix()
        for path in (root / "minitorch").rglob("*")
        if path.suffix in SUFFIXES
    )


def imports_of_python(text, package):
    """``(module, name or None)`` of every import, those inside functions too."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, None
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield absolute(node.level, node.module or "", package), alias.name


def imports_of_cython(text, package):
    """The same of a ``.pyx`` or ``.pxd`` file, and its cimports."""
    text = re.sub(r'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'', "''", text, flags=re.DOTALL)
    text = re.sub(r"#.*", "", text)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"\(([^()]*)\)", lambda match: match.group(1).replace("\n", " "), text)
    for line in re.split(r"[\n;]", text):
        if match := re.match(r"\s*from\s+(\.*)([\w.]*)\s+c?import\s+(.+)", line):
            dots, module, names = match.groups()
            for name in names.split(","):
                if name.strip():
                    yield absolute(len(dots), module, package), name.split()[0]
        elif match := re.match(r"\s*c?import\s+(.+)", line):
            for name in match.group(1).split(","):
                yield name.split()[0], None


def absolute(level, module, package):
    if level == 0:
        return module
    parts = package.split(".")
    parts = parts[: len(parts) - (level - 1)]
    return ".".join([*parts, module] if module else parts)


def target_of(root, module, name):
    """The file that an import of minitorch leads to, or None if it leads elsewhere."""
    if module.split(".")[0] != "minitorch":
        return None
    path = module.replace(".", "/")
    candidates = [f"{path}/{name}", path] if name else [path]
    # `minitorch.fx` is minitorch/compat/fx: see minitorch/__init__.py
    candidates += [c.replace("minitorch/", "minitorch/compat/", 1) for c in candidates if "/" in c]
    for candidate in candidates:
        for file in (f"{candidate}.pyx", f"{candidate}.py", f"{candidate}.pxd"):
            if (root / file).exists():
                return file
        if (root / candidate / "__init__.py").exists():
            return f"{candidate}/__init__.py"
    return f"{path}.pyx"  # generated when the package is built


def arrows(root):
    """``(file, what it imports)`` for every import of one file of the package by another."""
    for path in sources(root):
        text = (root / path).read_text(encoding="utf-8")
        package = ".".join(Path(path).parent.parts)
        read = imports_of_python if path.endswith(".py") else imports_of_cython
        for module, name in read(text, package):
            target = target_of(root, module, name)
            if target is not None:
                yield path, target


def wrong_arrows(root):
    found = set()
    for path, target in arrows(root):
        source, goal = layer_of(path), layer_of(target)
        if goal > source:
            found.add(f"{path} ({LAYERS[source][0]}) -> {target} ({LAYERS[goal][0]})")
        for above, below, reason in FORBIDDEN:
            if fnmatchcase(path, above) and fnmatchcase(target, below):
                found.add(f"{path} -> {target}: {reason}")
    return sorted(found)


def test_no_import_or_cimport_runs_upwards():
    assert wrong_arrows(ROOT) == []


def test_the_dispatch_is_listed_from_the_bottom_to_the_top():
    folder = ROOT / "minitorch" / "_dispatch"
    listed = re.findall(r"^(\w+\.pyx?) ", (folder / "__init__.py").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(
        p.name for p in folder.iterdir() if re.fullmatch(r"[a-z]\w*\.pyx?", p.name)
    )
    arrows_up = [
        f"{path} -> {target}"
        for path, target in arrows(ROOT)
        if {str(Path(path).parent), str(Path(target).parent)} == {"minitorch/_dispatch"}
        and "__init__.py" not in (Path(path).name, Path(target).name)
        and listed.index(Path(target).name) >= listed.index(Path(path).name)
    ]
    assert arrows_up == []


def test_every_layer_with_a_file_of_its_own_is_reached():
    # a pattern that matches nothing would guard nothing
    reached = {LAYERS[layer_of(path)][0] for path in sources(ROOT)}
    assert {title for title, _ in LAYERS} - reached == set()


@pytest.mark.parametrize(
    "path, line, target",
    [
        ("minitorch/core/a.py", "import minitorch", "minitorch/__init__.py"),
        (
            "minitorch/core/a.py",
            "def f():\n    from minitorch import nn",
            "minitorch/nn/__init__.py",
        ),
        ("minitorch/kernels/a.pyx", "from minitorch.ops cimport b", "minitorch/ops/b.pyx"),
        ("minitorch/kernels/a.pyx", "cimport numpy, minitorch.ops.b as b", "minitorch/ops/b.pyx"),
        (
            "minitorch/kernels/a.pxd",
            "from ..ops.b cimport (\n    c,\n    d)",
            "minitorch/ops/b.pyx",
        ),
        ("minitorch/kernels/a.pyx", "from minitorch.core.tensor_impl cimport T", "minitorch/core/"),
        ("minitorch/autograd/engine.pyx", "from minitorch.ops.b cimport f", "minitorch/ops/b.pyx"),
        ("minitorch/nn/a.py", "from minitorch import Tensor", "minitorch/__init__.py"),
    ],
)
def test_an_arrow_that_runs_upwards_is_found(tmp_path, path, line, target):
    for file in (path, "minitorch/__init__.py", "minitorch/nn/__init__.py", "minitorch/ops/b.pyx"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    (tmp_path / path).write_text(line + "\n")
    (found,) = wrong_arrows(tmp_path)
    assert path in found
    assert target in found


@pytest.mark.parametrize(
    "path, text",
    [
        ("minitorch/ops/a.pyx", '"""Says what to do:\nimport minitorch\n"""\n'),
        ("minitorch/ops/a.pyx", "x = 1  # from minitorch.nn import y\n"),
        ("minitorch/ops/a.pyx", "from minitorch.kernels.b cimport f\ncimport numpy\n"),
        ("minitorch/nn/a.py", "from . import functional\nimport numpy\n"),
        ("minitorch/ops/a.pxd", 'cdef extern from "minitorch/nn.h":\n    pass\n'),
    ],
)
def test_what_is_no_upward_arrow_is_not_found(tmp_path, path, text):
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text)
    assert wrong_arrows(tmp_path) == []


def test_nothing_in_the_package_imports_pytorch():
    importers = []
    for path in sources(ROOT):
        text = (ROOT / path).read_text(encoding="utf-8")
        read = imports_of_python if path.endswith(".py") else imports_of_cython
        package = ".".join(Path(path).parent.parts)
        importers += [path for module, _ in read(text, package) if module.split(".")[0] == "torch"]
    assert importers == []


# -- what is committed ---------------------------------------------------------------------------

GENERATED_SUFFIXES = (".c", ".cpp", ".so", ".o", ".html", ".pyc", ".whl", ".png", ".egg-info")
# a path of somebody's machine, at the start of a word; the interpreter line of a script is none
ABSOLUTE_PATH = re.compile(
    r"(?<![\w.\-/:}>])(?:/(?:home|root|Users|tmp|work|opt|usr|var|mnt|private)/\w|[A-Z]:\\\w)"
)


@pytest.fixture(scope="module")
def committed():
    """The committed files that are still there."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("what is committed can only be seen in a git checkout")
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def test_no_generated_file_is_committed(committed):
    generated = [name for name in committed if name.endswith(GENERATED_SUFFIXES)]
    for name in committed:
        if b"Generated by Cython" in (ROOT / name).read_bytes()[:100]:
            generated.append(name)
    assert generated == []


def test_no_binary_file_is_committed(committed):
    assert [name for name in committed if b"\0" in (ROOT / name).read_bytes()] == []


def test_no_ignored_file_is_committed(committed):
    ignored = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--ignored", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert ignored.split("\0")[:-1] == []


def test_no_absolute_path_is_committed(committed):
    found = []
    for name in committed:
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            if ABSOLUTE_PATH.search(line) and not (number == 1 and line.startswith("#!")):
                found.append(f"{name}:{number}: {line.strip()}")
    assert found == []


def reading_path():
    """``(file, budget)`` of each row of the table in ARCHITECTURE.md, and the limit of their sum."""
    text = (ROOT / "ARCHITECTURE.md").read_text().split("## Reading path")[1].split("\n## ")[0]
    limit = int(re.search(r"may not exceed\s+(\d+) lines", text)[1])
    return re.findall(r"^\| `([\w/.]+)` \| (\d+) \|", text, re.M), limit


def test_files_of_the_reading_path_stay_within_their_budgets():
    rows, limit = reading_path()
    assert len(rows) > 20
    for name, budget in rows:
        names = [name] if name.endswith(".py") else [name + ".pyx", name + ".pxd"]
        paths = [ROOT / "minitorch" / each for each in names]
        lines = sum(len(path.read_text().splitlines()) for path in paths if path.exists())
        assert 0 < lines <= int(budget), f"{name} has {lines} lines"
    assert sum(int(budget) for _, budget in rows) <= limit


def test_the_wrapper_that_is_shown_is_the_one_that_is_generated():
    (shown,) = re.findall(
        r"```cython\n(cdef TensorBase r_mul\(.*?)\n```", (ROOT / "ARCHITECTURE.md").read_text(), re.S
    )
    functions = ROOT / "minitorch" / "autograd" / "functions" / "generated"
    assert shown in (functions / "wrappers_elementwise.pyx").read_text()
