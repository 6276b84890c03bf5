"""Who may import whom, and what may stand in the repository."""

import ast
import functools
import re
import shutil
import subprocess
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# The layers, from the bottom to the top: a file may import and cimport from its own layer and from
# those above its line here. A file belongs to the layer with the longest pattern that matches it.
LAYERS = [
    ("element types", ["minitorch/core/dtype.*", "minitorch/core/dtype_names.py"]),
    ("memory", ["minitorch/core/allocator.*", "minitorch/core/memory_log.*"]),
    ("what is found while memory is freed", ["minitorch/core/address_table.*"]),
    ("subclasses in Python", ["minitorch/core/python_classes.*"]),
    ("storage", ["minitorch/core/storage.*"]),
    ("warnings given once", ["minitorch/core/once.py"]),
    ("the tensor's data", ["minitorch/core/tensor_impl.*"]),
    ("the rest of the core", ["minitorch/core/*"]),
    ("the argument parser", ["minitorch/parsing/*"]),
    ("what all loops use", ["minitorch/kernels/__init__.py", "minitorch/kernels/common/*"]),
    ("elementwise loops", ["minitorch/kernels/elementwise/*"]),
    ("loops that fill memory", ["minitorch/kernels/creation/*"]),
    ("loops that rearrange elements", ["minitorch/kernels/shape/*"]),
    ("loops with indices", ["minitorch/kernels/indexing/*"]),
    ("reductions", ["minitorch/kernels/reduction/*"]),
    ("loops that sort", ["minitorch/kernels/sorting/*"]),
    ("loops of linear algebra", ["minitorch/kernels/linalg/*"]),
    ("loops that draw random numbers", ["minitorch/kernels/random/*"]),
    ("loops of layers", ["minitorch/kernels/nn/*"]),
    ("what all operators use", ["minitorch/ops/__init__.py", "minitorch/ops/common/*"]),
    ("operators that make tensors", ["minitorch/ops/creation/*"]),
    ("operators that change shapes", ["minitorch/ops/shape/*"]),
    ("elementwise operators", ["minitorch/ops/elementwise/*"]),
    ("operators with indices", ["minitorch/ops/indexing/*"]),
    ("operators that reduce", ["minitorch/ops/reduction/*"]),
    ("operators that sort", ["minitorch/ops/sorting/*"]),
    ("operators of linear algebra", ["minitorch/ops/linalg/*"]),
    ("operators that draw random numbers", ["minitorch/ops/random/*"]),
    ("operators of layers", ["minitorch/ops/nn/*"]),
    ("calls upwards", ["minitorch/autograd/upward_calls.*"]),
    ("grad mode", ["minitorch/autograd/grad_mode.p[yx]*"]),
    (
        "nodes, handles, sinks",
        [
            "minitorch/autograd/*.pyx",
            "minitorch/autograd/*.pxd",
            "minitorch/autograd/gradient_edge.py",
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
    ("autograd's Python", ["minitorch/autograd/*.py"]),
    ("printing", ["minitorch/_tensor_str.py"]),
    (
        "class Tensor and operators composed in Python",
        [
            "minitorch/_tensor.py",
            "minitorch/_sparse/*",
            "minitorch/composed/*",
            "minitorch/tensors/*",
        ],
    ),
    ("autocasting", ["minitorch/amp/*"]),
    ("settings of libraries", ["minitorch/backends/*"]),
    (
        "linear algebra and special functions",
        [
            "minitorch/linalg/*",
            "minitorch/special/*",
        ],
    ),
    ("names", ["minitorch/namespace/*"]),
    ("sparse tensors", ["minitorch/sparse/*"]),
    (
        "what modules use",
        [
            "minitorch/__future__.py",
            "minitorch/utils/_version_numbers.py",
            "minitorch/utils/_enum_json.py",
            "minitorch/utils/_foreach_utils.py",
            "minitorch/utils/_futures.py",
            "minitorch/utils/_pytree*.py",
            "minitorch/utils/_swap.py",
            "minitorch/utils/_treespec_json.py",
            "minitorch/utils/hooks.py",
            "minitorch/utils/serialization/*",
        ],
    ),
    ("processes", ["minitorch/distributed/*"]),
    (
        "layers and modules",
        [
            "minitorch/nn/*",
            "minitorch/_VF.py",
            "minitorch/fft/*",
            "minitorch/functional.py",
        ],
    ),
    (
        "dispatch",
        [
            "minitorch/_dispatch/*",
            "minitorch/_ops.py",
            "minitorch/library.py",
            "minitorch/overrides.py",
            "minitorch/random.py",
        ],
    ),
    (
        "layers on several devices or processes",
        [
            "minitorch/_utils.py",
            "minitorch/nn/modules/synchronized_batch_norm.py",
            "minitorch/nn/parallel/*",
            "minitorch/nn/utils/stateless.py",
        ],
    ),
    (
        "transforms",
        ["minitorch/_functorch/*", "minitorch/func/*", "minitorch/_C/_functorch.py"],
    ),
    (
        "layers written with transforms",
        [
            "minitorch/nn/__init__.py",
            "minitorch/nn/attention/*",
            "minitorch/nn/utils/__init__.py",
            "minitorch/nn/utils/_expanded_weights/*",
            "minitorch/nn/utils/_per_sample_grad.py",
        ],
    ),
    (
        "files",
        [
            "minitorch/_files/*",
            "minitorch/serialization.py",
            "minitorch/storage.py",
        ],
    ),
    ("optimizers", ["minitorch/optim/*"]),
    (
        "training on several processes",
        ["minitorch/distributed/checkpoint/*", "minitorch/distributed/optim/*"],
    ),
    ("distributions", ["minitorch/distributions/*"]),
    ("windows", ["minitorch/signal/*"]),
    ("PyTorch's compiled names", ["minitorch/_C/*"]),
    ("utilities", ["minitorch/utils/*"]),
    ("test helpers", ["minitorch/testing/*"]),
    ("the public namespace", ["minitorch/__init__.py"]),
    (
        "other devices, and names for several processes",
        [
            "minitorch/compat/cpu/*",
            "minitorch/compat/cuda/*",
            "minitorch/compat/distributed/*",
            "minitorch/compat/multiprocessing/*",
        ],
    ),
    (
        "symbolic tracing and fake tensors",
        ["minitorch/compat/fx/*", "minitorch/compat/_subclasses/*"],
    ),
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
    (
        "commands",
        ["minitorch/commands/*", "minitorch/__main__.py"],
    ),
]

# No folder is in a layer with more files, and the files of a layer can be read together.
LARGEST_LAYER = 150

# What a file does not reach, neither directly nor through other files.
UNREACHABLE = [
    ("minitorch/kernels/*", "minitorch/core/storage.*", "kernels know no tensor"),
    ("minitorch/kernels/*", "minitorch/core/tensor_impl.*", "kernels know no tensor"),
    ("minitorch/kernels/*", "minitorch/core/iterator.*", "kernels know no tensor"),
    *(
        (f"minitorch/autograd/{name}*", f"minitorch/{goal}", "the engine knows no operator")
        for name in ("engine", "graph_task", "exec_info", "roots", "accumulate_grad")
        for goal in ("ops/*", "kernels/*", "autograd/functions/*")
    ),
    *(
        (f"minitorch/autograd/{name}.*", f"minitorch/autograd/{goal}.*", "the engine knows no kind")
        for name in ("engine", "accumulate_grad")
        for goal in ("interpose", "levels", "python_dispatch", "torch_function", "forward_grad")
    ),
]

# The engine with everything that it imports, directly or through others, in modules
MODULES_OF_ENGINE = 45

SUFFIXES = (".py", ".pyx", ".pxd")


def layer_of(path):
    """The index of a file's layer."""
    matches = [
        (len(pattern), index)
        for index, (_, patterns) in enumerate(LAYERS)
        for pattern in patterns
        if fnmatchcase(path, pattern)
    ]
    assert matches, f"{path} has no layer"
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
    # `minitorch.fx` is minitorch/compat/fx: see minitorch/__init__.py and minitorch/distributed/__init__.py
    candidates += [c.replace("minitorch/", "minitorch/compat/", 1) for c in candidates if "/" in c]
    for candidate in candidates:
        for file in (f"{candidate}.pyx", f"{candidate}.py", f"{candidate}.pxd"):
            if (root / file).exists():
                return file
        if (root / candidate / "__init__.py").exists():
            return f"{candidate}/__init__.py"
    return f"{path}.pyx"  # generated when the package is built


@functools.cache
def arrows(root):
    """``(file, what it imports)`` for every import of one file of the package by another."""
    found = []
    for path in sources(root):
        text = (root / path).read_text(encoding="utf-8")
        package = ".".join(Path(path).parent.parts)
        read = imports_of_python if path.endswith(".py") else imports_of_cython
        for module, name in read(text, package):
            target = target_of(root, module, name)
            if target is not None:
                found.append((path, target))
    return found


def reached_from(start, imports):
    """Everything that `start` imports, directly or through others."""
    found, waiting = set(), [start]
    while waiting:
        for path in imports.get(waiting.pop(), ()):
            if path not in found:
                found.add(path)
                waiting.append(path)
    return found


def imports_of_modules(root):
    """What each module imports; a .pyx file and its .pxd are one module, named without a suffix."""
    imports = {}
    for path, target in arrows(root):
        source, goal = (re.sub(r"\.(pyx|pxd|py)$", "", name) for name in (path, target))
        if source != goal:
            imports.setdefault(source, set()).add(goal)
    return imports


def forbidden_paths(root):
    """The arrows that UNREACHABLE excludes; a .pyx file and its .pxd count as one module here."""
    imports, files = {}, {}
    for path, target in arrows(root):
        source, goal = (re.sub(r"\.(pyx|pxd)$", "", name) for name in (path, target))
        imports.setdefault(source, set()).add(goal)
        files[source], files[goal] = path, target
    for above, below, reason in UNREACHABLE:
        for source in imports:
            if fnmatchcase(files[source], above):
                for goal in reached_from(source, imports):
                    if fnmatchcase(files[goal], below):
                        yield f"{files[source]} -> {files[goal]}: {reason}"


def wrong_arrows(root):
    found = set()
    for path, target in arrows(root):
        source, goal = layer_of(path), layer_of(target)
        if goal > source:
            found.add(f"{path} ({LAYERS[source][0]}) -> {target} ({LAYERS[goal][0]})")
    found.update(forbidden_paths(root))
    return sorted(found)


def test_no_import_or_cimport_runs_upwards():
    # so none does so through other files either, and no cycle leads through two layers
    assert wrong_arrows(ROOT) == []


def test_the_engine_imports_few_modules():
    reached = reached_from("minitorch/autograd/engine", imports_of_modules(ROOT))
    assert len(reached) <= MODULES_OF_ENGINE, sorted(reached)


def test_no_layer_has_too_many_files():
    sizes = Counter(LAYERS[layer_of(path)][0] for path in sources(ROOT))
    assert {title: n for title, n in sizes.items() if n > LARGEST_LAYER} == {}


def folder_cycles(root, top):
    """The pairs of folders of `top` that import each other, directly or through others."""
    imports = {}
    for path, target in arrows(root):
        source, goal = Path(path).parent.as_posix(), Path(target).parent.as_posix()
        if source != goal and source.startswith(top) and goal.startswith(top):
            imports.setdefault(source, set()).add(goal)
    return sorted(folder for folder in imports if folder in reached_from(folder, imports))


def import_cycles(root):
    """The sets of modules that import each other, directly or through others, also in functions."""
    imports = imports_of_modules(root)
    reached = {module: reached_from(module, imports) for module in imports}
    return {
        frozenset(other for other in reached[module] if module in reached.get(other, ()))
        for module in imports
        if module in reached[module]
    }


def test_no_modules_import_each_other():
    assert [sorted(cycle) for cycle in import_cycles(ROOT)] == []


def test_a_cycle_through_an_import_inside_of_a_function_is_found(tmp_path):
    folder = tmp_path / "minitorch" / "nn"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("from minitorch.nn.b import f\n")
    (folder / "b.py").write_text("def f():\n    from minitorch.nn import c\n")
    (folder / "c.py").write_text("from minitorch.nn.a import f\n")
    (folder / "d.py").write_text("from minitorch.nn.a import f\n")
    assert import_cycles(tmp_path) == {frozenset(f"minitorch/nn/{name}" for name in "abc")}


# More entries than this in minitorch/ would be a list to search instead of one to read.
MOST_ENTRIES = 45


def every_file(root):
    """The files of the package without Python's caches."""
    return [
        path
        for path in (root / "minitorch").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]


def test_the_package_has_few_entries():
    # git leaves the caches of a folder that was moved
    names = {path.relative_to(ROOT / "minitorch").parts[0] for path in every_file(ROOT)}
    assert len(names) <= MOST_ENTRIES, sorted(names)


@pytest.mark.parametrize("top", ["minitorch/kernels/", "minitorch/ops/"])
def test_no_cycle_leads_through_two_folders(top):
    assert folder_cycles(ROOT, top) == []


def test_operators_with_loops_have_a_folder_of_the_same_name_for_them():
    folders = {
        top: {path.name for path in (ROOT / "minitorch" / top).iterdir() if path.is_dir()}
        - {"__pycache__"}
        for top in ("kernels", "ops")
    }
    assert folders["kernels"] == folders["ops"]
    for top in folders:
        loose = [p.name for p in (ROOT / "minitorch" / top).iterdir() if p.suffix in SUFFIXES]
        assert loose == ["__init__.py"]


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
        (
            "minitorch/kernels/common/a.pyx",
            "from minitorch.ops.common cimport b",
            "minitorch/ops/common/b.pyx",
        ),
        (
            "minitorch/kernels/common/a.pyx",
            "cimport numpy, minitorch.ops.common.b as b",
            "minitorch/ops/common/b.pyx",
        ),
        (
            "minitorch/kernels/common/a.pxd",
            "from ...ops.common.b cimport (\n    c,\n    d)",
            "minitorch/ops/common/b.pyx",
        ),
        (
            "minitorch/kernels/common/a.pyx",
            "from minitorch.core.tensor_impl cimport T",
            "minitorch/core/",
        ),
        (
            "minitorch/autograd/engine.pyx",
            "from minitorch.ops.common.b cimport f",
            "minitorch/ops/common/b.pyx",
        ),
        ("minitorch/nn/a.py", "from minitorch import Tensor", "minitorch/__init__.py"),
    ],
)
def test_an_arrow_that_runs_upwards_is_found(tmp_path, path, line, target):
    for file in (
        path,
        "minitorch/__init__.py",
        "minitorch/nn/__init__.py",
        "minitorch/ops/common/b.pyx",
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    (tmp_path / path).write_text(line + "\n")
    (found,) = wrong_arrows(tmp_path)
    assert path in found
    assert target in found


@pytest.mark.parametrize(
    "path, text",
    [
        ("minitorch/ops/common/a.pyx", '"""Says what to do:\nimport minitorch\n"""\n'),
        ("minitorch/ops/common/a.pyx", "x = 1  # from minitorch.nn import y\n"),
        (
            "minitorch/ops/common/a.pyx",
            "from minitorch.kernels.common.b cimport f\ncimport numpy\n",
        ),
        ("minitorch/nn/a.py", "from . import functional\nimport numpy\n"),
        ("minitorch/ops/common/a.pxd", 'cdef extern from "minitorch/nn.h":\n    pass\n'),
    ],
)
def test_what_is_no_upward_arrow_is_not_found(tmp_path, path, text):
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text)
    (tmp_path / path).with_name("functional.py").touch()
    assert wrong_arrows(tmp_path) == []


