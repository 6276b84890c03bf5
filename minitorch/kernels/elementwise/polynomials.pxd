# Orthogonal polynomials: Chebyshev, Hermite, Laguerre and Legendre.

cdef void register() except *
