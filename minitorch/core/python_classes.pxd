# The subclasses in Python of compiled classes: see python_classes.pyx.

cdef dict python_classes                 # compiled class -> its subclass in Python
