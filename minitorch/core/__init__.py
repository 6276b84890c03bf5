"""The data of tensors, without gradients: dtypes, memory, storages, impls, iterators, generators."""
