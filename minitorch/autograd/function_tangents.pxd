# Forward mode through a user's `Function`: calling its `jvp`.

# Give the outputs of the call with context `ctx` their tangents; `differentiable` says which outputs can have one
cdef int call_jvp(object ctx, tuple inputs, list outputs, list differentiable, list dirty,
                  bint materialize) except -1
