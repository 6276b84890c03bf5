"""gradcheck and gradgradcheck of every row of derivatives/ that has formulas."""

import numpy as np
import pytest

import minitorch
from minitorch.autograd import gradcheck, gradgradcheck
from minitorch.autograd.functions import tensor_methods
from minitorch.autograd.operators import _operator
from tests.autograd.samples import (
    ROWS,
    SAMPLES,
    SECOND_DERIVATIVE_RAISES,
    Const,
    Dtype,
    Flags,
)

# rows whose operators differentiate: these run gradcheck
FORMULAS = [
    name
    for name, row in ROWS.items()
    if row.differentiable
    and not row.raises
    and any(sample.smooth for sample in SAMPLES.get(name, []))
]


def operator(row):
    """The row as a function of all its arguments that changes none of them."""
    if row.inplace_only or row.public_name + "_" == row.name:
        method = getattr(minitorch.Tensor, row.public_name + "_")

        def call(self, *args, **kwargs):
            return method(self.clone(), *args, **kwargs)

        return call
    if hasattr(tensor_methods, row.name):
        return getattr(tensor_methods, row.name)
    if not row.variants:
        return _operator(row.name)
    if "function" in row.variants:
        return getattr(tensor_methods, row.public_name)
    return getattr(minitorch.Tensor, row.public_name)


def is_float(value):
    return (
        isinstance(value, np.ndarray) and value.dtype.kind in "fc" and not isinstance(value, Const)
    )


class Case:
    """A sample as a function of the tensors that are differentiated."""

    def __init__(self, row, sample):
        self.function = operator(row)
        self.inputs = []
        names = [p.name for p in row.schema.parameters]
        self.args = [
            self.read(value, name in row.differentiable)
            for name, value in zip(names, sample.args, strict=False)
        ]
        self.kwargs = {
            name: self.read(value, name in row.differentiable)
            for name, value in sample.kwargs.items()
        }

    def read(self, value, differentiable):
        """A tensor of an array; those that get a gradient are noted, and their place is kept."""
        if isinstance(value, list):
            return [self.read(v, differentiable) for v in value]
        if isinstance(value, Dtype):
            return getattr(minitorch, value.name)
        if isinstance(value, Flags):
            return tuple(int(v) for v in value.values)
        if not isinstance(value, np.ndarray):
            return value
        tensor = minitorch.from_numpy(np.array(value))
        if differentiable and is_float(value):
            tensor.requires_grad = True
            self.inputs.append(tensor)
            return Place(len(self.inputs) - 1)
        return tensor

    def __call__(self, *inputs):
        def fill(value):
            if isinstance(value, Place):
                return inputs[value.index]
            return [fill(v) for v in value] if isinstance(value, list) else value

        minitorch.manual_seed(5)
        kwargs = {name: fill(value) for name, value in self.kwargs.items()}
        result = self.function(*[fill(value) for value in self.args], **kwargs)
        if isinstance(result, (tuple, list)):
            # a mask has no slope, and no difference either
            return tuple(o for o in result if o is not None and o.dtype != minitorch.bool)
        return result


class Place:
    def __init__(self, index):
        self.index = index


@pytest.mark.parametrize("name", ROWS)
def test_a_row_has_samples(name):
    assert SAMPLES.get(name), f"tests/autograd/samples.py has no sample of {name}"


def test_a_sample_has_a_row():
    assert set(SAMPLES) <= set(ROWS)


def _cases(name):
    row = ROWS[name]
    cases = [Case(row, sample) for sample in SAMPLES[name] if sample.smooth]
    cases = [case for case in cases if case.inputs]
    return [case for case in cases if _has_gradient(case(*case.inputs))]


def _has_gradient(result):
    # integers that were written to in place require grad too, and there is none
    outputs = result if isinstance(result, tuple) else (result,)
    return any(
        o.requires_grad and (o.dtype.is_floating_point or o.dtype.is_complex) for o in outputs
    )


@pytest.mark.parametrize("name", FORMULAS)
def test_the_gradient_is_the_slope(name):
    cases = _cases(name)
    assert cases or ROWS[name].forward, "no sample of this row has a gradient"
    for case in cases:
        assert gradcheck(case, case.inputs, check_grad_dtypes=True)


@pytest.mark.parametrize("name", [n for n in FORMULAS if n not in SECOND_DERIVATIVE_RAISES])
def test_the_second_gradient_is_the_slope_of_the_first(name):
    minitorch.manual_seed(3)
    for case in _cases(name):
        assert gradgradcheck(case, case.inputs, atol=1e-4, check_grad_dtypes=True)


@pytest.mark.parametrize("name", sorted(SECOND_DERIVATIVE_RAISES))
def test_a_second_gradient_that_pytorch_lacks_is_refused(name):
    for case in _cases(name):
        with pytest.raises(RuntimeError, match="derivative for .* is not implemented"):
            gradgradcheck(case, case.inputs)


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.raises])
def test_a_gradient_that_pytorch_lacks_is_refused(name):
    for case in _cases(name):
        output = case(*case.inputs)
        output = output[0] if isinstance(output, tuple) else output
        with pytest.raises((RuntimeError, NotImplementedError), match="derivative for .* is not"):
            minitorch.autograd.grad(output.sum(), case.inputs)
