"""The pages of the ten steps and of the forward pass follow one template, and show what happens."""

import re
import sys

import pytest

import minitorch
from minitorch.autograd.events import Observer
from minitorch.autograd.observe.program_recording import record_program
from tests.docs.pages import PAGES, ROOT, blocks, includes, source_finder

LEARN = ROOT / "docs" / "learn"
FOLDER = LEARN / "backward"
INDEX = FOLDER / "index.md"
PROGRAM = ROOT / "docs" / "recordings" / "running_example.py"
NAMES = [
    "01_method",
    "02_arguments",
    "03_into_the_core",
    "04_task",
    "05_dependencies",
    "06_ready_queue",
    "07_evaluate",
    "08_formula",
    "09_sum",
    "10_sink",
]
STEPS = dict(enumerate((FOLDER / f"{name}.md" for name in NAMES), 1))
MARK = re.compile(r"# docs: (step (\d+).*)$")
FORWARD = LEARN / "forward.md"
TEMPLATE = [*STEPS.values(), FORWARD]
HEADINGS = [
    "What happens",
    "Before",
    "Source",
    "After",
    "In PyTorch",
    "Bad input",
    "Predict",
    "Exercise",
]
# the kinds of events that happen at a step
EVENTS = {
    4: {"root", "buffer"},
    5: {"dependency"},
    6: {"push", "pop"},
    7: {"apply", "validate", "free"},
    8: {"apply"},
    9: {"buffer"},
    10: {"accumulate"},
}
# an error page's name; the pages are written when the site is built
ERROR_LINK = re.compile(r"\]\((?:\.\./)+reference/errors/([\w-]+)\.md\)")

each_page = pytest.mark.parametrize("path", TEMPLATE, ids=lambda path: path.stem)


def text_of(path):
    return path.read_text(encoding="utf-8")


