import threading

import minitorch as torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
first = (w * 2).sum()
second = (w * 10).sum()

thread = threading.Thread(target=second.backward)


def start_the_other(gradient):
    thread.start()
    thread.join()


first.register_hook(start_the_other)
first.backward()
