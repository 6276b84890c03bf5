"""Write the derivatives of five operators, as they stand in the library's own table.

Every operator of minitorch has a row in ``minitorch/autograd/derivatives/``. The row gives a formula
for each argument: what to add to the argument's gradient when the gradient of the result is known.
The build turns the rows into nodes. Your rows are turned into nodes at run time, and take the place
of the library's: afterwards ``x / y`` records what you wrote.

A formula is a string, an expression of

    grad            the gradient of the result, as large as the result
    self, other     the operator's arguments, as they were when it was called
    result          the operator's result
    alpha           a number that was passed by keyword; it has no formula itself

with ``+ - * / **``, comparisons, functions such as ``exp(x)``, ``sqrt(x)`` and ``where(x > 0, x, y)``
(without ``torch.``), the methods ``mm``, ``t``, ``sum`` and ``expand_as``, and the attribute ``mT``.
All numbers are real here. For example, the row of ``exp`` is

    {"self": "grad * result"}

Everything that a formula names is kept in memory until the backward pass, so name as few tensors as
possible. Sums over broadcast dimensions are done for you: a formula may return a gradient as large
as the result.
"""


def sub():
    """Return the row of ``sub(self, other, *, alpha=1)``: ``self - alpha * other``."""
    # <answer sub>
    # hint: If `other` grows by a little, in which direction does the result move?
    # hint: And how far does it move if alpha is 3?
    # hint: The formula of `self` is "grad". That of `other` has a sign and a factor.
    return {"self": "grad", "other": "-grad * alpha"}
    # <wrong sign_of_other>
    #| return {"self": "grad", "other": "grad * alpha"}
    # <wrong alpha_forgotten>
    #| return {"self": "grad", "other": "-grad"}
    # </answer>


def div():
    """Return the row of ``div(self, other)``: the quotient."""
    # <answer div>
    # hint: Write the quotient as `self` times 1 / other.
    # hint: The derivative of 1 / other is -1 / other**2.
    # hint: self / other**2 is result / other. So `self` need not be kept.
    return {"self": "grad / other", "other": "-grad * result / other"}
    # <wrong divided_by_self>
    #| return {"self": "grad / other", "other": "-grad * result * result / self"}
    # <wrong square_forgotten>
    #| return {"self": "grad / other", "other": "-grad * self / other"}
    # </answer>


def sigmoid():
    """Return the row of ``sigmoid(self)``: ``1 / (1 + exp(-self))``.

    `self` may be changed before the backward pass, so do not keep it.
    """
    # <answer sigmoid>
    # hint: Differentiate, and then look for the result in what you get.
    # hint: The derivative is s * (1 - s), where s is the sigmoid itself.
    # hint: Name `result` and not `self`. Then the input is not kept, and may be changed.
    return {"self": "grad * result * (1 - result)"}
    # <wrong input_for_result>
    #| return {"self": "grad * sigmoid(self) * (1 - sigmoid(self))"}
    # <wrong result_taken_for_input>
    #| return {"self": "grad * sigmoid(result) * (1 - sigmoid(result))"}
    # </answer>


def mm():
    """Return the row of ``mm(self, other)``: the product of two matrices."""
    # <answer mm>
    # hint: The gradient of `self` has the shape of `self`. Which product of grad and other has it?
    # hint: result[i, k] is the sum over j of self[i, j] * other[j, k]. Where does self[i, j] occur?
    # hint: The gradient of `self` is grad times the transpose of `other`; `.mT` transposes.
    return {"self": "grad.mm(other.mT)", "other": "self.mT.mm(grad)"}
    # <wrong not_transposed>
    #| return {"self": "grad.mm(other)", "other": "self.mm(grad)"}
    # <wrong factors_swapped>
    #| return {"self": "grad.mm(other.mT)", "other": "grad.mm(self.mT)"}
    # </answer>


