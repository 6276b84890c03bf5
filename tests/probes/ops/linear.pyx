"""What the tests see of the products: `TensorImpl`s in and out. Not part of the package's
interface."""

from minitorch.ops.linalg cimport linear, matmul


def call(str name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


_OPERATORS = {
    "mm": lambda self, mat2, out=None: linear.mm(self, mat2, out),
    "mv": lambda self, vec, out=None: linear.mv(self, vec, out),
    "dot": lambda self, other, out=None: linear.dot(self, other, out),
    "vdot": lambda self, other, out=None: linear.vdot(self, other, out),
    "bmm": lambda self, mat2, out=None: linear.bmm(self, mat2, out),
    "outer": lambda self, vec2, out=None: linear.outer(self, vec2, out),
    "ger": lambda self, vec2, out=None: linear.ger(self, vec2, out),
    "addmm": lambda self, a, b, beta=1, alpha=1, out=None: linear.addmm(self, a, b, beta, alpha,
                                                                        out),
    "addmv": lambda self, a, b, beta=1, alpha=1, out=None: linear.addmv(self, a, b, beta, alpha,
                                                                        out),
    "addr": lambda self, a, b, beta=1, alpha=1, out=None: linear.addr(self, a, b, beta, alpha, out),
    "baddbmm": lambda self, a, b, beta=1, alpha=1, out=None:
        linear.baddbmm(self, a, b, beta, alpha, out),
    "addbmm": lambda self, a, b, beta=1, alpha=1, out=None:
        linear.addbmm(self, a, b, beta, alpha, out),
    "addmm_": lambda self, a, b, beta=1, alpha=1: linear.addmm(self, a, b, beta, alpha, self),
    "addmv_": lambda self, a, b, beta=1, alpha=1: linear.addmv(self, a, b, beta, alpha, self),
    "baddbmm_": lambda self, a, b, beta=1, alpha=1: linear.baddbmm(self, a, b, beta, alpha, self),
    "addbmm_": lambda self, a, b, beta=1, alpha=1: linear.addbmm(self, a, b, beta, alpha, self),
    "matmul": lambda self, other, out=None: matmul.matmul(self, other, out),
    "linear": lambda input, weight, bias=None: matmul.linear(input, weight, bias),
}
