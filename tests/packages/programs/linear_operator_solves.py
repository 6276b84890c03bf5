"""linear_operator: structured matrices, solves and determinants."""

import torch


def show(*values):
    print(*(round(float(value), 4) for value in values))


from linear_operator.operators import (
    DenseLinearOperator,
    DiagLinearOperator,
    KroneckerProductLinearOperator,
    ToeplitzLinearOperator,
)

torch.manual_seed(0)
a = torch.randn(4, 4)
A = a @ a.T + 4 * torch.eye(4)
b = torch.randn(4, 2)
D = DenseLinearOperator(A)
show(
    D.solve(b).sum(),
    D.logdet(),
    D.diagonal().sum(),
    (D @ b).sum(),
    D.cholesky().to_dense().sum(),
    *D.inv_quad_logdet(b, logdet=True),
)
E = D + DiagLinearOperator(torch.ones(4))
show(E.solve(b).sum(), E.logdet())
T = ToeplitzLinearOperator(torch.tensor([4.0, 1.0, 0.5, 0.1]))
show(T.matmul(b).sum(), T.solve(b).sum())
K = KroneckerProductLinearOperator(D, D)
show(K.logdet(), K.to_dense().sum())
