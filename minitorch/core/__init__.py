"""dtype, allocator, storage, tensor_impl, iterator, generator: the data, and nothing that differentiates it."""
