"""The first interface to operators of programs; `torch.library` is the present one."""
