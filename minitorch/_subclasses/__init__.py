"""Kinds of tensors that PyTorch has beside the ordinary one."""
