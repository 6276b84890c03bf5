"""The base of nodes that save more than `Node` has room for.

Its slots are declared one by one, as those of `Node` are, so that formulas read them without a look-up.
"""

cimport cython

from minitorch.autograd.node cimport Node, name_plainly
from minitorch.core.tensor_impl cimport TensorImpl


@cython.trashcan(True)
cdef class WideNode(Node):
    cdef int release_variables(self) except -1:
        self.saved3 = self.saved4 = self.saved5 = self.saved6 = None
        return Node.release_variables(self)

    cdef TensorImpl get_saved(self, int slot, unsigned int* version):
        if slot < 3:
            return Node.get_saved(self, slot, version)
        if slot == 3:
            version[0] = self.version3
            return self.saved3
        if slot == 4:
            version[0] = self.version4
            return self.saved4
        if slot == 5:
            version[0] = self.version5
            return self.saved5
        version[0] = self.version6
        return self.saved6

    cdef int put_saved(self, int slot, TensorImpl saved, unsigned int version) except -1:
        if slot < 3:
            return Node.put_saved(self, slot, saved, version)
        if slot == 3:
            self.saved3 = saved
            self.version3 = version
        elif slot == 4:
            self.saved4 = saved
            self.version4 = version
        elif slot == 5:
            self.saved5 = saved
            self.version5 = version
        else:
            self.saved6 = saved
            self.version6 = version
        return 0


name_plainly(WideNode)
