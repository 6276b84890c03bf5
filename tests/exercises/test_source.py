"""The marks of an assignment's source."""

import pytest

from exercises.source import Source, SourceError, find, splice

SOURCE = """
def mean(numbers):
    # <answer mean>
    # hint: Add them up.
    total = 0
    for number in numbers:
        total += number
    return total / len(numbers)
    # <wrong WRONG>
MARKED
    # </answer>


# <tests>
ABOUT = {"number": 1, "title": "Mean", "part": "Tensors", "goal": "", "reading": [],
         "difficulty": 1, "importance": 1, "hours": 1}
# </tests>
# <hidden>
MISTAKES = {}
# </hidden>
"""


def wrong_answer(folder, *marked):
    path = folder / "a01_mean.py"
    path.write_text(SOURCE.replace("WRONG", "some").replace("MARKED", "\n".join(marked)))
    text = Source(path).wrong_answer("some")
    return text.partition("yours: mean\n")[2].partition("    # --- end")[0]


def test_a_wrong_answer_as_a_whole(tmp_path):
    text = wrong_answer(tmp_path, "    #| if numbers:", "    #|     return 0", "    #|")
    assert text == "    if numbers:\n        return 0\n\n"


def test_a_wrong_answer_as_changes_of_the_solution(tmp_path):
    text = wrong_answer(
        tmp_path,
        "    #|- total = 0",
        "    #|+ total = 1",
        "    #|+ count = 0",
        "    #|-     total += number",
        "    #|- return total / len(numbers)",
        "    #|+     total = number",
        "    #|+ return total",
    )
    assert text == (
        "    total = 1\n    count = 0\n    for number in numbers:\n"
        "        total = number\n    return total\n"
    )


def test_a_wrong_answer_that_lacks_some_lines(tmp_path):
    text = wrong_answer(tmp_path, "    #|- for number in numbers:", "    #|-     total += number")
    assert text == "    total = 0\n    return total / len(numbers)\n"


@pytest.mark.parametrize(
    "marked",
    [
        ["    #|- total = 2", "    #|+ total = 1"],  # no such line
        ["    #|+ total = 1"],  # no place
        ["    #|- return total / len(numbers)", "    #|+ return 0", "    #|- total = 0"],  # order
        ["    #|- total = 0", "    #| total = 1"],
    ],
)
def test_changes_that_have_no_place_are_an_error(tmp_path, marked):
    with pytest.raises(SourceError, match="mean: in some, no change of a single place"):
        wrong_answer(tmp_path, *marked)


def test_a_line_that_occurs_twice_is_no_place(tmp_path, monkeypatch):
    twice = SOURCE.replace("    total = 0\n", "    total = 0\n    total = 0\n")
    monkeypatch.setitem(globals(), "SOURCE", twice)
    with pytest.raises(SourceError, match="no change of a single place: .'total = 0'"):
        wrong_answer(tmp_path, "    #|- total = 0", "    #|+ total = 1")


@pytest.mark.parametrize("unit", ["\t", "  ", "   "])
def test_a_file_with_another_indentation_is_spliced(unit):
    source = find(4)
    spliced = splice(source, source.solution().replace("    ", unit))
    compile(spliced.text, "spliced", "exec")
    number = 1 + spliced.text.split("\n").index("        result = math.exp(self.data)")
    assert source.solution().split("\n")[spliced.line(number) - 1].strip() == (
        "result = math.exp(self.data)"
    )


def test_lines_of_a_text_keep_their_place():
    source = find(4)
    text = (
        source.solution()
        .replace("    ", "\t")
        .replace("self.data)\n", 'self.data)\n\t\t"""\nx"""\n', 1)
    )
    assert '        """\nx"""\n' in splice(source, text).text
