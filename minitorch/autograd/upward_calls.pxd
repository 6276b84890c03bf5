# Calls from the compiled modules of autograd into modules that are built on them: Note [Upward calls].

cdef object autograd_calls               # an AutogradCalls
cdef object dispatch_calls               # a DispatchCalls
cdef object transform_calls              # a TransformCalls
