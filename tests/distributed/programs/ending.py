"""Rank 1 of three leaves in the way that the argument says, while the others go on."""

import os
import signal
import sys
import time
from datetime import timedelta

import torch
import torch.distributed as dist


def main(how):
    dist.init_process_group("mpi", timeout=timedelta(seconds=4))
    rank = dist.get_rank()
    dist.all_reduce(torch.ones(3))
    if how == "subgroup":  # its timeout is longer than the test
        group = dist.new_group([0, 1])
        if rank == 0:
            dist.all_reduce(torch.ones(3), group=group)
            dist.all_reduce(torch.ones(3), group=group)
        elif rank == 1:
            dist.all_reduce(torch.ones(3), group=group)
            dist.destroy_process_group()
        return
    if rank == 1:
        if how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif how == "raise":
            raise ValueError("on purpose")
        elif how == "exit":
            sys.exit(3)
        elif how == "return":
            return
        elif how == "sleep":
            time.sleep(60)
    work = dist.all_reduce(torch.ones(3), async_op=how == "raise")
    if work is not None:
        work.wait()
    time.sleep(60)


if __name__ == "__main__":
    main(sys.argv[1])
