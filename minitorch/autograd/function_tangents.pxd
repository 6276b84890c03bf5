# Forward mode through a user's `Function`: its `jvp`, called once for each level.

# Give the `outputs` of the call that `ctx` is of their tangents; `differentiable`: which can have one
cdef int call_jvp(object ctx, tuple inputs, list outputs, list differentiable, list dirty,
                  bint materialize) except -1
