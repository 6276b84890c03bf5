"""The memory of the kernel tables; all zero until the files with loops have filled it."""
