# Random numbers: tensors filled in place, and tensors drawn from tensors of parameters.
#
# `generator` is a core Generator, or None for the default one. The numbers equal PyTorch's, in PyTorch's order:
# in memory order for a tensor without gaps, else along the smallest stride first. Parameters are checked before
# anything is drawn.

from minitorch.core.tensor_impl cimport TensorImpl

# In place; they return self
cdef TensorImpl uniform_(TensorImpl self, double from_, double to, object generator)
cdef TensorImpl normal_(TensorImpl self, double mean, double std, object generator)
cdef TensorImpl log_normal_(TensorImpl self, double mean, double std, object generator)
cdef TensorImpl exponential_(TensorImpl self, double lambd, object generator)
cdef TensorImpl geometric_(TensorImpl self, double p, object generator)
cdef TensorImpl cauchy_(TensorImpl self, double median, double sigma, object generator)
cdef TensorImpl bernoulli_scalar_(TensorImpl self, double p, object generator)
cdef TensorImpl bernoulli_tensor_(TensorImpl self, TensorImpl p, object generator)
cdef TensorImpl random_(TensorImpl self, object generator)            # 0 to the type's maximum
# from_ <= x < to; None: up to and including the dtype's maximum
cdef TensorImpl random_from_to_(TensorImpl self, object from_, object to, object generator)
cdef TensorImpl random_to_(TensorImpl self, object to, object generator)
cdef TensorImpl randperm_(TensorImpl self, object generator)          # one dimension, contiguous

# New tensors
cdef TensorImpl bernoulli(TensorImpl self, object generator=*)        # self: the probabilities
cdef TensorImpl bernoulli_p(TensorImpl self, double p, object generator=*)
cdef TensorImpl normal_tensor_tensor(TensorImpl mean, TensorImpl std, object generator=*)
cdef TensorImpl normal_tensor_float(TensorImpl mean, double std=*, object generator=*)
cdef TensorImpl normal_float_tensor(double mean, TensorImpl std, object generator=*)
cdef TensorImpl multinomial(TensorImpl self, object num_samples, bint replacement=*, object generator=*)
cdef TensorImpl poisson(TensorImpl self, object generator=*)
cdef TensorImpl _standard_gamma(TensorImpl self, object generator=*)
# The derivative of the samples `output` with respect to `self`
cdef TensorImpl _standard_gamma_grad(TensorImpl self, TensorImpl output)
cdef TensorImpl binomial(TensorImpl count, TensorImpl prob, object generator=*)
