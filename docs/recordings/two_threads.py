import threading

import minitorch as torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
h = w * 2
first = h.sum()
second = (w * 10).sum()


def on_the_other_thread():
    second.backward()


def start_the_other(gradient):
    thread = threading.Thread(target=on_the_other_thread)
    thread.start()
    thread.join()


h.register_hook(start_the_other)
first.backward()
