"""minitorch against PyTorch, in one pair of processes.

``python -m benchmarks engine|kernels|transforms|training`` starts two children that differ only in
the library they import, and lets them work by turns: whatever else the machine does hits both
alike. A turn repeats a case for a few dozen milliseconds and keeps the best time; the ratio of a
case is the median over the turns of ours to theirs. Python's collector stays at its defaults.

Files
-----
case.py      what a case is, and how a child measures one
child.py     the process that imports one library and answers the parent
runner.py    the parent: starts the children, gives out the turns, compares the results
report.py    the table and its geometric mean
engine.py, kernels.py, transforms.py, training.py
             the workloads; each has ``cases(torch) -> list[Case]``
kernels_backward.py, jacobians.py
             parts of kernels.py and of transforms.py
inputs.py    the tensors they work on
"""
