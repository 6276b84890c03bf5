"""What is around the data of a tensor: storages, pickles, settings, types, and the rules of kinds of tensors."""
