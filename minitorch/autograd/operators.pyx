# cython: wraparound=True
"""Recorded operators as values.

Each form of each row of derivatives/ is one `Operator`. A transform or a mode that handles a call gets the
`Operator` and the arguments, and can call it with other arguments.
"""

cimport cython

from minitorch.autograd.upward_calls cimport dispatch_calls
from minitorch.autograd.variable cimport make_tensor
from minitorch.core.dtype cimport NoType
from minitorch.core.tensor_impl cimport wrap_number
from minitorch.ops.common.scalar cimport item as item_of

operators = {}                           # (row, form) -> Operator


@cython.binding(False)
cdef class Operator:
    def __call__(self, *arguments):
        return self.function(self._checked(arguments))

    def _checked(self, tuple arguments):
        cdef list checked = []
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self} takes {len(self.parameters)} arguments, not {len(arguments)}")
        for (name, kind, _), value in zip(self.parameters, arguments):
            if kind == "Tensor" or kind == "Tensor?" and value is not None:
                if not isinstance(value, TensorBase):
                    raise TypeError(f"{self}: {name} is to be a Tensor, not {type(value).__name__}")
            elif kind.startswith("Tensor") and kind.endswith("[]"):
                value = list(value)
                for item in value:
                    if not isinstance(item, TensorBase) and not (item is None and kind.startswith("Tensor?")):
                        raise TypeError(f"{self}: {name} is to be a list of Tensors, and has a {type(item).__name__}")
            elif kind.endswith("[]"):
                value = tuple(value)
            elif kind == "str" and not isinstance(value, str):
                raise TypeError(f"{self}: {name} is to be a str, not {type(value).__name__}")
            elif kind.startswith("ScalarType") and not 0 <= value <= NoType:
                raise ValueError(f"{self}: {name} is to be the code of a dtype, not {value}")
            checked.append(value)
        return tuple(checked)

    def __repr__(self):
        return f"<operator {self.name}{self.form}>"

    def __reduce__(self):
        return _operator, (self.name, self.form)

    cdef object function(self, tuple arguments):
        raise NotImplementedError(f"{self} cannot be called")


def _operator(name, form=""):
    """Return the operator of a row in one of its forms."""
    return operators[name, form]


cdef class Composed(Operator):
    cdef object function(self, tuple arguments):
        return self.composition(arguments)


cdef Operator make_composed(str name, object (*composition)(tuple)):
    cdef Composed self = Composed.__new__(Composed)
    self.name = name
    self.form = ""
    self.parameters = ()
    self.composition = composition
    return self


cdef int register(Operator operator) except -1:
    operators[operator.name, operator.form] = operator
    return 0


cdef Operator out_of_place(Operator operator):
    return <Operator?>operators[operator.name, ""]


cdef Py_ssize_t receiver(Operator operator) except -1:
    cdef Py_ssize_t k = 0
    for _, kind, _ in operator.parameters:
        if kind.startswith("Tensor"):
            return k
        k += 1
    raise TypeError(f"{operator} has no tensor to write to")


cdef TensorBase written_by(Operator operator, tuple arguments):
    return <TensorBase>(arguments[-1] if operator.form == "_out" else arguments[receiver(operator)])


# ---- names of operators

def name_of(Operator operator):
    """Return PyTorch's name of an operator, such as ``aten::mul_``; the name of the row if PyTorch has none."""
    return dispatch_calls.name_of(operator)


def full_name_of(Operator operator, tuple arguments):
    """Return PyTorch's name, with the overload, for a call of an operator, such as ``aten::mul_.Tensor``."""
    return dispatch_calls.full_name_of(operator, arguments)


cdef str overload_of(Operator operator, tuple arguments):
    return dispatch_calls.full_name_of(operator, arguments)


# ---- numbers

def as_number(TensorBase t):
    """Return the Python number if `t` stands for one that was given as an argument, else `t` itself."""
    return item_of(t.impl) if t.impl.is_wrapped_number else t


def number_tensor(number):
    """Return the tensor that operators take in place of a Python number."""
    return make_tensor(wrap_number(number))