def sections(path):
    """Heading -> text of its section; code that contains ``##`` does not occur."""
    _, *parts = re.split(r"^## (.*)$", text_of(path), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def sessions(text):
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def table():
    """``[(step, page, functions)]`` of the rows of the overview."""
    rows = re.findall(r"^\| (\d+) \| \[[^|]*\]\((\w+)\.md\) \| (.*) \|$", text_of(INDEX), re.M)
    return [
        (int(step), page, re.findall(r"`([\w.]+)`", functions)) for step, page, functions in rows
    ]


def shown(path):
    """``{name of the object: include}`` of the sources of a page."""
    return {piece.options["object"]: piece for piece in includes(path)}


def object_of(step, function):
    """Return the name and the include of a function of the table on the page of its step."""
    pieces = shown(STEPS[step])
    for name, piece in pieces.items():
        if name == function or "." not in function and name.rpartition(".")[2] == function:
            return name, piece
    raise AssertionError(f"the page of step {step} does not show {function}")


# ---- the order of the functions


@pytest.fixture(scope="module")
def entered():
    """``(file or None, function)`` in the order in which a backward of the example enters them."""
    namespace, events = {}, []
    exec(text_of(PROGRAM).replace("loss.backward()", ""), namespace)
    loss = namespace["loss"]

    def profile(frame, event, argument):
        if event == "call":
            events.append((frame.f_code.co_filename, frame.f_code.co_name))

    class Functions(Observer):
        def entered(self, function, node):
            name = f"{type(node).__name__}.{function}" if function == "apply" else function
            events.append((None, name))

    with Functions():
        sys.setprofile(profile)
        try:
            loss.backward()
        finally:
            sys.setprofile(None)
    return [
        (file and "minitorch/" + file.replace("\\", "/").rpartition("/minitorch/")[2], function)
        for file, function in events
    ]


def first_entries(rows, entered):
    """When each function of the table is entered for the first time."""
    entries = []
    for step, _, functions in rows:
        for function in functions:
            _, piece = object_of(step, function)
            file = piece.file if piece.file.endswith(".py") else None
            assert (file, function) in entered, f"{function} is never entered"
            entries.append(entered.index((file, function)))
    return entries


def test_the_table_has_ten_steps_and_three_columns():
    assert [(step, STEPS[step].stem) for step, page, _ in table()] == list(enumerate(NAMES, 1))
    assert [page for _, page, _ in table()] == NAMES
    assert all(functions for _, _, functions in table())


def test_the_functions_are_entered_in_the_order_of_the_pages(entered):
    entries = first_entries(table(), entered)
    assert entries == sorted(set(entries))


@pytest.mark.parametrize("step", range(9))
def test_a_table_with_two_steps_exchanged_would_fail(entered, step):
    rows = table()
    rows[step], rows[step + 1] = rows[step + 1], rows[step]
    entries = first_entries(rows, entered)
    assert entries != sorted(set(entries))


# ---- the template


def test_the_folder_has_the_ten_pages_in_order():
    assert re.findall(r"^(\d\d_\w+)$", text_of(INDEX).partition(":hidden:")[2], re.M) == NAMES
    assert {path.stem for path in FOLDER.glob("*.md")} == {*NAMES, "index"}


@each_page
def test_a_page_has_the_headings_in_order(path):
    assert re.findall(r"^## (.*)$", text_of(path), re.MULTILINE) == HEADINGS
    assert all(text.strip() for text in sections(path).values())


@each_page
def test_a_page_begins_with_the_running_example(path):
    program = [line for line in text_of(PROGRAM).splitlines() if line]
    wanted = program[:3] if path == FORWARD else program[:-1]
    first = sessions(sections(path)["Before"])[0].splitlines()
    lines = [line.removeprefix(">>> ") for line in first]
    assert lines[: len(wanted)] == wanted
    assert any(line and not line.startswith((">>>", "...")) for line in first)  # it shows values


@each_page
def test_values_come_from_the_engine_and_are_executed(path):
    assert path in PAGES
    parts = sections(path)
    for heading in ("Before", "After", "Bad input", "Predict", "Exercise"):
        code = sessions(parts[heading])
        assert code, heading
        assert all(">>> " in block for block in code), heading
        assert len(code) == parts[heading].count("```python"), heading
    after = "".join(sessions(parts["After"]))
    assert re.search(r"autograd\.trace\(|register_hook|_execution_engine|setprofile|grad_fn", after)
    if path.stem not in ("01_method", "03_into_the_core", "forward"):
        assert "torch.autograd.trace(" in after
        assert "steps" in after.partition("backward(")[2]
    executed = "".join(block for _, block in blocks(path, "python"))
    assert after in executed


@each_page
def test_every_source_comes_by_the_directive(path):
    text = text_of(path)
    assert text.count("```{source}") == sections(path)["Source"].count("```{source}")
    pieces = includes(path)
    assert pieces and len(pieces) == text.count("```{source}")
    assert "{literalinclude}" not in text
    fences = re.findall(r"^```(\S*)", text, re.MULTILINE)
    assert {fence for fence in fences if fence} <= {"python", "{source}", "{stepper}", "{graph}"}


@each_page
def test_one_to_three_texts_are_highlighted_and_each_is_found(path):
    for piece in includes(path):
        texts = piece.options["highlight"].split(" ; ")
        assert 1 <= len(texts) <= 3, piece.options["object"]
        for text in texts:
            count = sum(text.strip() in line for line in piece.text.splitlines())
            assert 1 <= count <= 2, (piece.options["object"], text, count)


@each_page
def test_sentences_follow_every_source(path):
    source = sections(path)["Source"]
    for after in re.split(r"^```\{source\}.*?^```$", source, flags=re.M | re.DOTALL)[1:]:
        prose = without_code(after.partition("```{source}")[0]).strip()
        assert len(prose.split()) >= 10, prose


@pytest.mark.parametrize("path", [INDEX, *TEMPLATE], ids=lambda path: path.stem)
def test_no_source_is_pasted(path):
    text = re.sub(r"^```\{.*?^```$", "", text_of(path), flags=re.MULTILINE | re.DOTALL)
    code = "".join(re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert "cdef " not in code
    ours = {
        line.strip()
        for piece in includes(path)
        for line in (ROOT / piece.file).read_text(encoding="utf-8").splitlines()
    }
    pasted = [
        line
        for line in code.splitlines()
        if len(line) > 40 and re.sub(r"^(>>>|\.\.\.) ", "", line).strip() in ours
    ]
    assert pasted == []


@each_page
def test_the_parts_of_a_page_have_their_form(path):
    parts = sections(path)
    assert len(parts["What happens"].split()) <= 90
    assert parts["In PyTorch"].count(":class: in-pytorch") == 1
    assert re.search(r"`[\w/*]+\.(py|cpp|h|yaml)`", parts["In PyTorch"])
    assert parts["Bad input"].count(":class: bad-input") == 1
    assert parts["Predict"].strip().startswith("**Predict.** ")
    assert parts["Predict"].count(":::{dropdown} Answer") == 1
    assert parts["Exercise"].count(":class: exercise") == 1
    assert ">>> def check(" in parts["Exercise"]
    solution = parts["Exercise"].partition(":::{dropdown} A solution")[2]
    assert re.search(r">>> check\(\w+\)\nTrue\n", solution)


@each_page
def test_a_page_takes_about_five_minutes(path):
    words = len(without_code(text_of(path)).split())
    assert 250 <= words <= 900, words


@each_page
def test_bad_input_links_to_error_pages_or_says_why_not(path):
    part = sections(path)["Bad input"]
    assert ERROR_LINK.search(part) or "reference" in part
    assert re.search(r"Error|\.grad", part)


@each_page
def test_error_pages_that_are_linked_exist(path):
    records = ROOT / "minitorch" / "commands" / "errors"
    if not records.is_dir():
        pytest.skip("the records of errors are not there")
    known = {record.stem for record in records.glob("*.toml")}
    assert set(ERROR_LINK.findall(text_of(path))) <= known


@pytest.mark.parametrize("step", STEPS)
def test_a_step_links_to_its_neighbours(step):
    last = text_of(STEPS[step]).rstrip().splitlines()[-1]
    before = f"{NAMES[step - 2]}.md" if step > 1 else "index.md"
    after = f"{NAMES[step]}.md" if step < 10 else "../side_paths/index.md"
    pattern = r"Previous: \[.*?\]\((.*?)\) · Next: \[.*?\]\((.*?)\)"
    assert re.fullmatch(pattern, last).groups() == (before, after)


@pytest.mark.parametrize("step", STEPS)
def test_a_title_names_the_step(step):
    assert text_of(STEPS[step]).startswith(f"# Step {step}: ")


# ---- the sources and the recording


@pytest.mark.parametrize("step, page, functions", table())
def test_the_page_shows_the_functions_of_its_step(step, page, functions):
    for function in functions:
        name, piece = object_of(step, function)
        assert piece.text.count(f"{name.rpartition('.')[2]}(") >= 1


def test_every_marked_piece_of_the_sources_is_shown_on_the_page_of_its_step():
    marks = []
    for path in sorted((ROOT / "minitorch").rglob("*.p*")):
        if path.suffix in (".py", ".pyx", ".pxd"):
            for line in path.read_text(encoding="utf-8").splitlines():
                if match := MARK.search(line):
                    file = path.relative_to(ROOT).as_posix()
                    piece = source_finder.find_marker(path, match[1])
                    marks.append((file, int(match[2]), range(piece.first, piece.last + 1)))
    assert {step for _, step, _ in marks} == set(range(1, 11)) - {8}
    for file, step, lines in marks:
        pieces = [piece for piece in includes(STEPS[step]) if piece.file == file]
        assert any(piece.start + 1 in lines for piece in pieces), (file, step)
    for step, path in STEPS.items():
        for piece in includes(path):
            for file, marked, lines in marks:
                if file == piece.file and piece.start + 1 in lines:
                    assert marked == step, piece.options["object"]


@pytest.mark.parametrize("step", EVENTS)
def test_the_events_that_a_page_names_belong_to_its_step(step):
    events = {event["number"]: event["kind"] for event in _recording()["events"]}
    [sentence] = re.findall(
        r"^In the recording, (.*):\n\n```\{stepper\} recordings/running_example\.py$",
        text_of(STEPS[step]),
        re.MULTILINE,
    )
    named = set()
    for first, joint, last in re.findall(r"\bevents? (\d+)(?:( to | and )(\d+))?", sentence):
        named |= set(range(int(first), int(last) + 1)) if joint == " to " else {int(first)}
        named |= {int(last)} if last else set()
    kinds = {events[number] for number in named}
    assert named and kinds <= EVENTS[step]


def _recording():
    return record_program(PROGRAM).recording()


def test_the_example_gives_what_the_overview_computes_by_hand():
    namespace = {}
    exec(text_of(PROGRAM), namespace)
    assert namespace["w"].grad.tolist() == [8, 16, 24]
    assert namespace["b"].grad.item() == 56
    assert namespace["torch"] is minitorch
