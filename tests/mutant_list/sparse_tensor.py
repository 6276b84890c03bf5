"""Mutants of `autograd/sparse_tensor.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/sparse_tensor.pyx",
        (
            "            if old is None and alone and self",
            "            if old is None and self",
            "a sparse gradient of two leaves is shared",
        ),
        (
            "            elif old is None:\n                variable._grad = engine_operators.clone(new)\n",
            "            elif old is None:\n                variable._grad = new\n",
            "a shared sparse gradient becomes .grad",
        ),
        (
            "            elif is_sparse(old.impl) and not is_sparse(new.impl):\n",
            "            elif is_sparse(old.impl):\n",
            "sparse on sparse makes a new tensor",
        ),
        (
            "        finally:\n            set_grad_enabled(mode)\n        return True\n",
            "        finally:\n            set_grad_enabled(True)\n        return True\n",
            "grad mode after a sparse gradient",
        ),
        (
            "        return engine_operators.add(<TensorBase>new, <TensorBase>old)  ",
            "        return engine_operators.add(<TensorBase>old, <TensorBase>new)  ",
            "dense on sparse",
        ),
    ),
]
