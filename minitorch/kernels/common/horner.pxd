# Polynomials by Horner's rule, from tables of coefficients, which begin with the highest power:
#
#     cdef extern from *:
#         """
#         static const double minitorch_example[] = {0.5, -2, 1};
#         """
#         const double* EXAMPLE "minitorch_example"
#
#     horner(EXAMPLE, x)          # 0.5 * x**2 - 2 * x + 1
#
# The tables are constant and their lengths known, so that gcc unrolls the loop completely. A call compiles to what
# a multiplication and an addition for each coefficient would compile to, in loops that gcc vectorises too. This
# needs the array itself: in a macro a pointer to it has no length, and does not compile.

cdef extern from *:
    """
    #define MINITORCH_HORNER(name, type) \
        static inline __attribute__((always_inline)) type name(const type* table, int size, type x) { \
            type p = table[0]; \
            _Pragma("GCC unroll 32") \
            for (int i = 1; i < size; ++i) p = p * x + table[i]; \
            return p; \
        }
    MINITORCH_HORNER(minitorch_horner_d, double)
    MINITORCH_HORNER(minitorch_horner_f, float)
    #define MINITORCH_SIZE(table) ((int)(sizeof(table) / sizeof(*(table)) \
        + 0 * sizeof(char[1 - 2 * __builtin_types_compatible_p(__typeof__(table), __typeof__(&*(table)))])))
    #define minitorch_horner(table, x) minitorch_horner_d(table, MINITORCH_SIZE(table), x)
    #define minitorch_hornerf(table, x) minitorch_horner_f(table, MINITORCH_SIZE(table), x)
    """
    double horner "minitorch_horner"(const double* table, double x) noexcept nogil
    float hornerf "minitorch_hornerf"(const float* table, float x) noexcept nogil