def test_nothing_in_the_package_imports_pytorch():
    importers = []
    for path in sources(ROOT):
        text = (ROOT / path).read_text(encoding="utf-8")
        read = imports_of_python if path.endswith(".py") else imports_of_cython
        package = ".".join(Path(path).parent.parts)
        importers += [path for module, _ in read(text, package) if module.split(".")[0] == "torch"]
    assert importers == []


# A slot is a function by which a higher module gives a lower one a function, a class or an object. Imports cannot
# show these arrows, so there are few, and a comment above each says why it is there.
MOST_SLOTS = 10
# functions with such names that are none: they fill tables within their layer, or store names of classes
NO_SLOTS = {
    "register",  # nn/modules: adds a hook to a table
    "_register_on_node",  # nn/modules: registers hooks
    "_register_those_of_parts",  # distributions: a part of one table
    "register_functions",  # tensor_methods and arguments are one layer
    "register_results",  # utils/_pytree: classes of results
    "register_type_name",  # the name of a class in messages
}


def registering_functions(root):
    """``(path, name, comment above)`` of each function that registers something, except for PyTorch's own."""
    pytorchs = set(re.findall(r"^  (\w+) \(", (root / "tests" / "names.txt").read_text(), re.M))
    for path in sources(root):
        if path.startswith(("minitorch/compat/", "minitorch/kernels/")):
            continue
        lines = (root / path).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            match = re.match(r"def (_?register(?:_\w+)?)\(", line)
            if match and match[1] not in pytorchs | NO_SLOTS:
                yield path, match[1], lines[number - 1]


