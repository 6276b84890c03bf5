"""Errors in the rows from which nodes and wrappers are generated."""

import pytest

from tools.rows import load_rows

CUBE = {"schema": "cube(Tensor self) -> Tensor", "forward": "pow_scalar(self, 3)"}


def load(tmp_path, **more):
    return load_rows({"cube": {**CUBE, **more}}, tmp_path, tmp_path)[0][0]


def test_a_row_with_forward_is_composed(tmp_path):
    assert load(tmp_path).forward == "pow_scalar(self, 3)"


@pytest.mark.parametrize("key", ["self", "result"])
def test_a_formula_beside_forward_is_refused_since_it_would_be_ignored(tmp_path, key):
    with pytest.raises(ValueError, match=rf"bring their derivatives; remove \['{key}'\]"):
        load(tmp_path, **{key: "grad * 2"})


def test_an_unknown_key_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"row \[cube\]: unknown keys \['selfie'\]"):
        load(tmp_path, selfie="grad")
