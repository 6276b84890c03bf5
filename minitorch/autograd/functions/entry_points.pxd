# The functions and methods that Python calls for the operators.

cdef object unfit              # a body returns it if the arguments have not exactly the types that it takes

# make the functions and methods of call_table.py; `bodies` are in the order of its BODIES
cdef int install(void** bodies, dict namespace, type cls) except -1
