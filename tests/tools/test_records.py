"""Reading the records of operators, and errors in them."""

import pytest

from tools.records import FILES, load_records

ROW = '[add]\nschema = "add(Tensor self) -> Tensor"\nself = "grad"\n'


def load(folder, derivatives, composed=""):
    (folder / "derivatives").mkdir()
    for name in FILES:
        (folder / "derivatives" / f"{name}.toml").write_text("")
    (folder / "derivatives" / "shape.toml").write_text(derivatives)
    (folder / "composed.toml").write_text(composed)
    return load_records(folder)


def test_a_record_is_taken_apart(tmp_path):
    found = load(
        tmp_path,
        ROW
        + """
signatures = ["add(Tensor input)"]
overloads = ["add.Tensor(Tensor self) -> Tensor  # core  @ CPU Autograd"]
composed = ["add.other(Tensor self) -> Tensor"]
doc = "A sum."
""",
        '[all]\nparsed_as = ["all(Tensor input)"]\n',
    )
    assert found.rows == {"add": {"schema": "add(Tensor self) -> Tensor", "self": "grad"}}
    assert (found.signatures, found.parsed_as) == (["add(Tensor input)"], ["all(Tensor input)"])
    assert found.overloads == [
        ("add", "add.Tensor(Tensor self) -> Tensor  # core"),
        (None, "add.other(Tensor self) -> Tensor"),
    ]
    assert found.kernels == {"add.Tensor": "CPU Autograd"}


def test_overloads_are_listed_by_row(tmp_path):
    rows = "".join(
        f'[{name}]\nschema = "{name}(Tensor self) -> Tensor"\noverloads = ["{name}"]\n{more}\n'
        for name, more in (("lerp", 'overloads_after = "lerp_x"'), ("z", ""), ("lerp_x", ""))
    )
    found = load(tmp_path, rows)
    assert [row for row, _ in found.overloads] == ["lerp_x", "lerp", "z"]
    assert list(found.rows) == ["lerp", "z", "lerp_x"]


def test_an_operator_has_one_record(tmp_path):
    with pytest.raises(ValueError, match="'add'.* have a record in derivatives/"):
        load(tmp_path, ROW, '[add]\nsignatures = ["add(Tensor input)"]\n')


def test_an_operator_is_in_one_file(tmp_path):
    load(tmp_path, ROW)
    (tmp_path / "derivatives" / "nn.toml").write_text(ROW)
    with pytest.raises(ValueError, match="toml: .*'add'.* in another file"):
        load_records(tmp_path)


def test_a_file_that_is_not_listed_is_an_error(tmp_path):
    load(tmp_path, ROW)
    (tmp_path / "derivatives" / "more.toml").write_text("")
    with pytest.raises(ValueError, match=r"FILES .* differs in \['more'\]"):
        load_records(tmp_path)


@pytest.mark.parametrize("key", ['overloads = ["x(Tensor self) -> Tensor"]', 'self = "grad"'])
def test_a_row_needs_a_schema(tmp_path, key):
    with pytest.raises(ValueError, match=r"record \[x\]: no schema"):
        load(tmp_path, "", f"[x]\n{key}\n")
