"""Write the special methods of Tensor, such as ``__add__``."""

from tools.rows import Row
from tools.writer import Writer

# special method -> (row, whether the operands are swapped)
BINARY_METHODS = {
    "__add__": ("add", False), "__radd__": ("add", False), "__sub__": ("sub", False),
    "__rsub__": ("sub", True), "__mul__": ("mul", False), "__rmul__": ("mul", False),
    "__truediv__": ("div", False), "__rtruediv__": ("div", True),
    "__floordiv__": ("floor_divide", False), "__rfloordiv__": ("floor_divide", True),
    "__mod__": ("remainder", False), "__rmod__": ("remainder", True),
    "__and__": ("bitwise_and", False), "__rand__": ("bitwise_and", True),
    "__or__": ("bitwise_or", False), "__ror__": ("bitwise_or", True),
    "__xor__": ("bitwise_xor", False), "__rxor__": ("bitwise_xor", True),
    "__lshift__": ("bitwise_left_shift", False), "__rlshift__": ("bitwise_left_shift", True),
    "__rshift__": ("bitwise_right_shift", False), "__rrshift__": ("bitwise_right_shift", True),
    "__matmul__": ("matmul", False), "__rmatmul__": ("matmul", True),
    "__pow__": ("pow", False), "__rpow__": ("pow", True),
}  # fmt: skip
# methods that PyTorch computes differently if an operand is a number
SPECIAL_METHODS = {
    "__rsub__": """def __rsub__(self, other):
    cdef TensorBase right = operand_or_none(other)
    if right is None:
        return NotImplemented
    return r_rsub(<TensorBase>self, right, 1)""",
    "__rtruediv__": """def __rtruediv__(self, other):
    cdef TensorBase right = operand_or_none(other)
    if right is not None:
        return r_mul(r_reciprocal(<TensorBase>self), right)
    try:
        return r_reciprocal(<TensorBase>self) * other     # an array of NumPy multiplies itself
    except TypeError:
        return NotImplemented""",
    "__rpow__": """def __rpow__(self, other):
    other = number_or_none(other)
    if other is None:
        return NotImplemented
    return r_pow_number(other, <TensorBase>self)""",
    "__pow__": """def __pow__(self, other, modulo=None):
    if modulo is not None:
        return NotImplemented
    if isinstance(other, TensorBase):
        return r_pow(<TensorBase>self, <TensorBase>other)
    other = number_or_none(other)
    if other is None:
        return NotImplemented
    return r_pow_scalar(<TensorBase>self, other)""",
}
# method -> the name passed to an override, if it is not the row's method, and its style
# (torch_function.pyx)
OVERRIDDEN_AS = {
    "__truediv__": ("div", "PARSED"), "__rtruediv__": ("__rdiv__", "PYTHON"),
    "__pow__": ("__pow__", "PYTHON"), "__ipow__": ("__ipow__", "PYTHON"),
    "__matmul__": ("matmul", "PARSED"),
    **{name: (name, "PARSED") for name in (
        "__invert__", "__and__", "__or__", "__xor__", "__lshift__", "__rshift__",
        "__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__")},
    **{name: (name, "PYTHON") for name in (
        "__rsub__", "__floordiv__", "__rfloordiv__", "__rmod__", "__rlshift__", "__rrshift__",
        "__rmatmul__", "__rpow__")},
}  # fmt: skip
COMPARISONS = {
    "__eq__": "eq",
    "__ne__": "ne",
    "__lt__": "lt",
    "__le__": "le",
    "__gt__": "gt",
    "__ge__": "ge",
}
INPLACE_METHODS = {
    "__iadd__": "add", "__isub__": "sub", "__imul__": "mul", "__itruediv__": "div",
    "__ifloordiv__": "floor_divide", "__imod__": "remainder", "__iand__": "bitwise_and",
    "__ior__": "bitwise_or", "__ixor__": "bitwise_xor", "__ilshift__": "bitwise_left_shift",
    "__irshift__": "bitwise_right_shift", "__ipow__": "pow",
}  # fmt: skip
NOT_INVERTIBLE = "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
UNARY_METHODS = {
    "__neg__": "neg",
    "__invert__": "bitwise_not",
    "__abs__": "abs",
    "__pos__": "positive",
}