def atan2():
    """Return the row of ``atan2(self, other)``: the angle of the point (other, self).

    The formulas have to hold where `other` is 0, too.
    """
    # <answer atan2>
    # hint: Where `other` is positive, it is atan(self / other). Use the chain rule.
    # hint: The derivative of atan(q) is 1 / (1 + q * q). Multiply it out, so that nothing is divided
    #   by `other`, which may be 0.
    # hint: Both formulas have the denominator self * self + other * other.
    return {
        "self": "grad * other / (self * self + other * other)",
        "other": "-grad * self / (self * self + other * other)",
    }
    # <wrong point_turned>
    #| return {
    #|     "self": "-grad * self / (self * self + other * other)",
    #|     "other": "grad * other / (self * self + other * other)",
    #| }
    # <wrong right_half_only>
    #| return {
    #|     "self": "where(other < 0, -grad, grad) * other / (self * self + other * other)",
    #|     "other": "where(other < 0, grad, -grad) * self / (self * self + other * other)",
    #| }
    # <wrong divided_by_other>
    #| return {
    #|     "self": "grad / other / (1 + (self / other) ** 2)",
    #|     "other": "-grad * self / other ** 2 / (1 + (self / other) ** 2)",
    #| }
    # </answer>


# <tests>
from exercises import plugs
from exercises.rows import plug, poison
from exercises.scenario import error_of, scenario

ABOUT = {
    "number": 5,
    "title": "Five derivatives",
    "part": "The graph",
    "goal": "Write rows of the table from which the nodes of all operators are made.",
    "reading": ["learn/backward/08_formula", "learn/zero/vjp"],
    "difficulty": 2,
    "importance": 5,
    "hours": 3,
}

SIGNATURES = {
    "sub.Tensor": ("self, other, *, alpha=1", "sub"),
    "div.Tensor": ("self, other", "div"),
    "sigmoid": ("self", "sigmoid"),
    "mm": ("self, other", "mm"),
    "atan2": ("self, other", "atan2"),
}


def install(piece):
    return plug(
        {
            overload: (signature, getattr(piece, name))
            for overload, (signature, name) in SIGNATURES.items()
        }
    )


def retire():
    plugs.forbid_functions("saved_tensors_hooks", "save_on_cpu")
    poison(SIGNATURES)


