"""Save to a file and be killed in the middle of it, by the signal for a file that grows too large."""

import resource
import signal
import sys

import minitorch as torch

signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
torch.save(torch.ones(1 << 20), sys.argv[1])
