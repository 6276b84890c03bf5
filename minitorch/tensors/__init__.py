"""Storages, pickles, settings, dtypes, and the operator rules of special kinds of tensors."""