def emit_override(w: Writer, method: str, name: str) -> None:
    """Write the check for an override of the operator, which comes first."""
    name, style = OVERRIDDEN_AS.get(method, (name, "PARSED"))
    told = f'"{name}"'
    if method == "__eq__":
        told += ' if is_alone_plain(self) else "__eq__"'
    with w.block("if not are_plain(self, other):"):
        w(f"result = override_operator({told}, {style}, self, other)")
        with w.block("if result is not no_override:"):
            w("return result")


def emit_data_model(w: Writer, rows: dict[str, Row]) -> None:
    """Write binary operators such as ``a + b`` as type slots, the shortest way into an operator."""

    def call(name: str, arguments: list[str]) -> str:
        extra = [p.default for p in rows[name].schema.parameters[2:]]
        return f"r_{name}({', '.join(arguments + extra)})"

    for method, (name, swapped) in BINARY_METHODS.items():
        if name not in rows:
            continue
        if method in SPECIAL_METHODS:
            w()
            head, *body = SPECIAL_METHODS[method].splitlines()
            with w.block(head):
                emit_override(w, method, name)
                for line in body:
                    w(line.removeprefix("    "))
            continue
        w()
        with w.block(f"def {method}(self, other):"):
            emit_override(w, method, name)
            numbers = bool(rows[name].numbers)
            w(
                f"cdef TensorBase right = {'operand_or_none' if numbers else 'tensor_or_none'}(other)"
            )
            with w.block("if right is None:"):
                w("return NotImplemented")
            operands = ["right", "<TensorBase>self"] if swapped else ["<TensorBase>self", "right"]
            w(f"return {call(name, operands)}")
    for method, name in COMPARISONS.items():
        if name in rows:
            w()
            with w.block(f"def {method}(self, other):"):
                emit_override(w, method, name)
                read = "compared_or_none" if method == "__eq__" else "operand_or_none"
                w(f"cdef TensorBase right = {read}(other)")
                with w.block("if right is None:"):
                    w("return NotImplemented")
                w(f"return {call(name, ['<TensorBase>self', 'right'])}")
    w()
    with w.block("def __hash__(self):"):
        w("return <Py_ssize_t><void*>self")
    for method, name in INPLACE_METHODS.items():
        if name in rows and "inplace" in rows[name].variants:
            w()
            with w.block(f"def {method}(self, other):"):
                emit_override(w, method, f"{name}_")
                w("cdef TensorBase right = operand_or_none(other)")
                if name == "pow":
                    with w.block("if right is not None and right is not other:"):
                        w("return r_pow_scalar_(<TensorBase>self, number_or_none(other))")
                with w.block("if right is None:"):
                    w(
                        "return added_in_place(self, other)"
                        if name == "add"
                        else "return NotImplemented"
                    )
                text = call(name, ["<TensorBase>self", "right"])
                w(f"return {text.replace('r_' + name + '(', 'r_' + name + '_(')}")
    for method, name in UNARY_METHODS.items():
        if name in rows:
            w()
            with w.block(f"def {method}(self):"):
                with w.block("if not is_alone_plain(self):"):
                    told = OVERRIDDEN_AS.get(method, (name, ""))[0]
                    w(f'result = override_method("{told}", UNPARSED, (self,))')
                    with w.block("if result is not no_override:"):
                        w("return result")
                if method == "__invert__":
                    w("dtype = (<TensorBase>self).impl.dtype")
                    with w.block("if is_floating(dtype) or is_complex(dtype):"):
                        w(f'raise TypeError("{NOT_INVERTIBLE}")')
                w(f"return r_{name}(<TensorBase>self)")
