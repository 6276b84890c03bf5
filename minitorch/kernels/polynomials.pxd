# Orthogonal polynomials: of Chebyshev, Hermite, Laguerre and Legendre.

cdef void register() except *
