"""Matrix products as compositions of other operators, and their derivatives."""


def outer_composed(self: Tensor, vec2: Tensor) -> Tensor:
    """Return the products of every two elements."""
    if self.dim() != 1:
        raise RuntimeError(f"outer: Expected 1-D argument self, but got {self.dim()}-D")
    if vec2.dim() != 1:
        raise RuntimeError(f"outer: Expected 1-D argument vec2, but got {vec2.dim()}-D")
    return reshape(self, (self.size(0), 1)) * vec2


def mm_mat1_grad(
    grad: Tensor, mat2: Tensor, sizes: "int[]", strides: "int[]", alpha: Scalar
) -> Tensor:
    """Return grad @ mat2.H, column-major if the matrix is."""
    if strides[0] == 1 and strides[1] == sizes[0]:
        return maybe_multiply(t(mm(mat2.conj(), t(grad))), alpha.conj())
    return maybe_multiply(mm(grad, t(mat2).conj()), alpha.conj())


def mm_mat2_grad(
    grad: Tensor, mat1: Tensor, sizes: "int[]", strides: "int[]", alpha: Scalar
) -> Tensor:
    """Return mat1.H @ grad, column-major if the matrix is."""
    if strides[0] == 1 and strides[1] == sizes[0]:
        return maybe_multiply(t(mm(t(grad), mat1.conj())), alpha.conj())
    return maybe_multiply(mm(t(mat1).conj(), grad), alpha.conj())


def matmul_composed(self: Tensor, other: Tensor) -> Tensor:
    """Compose matmul of the products and views that PyTorch uses, so that the graph is the same."""
    if unseen(self, other):
        return _matmul(self, other)
    lonely = lonely_batch_of(self, other)
    if lonely == 1:
        return matmul_composed(squeeze_dim(self, 0), other)
    if lonely == 2:
        return matmul_composed(self, squeeze_dim(other, 0))
    plan = matmul_plan_of(self, other)
    if plan == "dot":
        return dot(self, other)
    if plan == "mv":
        return mv(self, other)
    if plan == "vector_mm":
        return r_squeeze_dim_(mm(unsqueeze(self, 0), other), 0)
    if plan == "mm":
        return mm(self, other)
    if plan == "fold":
        lead = self.sizes()[:-1]
        folded = reshape(self, (numel_of(lead), self.sizes()[-1]))
        if other.dim() == 1:
            return _unsafe_view(mv(folded, other), lead)
        return _unsafe_view(mm(folded, other), lead + other.sizes()[-1:])
    if not other.is_plain() and self.dim() < other.dim():
        transpose(other, -1, -2)  # seen by modes: PyTorch checks if it folds
    if plan == "fold_right":
        turned = transpose(other, -1, -2)
        lead = turned.sizes()[:-1]
        small = self if self.dim() == 1 else t(self)
        folded = reshape(turned, (numel_of(lead), turned.sizes()[-1]))
        if self.dim() == 1:
            return _unsafe_view(mv(folded, small), lead)
        return contiguous(
            transpose(_unsafe_view(mm(folded, small), lead + self.sizes()[:1]), -1, -2)
        )
    shapes = matmul_shapes_of(self, other)
    left = reshape(expand(self, shapes[0]), shapes[1])
    right = reshape(expand(other, shapes[2]), shapes[3])
    if other.dim() == 1:
        right = unsqueeze(right, 2)
    product = bmm(left, right)
    if other.dim() == 1:
        product = squeeze_dim(product, -1)
    return _unsafe_view(product, shapes[4])


def linear_composed(input: Tensor, weight: Tensor, bias: "Tensor?") -> Tensor:
    """Return input @ weight.T + bias, as a single addmm if possible."""
    if not records():
        return _linear(input, weight, bias)
    if input.dim() == 0 or weight.dim() == 0:
        name = "matmul" if is_transformed(input) or is_transformed(weight) else "linear"
        raise RuntimeError(
            f"both arguments to {name} need to be at least 1D, but they are "
            f"{input.dim()}D and {weight.dim()}D"
        )
    if bias is None:
        return matmul(input, t(weight))
    if input.dim() == 2:
        return addmm(bias, input, t(weight))
    if is_contiguous_of(input) and bias.is_fusable():
        lead = input.sizes()[:-1]
        return view(
            addmm(bias, view(input, (numel_of(lead), input.sizes()[-1])), t(weight)),
            lead + weight.sizes()[:1],
        )
    product = matmul(input, t(weight))
    if bias.is_plain():
        return r_add_(product, bias, 1)
    return product + bias


# ---- the product rule; a factor without a tangent adds no term, so that infinity and nan have no
# effect


def dot_tangent(self_t: "Tensor?", self_p: Tensor, tensor_t: "Tensor?", tensor_p: Tensor) -> Tensor:
    """Apply the product rule to dot."""
    if self_t is None:
        return dot(self_p, tensor_t)
    change = dot(self_t, tensor_p)
    return change if tensor_t is None else change + dot(self_p, tensor_t)


def vdot_tangent(self_t: "Tensor?", self_p: Tensor, other_t: "Tensor?", other_p: Tensor) -> Tensor:
    """Apply the product rule to vdot."""
    if self_t is None:
        return vdot(self_p, other_t)
    change = vdot(self_t, other_p)
    return change if other_t is None else change + vdot(self_p, other_t)


def cross_tangent(
    self_t: "Tensor?", self_p: Tensor, other_t: "Tensor?", other_p: Tensor, dim: int
) -> Tensor:
    """Apply the product rule to linalg_cross."""
    if self_t is None:
        return linalg_cross(self_p, other_t, dim)
    change = linalg_cross(self_t, other_p, dim)
    return change if other_t is None else change + linalg_cross(self_p, other_t, dim)


def atan2_tangent(self_t: "Tensor?", self_p: Tensor, other_t: "Tensor?", other_p: Tensor) -> Tensor:
    """Return (x dy - y dx) / (x^2 + y^2)."""
    square = self_p * self_p + other_p * other_p
    if self_t is None:
        return -self_p * other_t / square
    change = other_p * self_t
    if other_t is not None:
        change = change - self_p * other_t
    return change / square