def test_there_are_few_slots_and_each_says_why_it_is_there():
    found = list(registering_functions(ROOT))
    assert len(found) <= MOST_SLOTS, found
    assert [slot for slot in found if not slot[2].startswith("# Slot: ")] == []


# -- what is committed ---------------------------------------------------------------------------

GENERATED_SUFFIXES = (".c", ".cpp", ".so", ".o", ".html", ".pyc", ".whl", ".png", ".egg-info")
# a path of somebody's machine, at the start of a word; the interpreter line of a script is none
ABSOLUTE_PATH = re.compile(
    r"(?<![\w.\-/:}>])(?:/(?:home|root|Users|tmp|work|opt|usr|var|mnt|private)/\w|[A-Z]:\\(?!n[^a-z])\w)"
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
        r"```cython\n(cdef TensorBase r_mul\(.*?)\n```",
        (ROOT / "ARCHITECTURE.md").read_text(),
        re.S,
    )
    functions = ROOT / "minitorch" / "autograd" / "functions" / "generated"
    assert shown in (functions / "wrappers_elementwise.pyx").read_text()


# -- what ARCHITECTURE.md names --------------------------------------------------------------------

# folders that its names of files are relative to, which it says where it names them
NAMED_FROM = ("", "minitorch", "minitorch/autograd", "minitorch/autograd/functions")
NAMED_FROM += ("minitorch/autograd/observe",)
FILE_NAME = re.compile(r"[\w./-]*[\w-](/|\.(py|pyx|pxd|toml|js|json|md))")
PLACEHOLDERS = re.compile(r"SUBJECT|SECTION|NAME|FILE|^index\.md$|\.html$")


