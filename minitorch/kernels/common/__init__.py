"""Code that loops of every kind use: instruction sets, threads, dtypes, copies, the tables of kernels."""
