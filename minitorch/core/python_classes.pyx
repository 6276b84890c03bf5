"""The subclasses in Python of `UntypedStorage` and `Generator`.

Programs see a subclass of these two compiled classes, whose other methods are written in Python with tensors. Compiled
code makes instances of that subclass, which is in a higher layer and so is registered here.
"""

python_classes = {}


# Slot: the methods of these classes are written with tensors, and compiled code below must return instances of them
def register_python_class(cls):
    """Make compiled code return instances of `cls` where it would return instances of its base class."""
    python_classes[cls.__base__] = cls