def leaf(torch, values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def gradients(torch, draw, function, *shapes, low=-2.0, high=2.0):
    """Yield the gradients of a function for a drawn gradient of its result."""
    leaves = [leaf(torch, draw.floats(*shape, low=low, high=high)) for shape in shapes]
    result = function(*leaves)
    weight = torch.tensor(draw.floats(*result.shape), dtype=torch.float64)
    for k, grad in enumerate(torch.autograd.grad(result, leaves, weight)):
        yield f"gradient of argument {k}", grad


@scenario(points=4, idea="A larger `other` makes the difference smaller.")
def a_difference(torch, piece, draw):
    yield from gradients(torch, draw, lambda a, b: a - b, (3,), (3,))


@scenario(points=10, idea="`alpha` is a factor of `other`.")
def a_difference_with_alpha(torch, piece, draw):
    alpha = draw.integer(2, 9)
    yield from gradients(torch, draw, lambda a, b: torch.sub(a, b, alpha=alpha), (2, 3), (2, 3))


@scenario(points=4, idea="Formulas may be as large as the result; sums are done for you.")
def a_difference_that_broadcasts(torch, piece, draw):
    yield from gradients(torch, draw, lambda a, b: a - b, (2, 3), (3,))


@scenario(points=10, idea="Write the quotient as a product with 1 / other.")
def a_quotient(torch, piece, draw):
    up = torch.tensor([1.0, 0.0, -1.0, -1.0], dtype=torch.float64)
    down = torch.tensor([1.0, -1.0, 1.0, -1.0], dtype=torch.float64)
    yield from gradients(
        torch, draw, lambda a, b: (a * up) / (b * down), (4,), (4,), low=0.5, high=3.0
    )


@scenario(points=10, idea="The derivative of a sigmoid can be written with its result.")
def a_sigmoid(torch, piece, draw):
    yield from gradients(torch, draw, lambda a: a.sigmoid(), (5,))


@scenario(
    points=10,
    idea="Look at the shapes: only one product of the matrices fits.",
    page="learn/zero/vjp",
)
def a_product_of_matrices(torch, piece, draw):
    yield from gradients(torch, draw, lambda a, b: a.mm(b), (2, 3), (3, 4))


@scenario(
    points=6,
    idea="In square matrices, the order and the transposes matter.",
    page="learn/zero/vjp",
)
def a_product_of_square_matrices(torch, piece, draw):
    yield from gradients(torch, draw, lambda a, b: a.mm(b), (3, 3), (3, 3))


@scenario(points=6, idea="Use the chain rule on atan(self / other).")
def an_angle(torch, piece, draw):
    up = torch.tensor([1.0, 1.0, -1.0, -1.0], dtype=torch.float64)
    right = torch.tensor([1.0, -1.0, 1.0, -1.0], dtype=torch.float64)
    yield from gradients(
        torch, draw, lambda a, b: torch.atan2(a * up, b * right), (4,), (4,), low=0.5, high=3.0
    )


# </tests>


# <hidden>
@scenario(points=10, hidden=True, idea="The derivative of an angle exists where `other` is 0.")
def an_angle_on_the_vertical_axis(torch, piece, draw):
    y = leaf(torch, draw.floats(3, low=0.5, high=3.0))
    x = leaf(torch, [0.0, -0.0, -draw.floats(low=0.5, high=2.0)])
    torch.atan2(y, x).sum().backward()
    yield "y.grad", y.grad
    yield "x.grad", x.grad


@scenario(points=10, hidden=True, idea="What is not named in a formula is not kept.")
def the_input_of_a_sigmoid_may_change(torch, piece, draw):
    x = leaf(torch, draw.floats(3))
    doubled = x * 2
    y = doubled.sigmoid()
    doubled.mul_(3)
    failed = error_of(lambda: y.sum().backward())
    yield "error", failed
    yield "x.grad", x.grad


@scenario(points=6, hidden=True, idea="Formulas are differentiated, too, for second derivatives.")
def second_derivatives(torch, piece, draw):
    a, b = (leaf(torch, draw.floats(3, low=0.5, high=2.0)) for _ in range(2))
    first = torch.autograd.grad((a / b).sigmoid().sum(), [a, b], create_graph=True)
    second = torch.autograd.grad(sum((g * g).sum() for g in first), [a, b])
    for k in range(2):
        yield f"first {k}", first[k].detach()
        yield f"second {k}", second[k]


@scenario(points=4, hidden=True, idea="A number broadcasts, too.")
def a_quotient_with_one_number(torch, piece, draw):
    yield from gradients(torch, draw, lambda a, b: a / b, (3, 2), (1,), low=0.5, high=3.0)


@scenario(points=4, hidden=True, idea="An argument that needs no gradient gets none.")
def only_one_argument_needs_a_gradient(torch, piece, draw):
    weight = torch.tensor(draw.floats(3, 2), dtype=torch.float64)
    yield from gradients(torch, draw, lambda a: (a.mm(weight) - 1).sigmoid(), (2, 3))


@scenario(points=6, hidden=True, idea="All rows together train a small network.")
def a_few_steps_of_training(torch, piece, draw):
    w = leaf(torch, draw.floats(3, 1))
    x = torch.tensor(draw.floats(4, 3), dtype=torch.float64)
    y = torch.tensor(draw.floats(4, 1, low=0.0, high=1.0), dtype=torch.float64)
    for _ in range(5):
        difference = x.mm(w).sigmoid() - y
        (grad,) = torch.autograd.grad((difference * difference).sum() / 4, w)
        with torch.no_grad():
            w -= grad
    yield "w", w


MISTAKES = {
    "sign_of_other": "The formula of `other` in sub has the wrong sign.",
    "alpha_forgotten": "sub ignores alpha, which is a factor of `other`.",
    "divided_by_self": "The formula of `other` in div divides by `self`, which may be 0.",
    "square_forgotten": "The derivative of 1 / other is -1 / other**2; the square is missing.",
    "input_for_result": "The formula of sigmoid is right, but it names `self`. So the input is kept, "
    "and must not change before the backward pass. `result` will do.",
    "result_taken_for_input": "The formula of sigmoid applies sigmoid to its result once more.",
    "not_transposed": "The formulas of mm multiply by the other matrix as it is, not transposed.",
    "factors_swapped": "The two factors in mm's formula of `other` are in the wrong order.",
    "point_turned": "The two formulas of atan2 are exchanged: `self` is the height of the point.",
    "right_half_only": "The formulas of atan2 hold where `other` is negative, too. No sign changes there.",
    "divided_by_other": "The formulas of atan2 divide by `other`, which is 0 on the vertical axis.",
}
# </hidden>