@functools.cache
def architecture():
    """ARCHITECTURE.md on one line, without its blocks of code."""
    text = re.sub(
        r"^```.*?^```$", "", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), flags=re.M | re.S
    )
    return " ".join(text.split())


def named_files(name):
    """The files that a name in ARCHITECTURE.md means; without a suffix, a `.pyx` file and its `.pxd`."""
    names = [name] if "." in Path(name).name else [name, f"{name}.pyx", f"{name}.pxd"]
    paths = [ROOT / folder / each for folder in NAMED_FROM for each in names]
    return [path for path in paths if path.is_file()]


def test_the_files_that_the_architecture_names_exist():
    names = set(re.findall(r"`([^` ]+)`", architecture()))
    files = [name for name in names if FILE_NAME.match(name) and not PLACEHOLDERS.search(name)]
    assert len(files) > 100
    missing = [
        name
        for name in files
        if not named_files(name)
        and not any((ROOT / folder).glob(name.rstrip("/")) for folder in NAMED_FROM if "*" in name)
        and not any((ROOT / folder / name).is_dir() for folder in NAMED_FROM)
    ]
    assert missing == []


def test_the_functions_that_the_architecture_names_are_where_it_says():
    text = architecture()
    places = re.findall(r"`([A-Za-z_][\w.]*)` (?:in |\()`([\w./]+)`", text)
    assert len(places) > 20
    wrong = [
        f"{name} in {file}"
        for name, file in places
        if not any(
            re.search(rf"\b{name.rpartition('.')[2]}\b", path.read_text("utf-8"))
            for path in named_files(file)
        )
    ]
    assert wrong == []


def test_the_names_and_notes_of_the_architecture_are_in_the_sources():
    text = architecture()
    written = "\n".join(
        path.read_text("utf-8")
        for top in ("minitorch", "tools", "tests", "docs/_ext")
        for path in sorted((ROOT / top).rglob("*.p[yx]*"))
        if path.suffix in (".py", ".pyx", ".pxd")
    )
    words = set(re.findall(r"\w+", written))
    names = re.findall(r"`([A-Za-z_][\w.]*)`", text)
    names = [name for name in names if not FILE_NAME.match(name)]
    assert [name for name in names if not set(name.split(".")) <= words] == []
    lines = " ".join(written.replace("#", " ").split())
    notes = set(re.findall(r"Note \[([\w .,-]+)\]", text))
    assert len(notes) > 20
    assert [note for note in notes if f"Note [{note}]" not in lines] == []


def test_the_floor_plan_has_about_the_right_numbers():
    plan = (ROOT / "ARCHITECTURE.md").read_text("utf-8").split("## Floor plan")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.*?) \| .* \| ([\d,]+) \| ([\d,]+) \|$", plan, re.M)
    checked = 0
    for folders, *numbers in rows:
        if re.sub(r"`[\w./]+`(, )?", "", folders):
            continue  # in words, or with a pattern
        tops = tuple(f"minitorch/{name}" for name in re.findall(r"`([\w./]+)`", folders))
        if tops == ("minitorch/autograd/functions/",):
            continue  # the build writes files there
        found = [path for path in sources(ROOT) if path.startswith(tops)]
        lines = sum(len((ROOT / path).read_text("utf-8").splitlines()) for path in found)
        files, written = (int(number.replace(",", "")) for number in numbers)
        assert files == pytest.approx(len(found), rel=0.15, abs=2), folders
        assert written == pytest.approx(lines, rel=0.15, abs=150), folders
        checked += 1
    assert checked >= 15


# What a reader of the engine does not have to know: transforms, protocols, and kinds of special tensors.
OUTSIDE_OF_THE_ENGINE = [
    "accumulate_by_operators",
    "by_sample",
    "forward_grad",
    "function_tangents",
    "functions/*",
    "interpose",
    "levels",
    "math_bits",
    "meta",
    "python_dispatch",
    "python_function",
    "saved_variable",
    "sparse_tensor",
    "torch_function",
    "view_replay",
    "zero_tensor",
]


def files_reached_from(path, root):
    """Every file of the package that a file imports or cimports, directly or through other files."""
    imports = {}
    for source, target in arrows(root):
        imports.setdefault(source, set()).add(target)
    reached, left = set(), [path]
    while left:
        each = left.pop()
        if each not in reached and (root / each).exists():
            reached.add(each)
            left += imports.get(each, ())
            left += [each.rpartition(".")[0] + suffix for suffix in (".pyx", ".pxd")]
    return reached


def test_the_engine_reaches_no_transform_no_protocol_and_no_kind_of_special_tensor():
    reached = files_reached_from("minitorch/autograd/engine.pyx", ROOT)
    names = {path.removeprefix("minitorch/autograd/").rpartition(".")[0] for path in reached}
    assert [
        name
        for name in sorted(names)
        if any(fnmatchcase(name, pattern) for pattern in OUTSIDE_OF_THE_ENGINE)
    ] == []


def test_the_engine_reaches_few_files_of_autograd_and_the_core():
    reached = files_reached_from("minitorch/autograd/engine.pyx", ROOT)
    # a unit is a .pyx file and its .pxd; `add` and `copy_`, which accumulate gradients, reach the table of all kernels
    assert len(units(reached, "minitorch/autograd/")) <= 20
    assert len(units(reached, "minitorch/core/")) <= 25


def units(paths, folder):
    return {path.rpartition(".")[0] for path in paths if path.startswith(folder)}


def test_the_engine_asks_for_no_kind_of_tensor():
    for name in ENGINE_FILES:
        for suffix in (".pyx", ".pxd"):
            path = ROOT / "minitorch" / "autograd" / (name + suffix)
            for line in path.read_text().splitlines() if path.exists() else ():
                assert not re.search(r"(isinstance|hasattr|getattr)\([^#]*\bspecial\b", line), line
                assert not re.search(r"\bif (not )?tracing\b", line), line


ENGINE_FILES = [
    "accumulate_grad",
    "current_task",
    "engine",
    "engine_steps",
    "exec_info",
    "fit",
    "graph_task",
    "hooks",
    "input_buffer",
    "node",
    "roots",
    "saved_variable",
    "variable",
]


def test_few_places_ask_for_a_kind_of_special_tensor():
    kinds = "Dispatched|Meta|MathBits|Modes|Sparse|Wrapped|_Wrapped|ZeroTensor"
    asks = re.compile(rf"isinstance\(.*\b({kinds})\)|(has|get)attr\([^)]*\bspecial\b[^)]*,")
    found = [
        f"{path}: {line.strip()}"
        for path in sources(ROOT)
        if not path.startswith("minitorch/autograd/functions/generated/")
        for line in (ROOT / path).read_text().splitlines()
        if asks.search(line)
    ]
    assert len(found) <= 10, found
