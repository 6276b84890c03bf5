"""Write three optimizers, and train a transformer with the best of them.

After ``loss.backward()`` every parameter has a gradient. What remains is arithmetic: how far does
each parameter move? You write the three optimizers that most networks are trained with, and what
belongs around them:

1. `UpdateRule.step` goes through all parameters, for every optimizer;
2. `SGD.update` follows a velocity;
3. `adam_`, `Adam.update` and `AdamW.update` follow running means;
4. `clip_grad_norm_` makes gradients shorter that are too long;
5. `rate` says how the learning rate rises and falls;
6. `train_step` puts all this into the right order.

The optimizers inherit from the library's `torch.optim.Optimizer`. That class moves nothing. It keeps
two things, which `state_dict()` saves and `load_state_dict()` restores:

    self.param_groups   a list of dicts: "params" has some tensors, and "lr" and the other keys are
                        the options for these tensors
    self.state          what is remembered from step to step, ``self.state[p]`` for the parameter
                        `p`: a dict that is empty before the first step

So an optimizer that keeps everything there can be saved and restored without a line of its own. The
entries have the same names as in PyTorch, so that checkpoints can be exchanged.

A parameter has to stay the same tensor, since the model and everything else refer to it. So all
changes are made in place, by methods such as ``p.add_(x, alpha=2.0)``, ``p.mul_(0.5)`` and
``p.addcdiv_(x, y, value=-1.0)``, which adds ``-1.0 * x / y``. The gradient is not yours to change: the
user may want to look at it, or add the next one to it.

Run this file when you have written everything. The loss begins near 2.7 and falls below 1. A model
that guesses among the 14 characters has a loss of log(14), which is 2.64.
"""

import math

import minitorch as torch
from minitorch import nn
from minitorch.nn import functional as F

# ---- yours to write


class UpdateRule(torch.optim.Optimizer):
    """An optimizer that moves one parameter at a time, by `update`."""

    def step(self, closure=None):
        """Move all parameters that have a gradient.

        Parameters
        ----------
        closure : callable, optional
            A function that computes the loss once more, calls `backward` and returns the loss. Some
            users pass it, because some optimizers have to call it several times.

        Returns
        -------
        object
            What the closure has returned, or None without one.
        """
        # <answer UpdateRule.step>
        # hint: Call the closure first: it makes the gradients. Then go through the groups, and in
        #   each group through its parameters.
        # hint: A leaf that requires a gradient may only change in place while nothing is recorded,
        #   that is ``with torch.no_grad():``. But the closure has to record.
        # hint: Call ``self.update(p, p.grad, self.state[p], group)`` where ``p.grad`` is not None. A
        #   parameter without a gradient was not used: nothing about it changes, not even its state.
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self.update(p, p.grad, self.state[p], group)
        return loss
        # <wrong closure_forgotten>
        #| with torch.no_grad():
        #|     for group in self.param_groups:
        #|         for p in group["params"]:
        #|             if p.grad is not None:
        #|                 self.update(p, p.grad, self.state[p], group)
        # <wrong closure_without_a_graph>
        #| loss = None
        #| with torch.no_grad():
        #|     if closure is not None:
        #|         loss = closure()
        #|     for group in self.param_groups:
        #|         for p in group["params"]:
        #|             if p.grad is not None:
        #|                 self.update(p, p.grad, self.state[p], group)
        #| return loss
        # <wrong closure_called_last>
        #| with torch.no_grad():
        #|     for group in self.param_groups:
        #|         for p in group["params"]:
        #|             if p.grad is not None:
        #|                 self.update(p, p.grad, self.state[p], group)
        #| return None if closure is None else closure()
        # <wrong none_is_taken_for_zero>
        #| loss = None
        #| if closure is not None:
        #|     with torch.enable_grad():
        #|         loss = closure()
        #| with torch.no_grad():
        #|     for group in self.param_groups:
        #|         for p in group["params"]:
        #|             grad = torch.zeros_like(p) if p.grad is None else p.grad
        #|             self.update(p, grad, self.state[p], group)
        #| return loss
        # <wrong state_by_index>
        #| loss = None
        #| if closure is not None:
        #|     with torch.enable_grad():
        #|         loss = closure()
        #| with torch.no_grad():
        #|     for group in self.param_groups:
        #|         for index, p in enumerate(group["params"]):
        #|             if p.grad is not None:
        #|                 self.update(p, p.grad, self.state[index], group)
        #| return loss
        # <wrong state_kept_elsewhere>
        #| loss = None
        #| if closure is not None:
        #|     with torch.enable_grad():
        #|         loss = closure()
        #| self.memory = getattr(self, "memory", {})
        #| with torch.no_grad():
        #|     for group in self.param_groups:
        #|         for p in group["params"]:
        #|             if p.grad is not None:
        #|                 self.update(p, p.grad, self.memory.setdefault(p, {}), group)
        #| return loss
        # <wrong one_rate_for_all_groups>
        #| loss = None
        #| if closure is not None:
        #|     with torch.enable_grad():
        #|         loss = closure()
        #| with torch.no_grad():
        #|     for group in self.param_groups:
        #|         for p in group["params"]:
        #|             if p.grad is not None:
        #|                 self.update(p, p.grad, self.state[p], self.defaults)
        #| return loss
        # </answer>

    def update(self, p, grad, state, group):
        """Move one parameter in place.

        Parameters
        ----------
        p, grad : Tensor
            The parameter and its gradient.
        state : dict
            What is remembered of this parameter; empty before its first step.
        group : dict
            The options, such as ``group["lr"]``.
        """
        raise NotImplementedError


class SGD(UpdateRule):
    """Stochastic gradient descent with momentum."""

    def __init__(
        self, params, lr=1e-3, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False
    ):
        defaults = {"lr": lr, "momentum": momentum, "dampening": dampening}
        super().__init__(params, {**defaults, "weight_decay": weight_decay, "nesterov": nesterov})

    def update(self, p, grad, state, group):
        """Move one parameter against its velocity.

        First the weight decay: add ``weight_decay * p`` to the gradient, as if half the square of
        the parameter, times ``weight_decay``, were a part of the loss. Then the velocity, which
        remembers the gradients of the earlier steps::

            velocity = momentum * velocity + (1 - dampening) * gradient

        In the first step the velocity is the gradient itself, without dampening. Keep it as
        ``state["momentum_buffer"]``. The parameter moves by ``-lr * velocity``. With `nesterov` it
        moves by ``-lr * (gradient + momentum * velocity)``, which looks one step ahead. If
        `momentum` is 0 there is no velocity: the parameter moves by ``-lr * gradient``.

        References
        ----------
        Sutskever, Martens, Dahl, Hinton: On the importance of initialization and momentum in deep
        learning, ICML 2013. PyTorch does not scale the velocity by the rate; neither do you.
        """
        # <answer SGD.update>
        # hint: ``grad.add(p, alpha=...)`` makes a new tensor; ``grad.add_`` would change ``p.grad``.
        # hint: The velocity is changed in place from the second step on. So in the first step it
        #   has to be a copy, or the user's gradient changes with it.
        # hint: Nesterov's direction is computed from the new velocity and the gradient of this
        #   step, which includes the weight decay.
        grad = grad.add(p, alpha=group["weight_decay"])
        if group["momentum"] != 0:
            if "momentum_buffer" not in state:
                state["momentum_buffer"] = grad.clone()
            else:
                velocity = state["momentum_buffer"].mul_(group["momentum"])
                velocity.add_(grad, alpha=1 - group["dampening"])
            if group["nesterov"]:
                grad = grad.add(state["momentum_buffer"], alpha=group["momentum"])
            else:
                grad = state["momentum_buffer"]
        p.add_(grad, alpha=-group["lr"])
        # <wrong first_step_is_dampened>
        #| grad = grad.add(p, alpha=group["weight_decay"])
        #| if group["momentum"] != 0:
        #|     if "momentum_buffer" not in state:
        #|         state["momentum_buffer"] = torch.zeros_like(p)
        #|     velocity = state["momentum_buffer"].mul_(group["momentum"])
        #|     velocity.add_(grad, alpha=1 - group["dampening"])
        #|     if group["nesterov"]:
        #|         grad = grad.add(velocity, alpha=group["momentum"])
        #|     else:
        #|         grad = velocity
        #| p.add_(grad, alpha=-group["lr"])
        # <wrong dampened_by_momentum>
        #| grad = grad.add(p, alpha=group["weight_decay"])
        #| if group["momentum"] != 0:
        #|     if "momentum_buffer" not in state:
        #|         state["momentum_buffer"] = grad.clone()
        #|     else:
        #|         velocity = state["momentum_buffer"].mul_(group["momentum"])
        #|         velocity.add_(grad, alpha=1 - group["momentum"])
        #|     if group["nesterov"]:
        #|         grad = grad.add(state["momentum_buffer"], alpha=group["momentum"])
        #|     else:
        #|         grad = state["momentum_buffer"]
        #| p.add_(grad, alpha=-group["lr"])
        # <wrong nesterov_forgets_the_gradient>
        #| grad = grad.add(p, alpha=group["weight_decay"])
        #| if group["momentum"] != 0:
        #|     if "momentum_buffer" not in state:
        #|         state["momentum_buffer"] = grad.clone()
        #|     else:
        #|         velocity = state["momentum_buffer"].mul_(group["momentum"])
        #|         velocity.add_(grad, alpha=1 - group["dampening"])
        #|     grad = state["momentum_buffer"]
        #|     if group["nesterov"]:
        #|         grad = grad * group["momentum"]
        #| p.add_(grad, alpha=-group["lr"])
        # <wrong nesterov_looks_back>
        #| grad = grad.add(p, alpha=group["weight_decay"])
        #| if group["momentum"] != 0:
        #|     before = state.get("momentum_buffer", torch.zeros_like(p)).clone()
        #|     if "momentum_buffer" not in state:
        #|         state["momentum_buffer"] = grad.clone()
        #|     else:
        #|         velocity = state["momentum_buffer"].mul_(group["momentum"])
        #|         velocity.add_(grad, alpha=1 - group["dampening"])
        #|     if group["nesterov"]:
        #|         grad = grad.add(before, alpha=group["momentum"])
        #|     else:
        #|         grad = state["momentum_buffer"]
        #| p.add_(grad, alpha=-group["lr"])
        # <wrong velocity_is_the_gradient>
        #| if group["weight_decay"] != 0:
        #|     grad = grad.add(p, alpha=group["weight_decay"])
        #| if group["momentum"] != 0:
        #|     if "momentum_buffer" not in state:
        #|         state["momentum_buffer"] = grad
        #|     else:
        #|         velocity = state["momentum_buffer"].mul_(group["momentum"])
        #|         velocity.add_(grad, alpha=1 - group["dampening"])
        #|     if group["nesterov"]:
        #|         grad = grad.add(state["momentum_buffer"], alpha=group["momentum"])
        #|     else:
        #|         grad = state["momentum_buffer"]
        #| p.add_(grad, alpha=-group["lr"])
        # <wrong decay_changes_the_gradient>
        #| grad.add_(p, alpha=group["weight_decay"])
        #| if group["momentum"] != 0:
        #|     if "momentum_buffer" not in state:
        #|         state["momentum_buffer"] = grad.clone()
        #|     else:
        #|         velocity = state["momentum_buffer"].mul_(group["momentum"])
        #|         velocity.add_(grad, alpha=1 - group["dampening"])
        #|     if group["nesterov"]:
        #|         grad = grad.add(state["momentum_buffer"], alpha=group["momentum"])
        #|     else:
        #|         grad = state["momentum_buffer"]
        #| p.add_(grad, alpha=-group["lr"])
        # <wrong parameter_is_replaced>
        #| grad = grad.add(p, alpha=group["weight_decay"])
        #| if group["momentum"] != 0:
        #|     if "momentum_buffer" not in state:
        #|         state["momentum_buffer"] = grad.clone()
        #|     else:
        #|         velocity = state["momentum_buffer"].mul_(group["momentum"])
        #|         velocity.add_(grad, alpha=1 - group["dampening"])
        #|     if group["nesterov"]:
        #|         grad = grad.add(state["momentum_buffer"], alpha=group["momentum"])
        #|     else:
        #|         grad = state["momentum_buffer"]
        #| p.data = p.data - group["lr"] * grad
        # </answer>


def adam_(p, grad, state, group):
    """Move one parameter by the rule of Adam, without weight decay.

    Adam keeps two running means: of the gradient, and of its square, element by element. It divides
    one by the root of the other, so that each element moves by about `lr`, however large its
    gradients are. With ``beta1, beta2 = group["betas"]``::

        mean   = beta1 * mean + (1 - beta1) * gradient
        square = beta2 * square + (1 - beta2) * gradient ** 2

    Both begin with zeros, and so they are too small in the first steps. After `t` steps the weights
    of the gradients add up to ``1 - beta ** t`` and not to 1. Adam corrects this bias: it divides
    each mean by the sum of its weights. The parameter moves by

        -lr * (mean, corrected) / (root of (square, corrected) + eps)

    Keep three entries in `state`: ``"step"``, the number of steps, as a tensor like
    ``torch.tensor(0.0)``, as in PyTorch's checkpoints, and ``"exp_avg"`` and ``"exp_avg_sq"``, the
    two means, without the correction.

    References
    ----------
    Kingma, Ba: Adam: a method for stochastic optimization, ICLR 2015, algorithm 1.
    """
    # <answer adam_>
    # hint: `state` is empty before the first step: make ``torch.tensor(0.0)`` and two tensors of
    #   zeros, with ``torch.zeros_like(p)``.
    # hint: Add 1 to the step before you use it: after the first step the weights add up to
    #   1 - beta. ``state["step"].item()`` is a Python number, which keeps all its digits.
    # hint: ``square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)`` is the second line.
    # hint: Correct the square before you take the root, and add `eps` after the root.
    beta1, beta2 = group["betas"]
    if not state:
        state["step"] = torch.tensor(0.0)
        state["exp_avg"] = torch.zeros_like(p)
        state["exp_avg_sq"] = torch.zeros_like(p)
    state["step"].add_(1)
    step = state["step"].item()
    mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
    square = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    root = (square / (1 - beta2**step)).sqrt()
    p.addcdiv_(mean, root + group["eps"], value=-group["lr"] / (1 - beta1**step))
    # <wrong bias_not_corrected>
    #| beta1, beta2 = group["betas"]
    #| if not state:
    #|     state["step"] = torch.tensor(0.0)
    #|     state["exp_avg"] = torch.zeros_like(p)
    #|     state["exp_avg_sq"] = torch.zeros_like(p)
    #| state["step"].add_(1)
    #| mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
    #| square = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    #| p.addcdiv_(mean, square.sqrt() + group["eps"], value=-group["lr"])
    # <wrong only_the_mean_is_corrected>
    #| beta1, beta2 = group["betas"]
    #| if not state:
    #|     state["step"] = torch.tensor(0.0)
    #|     state["exp_avg"] = torch.zeros_like(p)
    #|     state["exp_avg_sq"] = torch.zeros_like(p)
    #| state["step"].add_(1)
    #| step = state["step"].item()
    #| mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
    #| square = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    #| root = square.sqrt()
    #| p.addcdiv_(mean, root + group["eps"], value=-group["lr"] / (1 - beta1**step))
    # <wrong counted_from_zero>
    #| beta1, beta2 = group["betas"]
    #| if not state:
    #|     state["step"] = torch.tensor(0.0)
    #|     state["exp_avg"] = torch.zeros_like(p)
    #|     state["exp_avg_sq"] = torch.zeros_like(p)
    #| step = state["step"].item()
    #| state["step"].add_(1)
    #| mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
    #| square = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    #| if step > 0:
    #|     mean, square = mean / (1 - beta1**step), square / (1 - beta2**step)
    #| p.addcdiv_(mean, square.sqrt() + group["eps"], value=-group["lr"])
    # <wrong one_count_for_a_group>
    #| beta1, beta2 = group["betas"]
    #| if not state:
    #|     state["step"] = group.setdefault("step", torch.tensor(0.0))
    #|     state["exp_avg"] = torch.zeros_like(p)
    #|     state["exp_avg_sq"] = torch.zeros_like(p)
    #| state["step"].add_(1)
    #| step = state["step"].item()
    #| mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
    #| square = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    #| root = (square / (1 - beta2**step)).sqrt()
    #| p.addcdiv_(mean, root + group["eps"], value=-group["lr"] / (1 - beta1**step))
    # <wrong eps_inside_the_root>
    #| beta1, beta2 = group["betas"]
    #| if not state:
    #|     state["step"] = torch.tensor(0.0)
    #|     state["exp_avg"] = torch.zeros_like(p)
    #|     state["exp_avg_sq"] = torch.zeros_like(p)
    #| state["step"].add_(1)
    #| step = state["step"].item()
    #| mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
    #| square = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    #| root = (square / (1 - beta2**step) + group["eps"]).sqrt()
    #| p.addcdiv_(mean, root, value=-group["lr"] / (1 - beta1**step))
    # <wrong eps_before_the_correction>
    #| beta1, beta2 = group["betas"]
    #| if not state:
    #|     state["step"] = torch.tensor(0.0)
    #|     state["exp_avg"] = torch.zeros_like(p)
    #|     state["exp_avg_sq"] = torch.zeros_like(p)
    #| state["step"].add_(1)
    #| step = state["step"].item()
    #| mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
    #| square = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    #| size = group["lr"] * math.sqrt(1 - beta2**step) / (1 - beta1**step)
    #| p.addcdiv_(mean, square.sqrt() + group["eps"], value=-size)
    # <wrong corrected_means_are_kept>
    #| beta1, beta2 = group["betas"]
    #| if not state:
    #|     state["step"] = torch.tensor(0.0)
    #|     state["exp_avg"] = torch.zeros_like(p)
    #|     state["exp_avg_sq"] = torch.zeros_like(p)
    #| state["step"].add_(1)
    #| step = state["step"].item()
    #| mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
    #| square = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    #| mean.div_(1 - beta1**step)
    #| square.div_(1 - beta2**step)
    #| p.addcdiv_(mean, square.sqrt() + group["eps"], value=-group["lr"])
    # </answer>


class Adam(UpdateRule):
    """Adam, with weight decay as a part of the gradient."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, defaults)

    def update(self, p, grad, state, group):
        """Add ``weight_decay * p`` to the gradient, as in SGD, and move `p` by `adam_`."""
        # <answer Adam.update>
        # hint: This is one line. The gradient that `adam_` gets is a new tensor.
        adam_(p, grad.add(p, alpha=group["weight_decay"]), state, group)
        # <wrong decay_not_added>
        #| adam_(p, grad, state, group)
        # </answer>


class AdamW(Adam):
    """Adam with decoupled weight decay, which `adam_` does not see.

    In `Adam` the decay becomes a part of the gradient. Then it is divided by the root as well, and
    parameters with large gradients hardly decay. AdamW lets all of them decay at the same rate.

    References
    ----------
    Loshchilov, Hutter: Decoupled weight decay regularization, ICLR 2019.
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2):
        super().__init__(params, lr, betas, eps, weight_decay)

    def update(self, p, grad, state, group):
        """Shrink `p` by the factor ``1 - lr * weight_decay``, and then move it by `adam_`."""
        # <answer AdamW.update>
        # hint: `mul_` shrinks a tensor in place. The gradient stays as it is.
        # hint: The order matters: what `adam_` adds in this step must not shrink.
        p.mul_(1 - group["lr"] * group["weight_decay"])
        adam_(p, grad, state, group)
        # <wrong decay_is_coupled>
        #| adam_(p, grad.add(p, alpha=group["weight_decay"]), state, group)
        # <wrong decay_after_the_step>
        #| adam_(p, grad, state, group)
        #| p.mul_(1 - group["lr"] * group["weight_decay"])
        # <wrong decay_without_the_rate>
        #| p.mul_(1 - group["weight_decay"])
        #| adam_(p, grad, state, group)
        # </answer>


@torch.no_grad()
def clip_grad_norm_(parameters, max_norm):
    """Scale the gradients in place so that their total norm is at most `max_norm`.

    The total norm is that of one long vector, of all elements of all gradients: the root of the sum
    of their squares. All gradients get the same factor, and so the direction stays the same. The
    factor is ``max_norm / (norm + 1e-6)``, which never divides by 0, but it is never more than 1.

    Parameters
    ----------
    parameters : iterable of Tensor
        It may be a generator, such as ``model.parameters()``. Those without a gradient are skipped.
    max_norm : float

    Returns
    -------
    Tensor
        The total norm before scaling, a tensor with one number; ``torch.tensor(0.0)`` if there is
        no gradient.
    """
    # <answer clip_grad_norm_>
    # hint: A generator can be gone through only once, so make a list of the gradients first.
    # hint: ``torch.stack`` makes one tensor of the norms ``g.norm()``. The norm of this tensor is the
    #   total norm, because the squares of the norms are the sums of squares.
    # hint: ``(max_norm / (norm + 1e-6)).clamp(max=1.0)`` is the factor, and ``g.mul_`` scales.
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    norm = torch.stack([grad.norm() for grad in grads]).norm()
    factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(factor)
    return norm
    # <wrong each_by_its_own_norm>
    #| grads = [p.grad for p in parameters if p.grad is not None]
    #| if not grads:
    #|     return torch.tensor(0.0)
    #| norm = torch.stack([grad.norm() for grad in grads]).norm()
    #| for grad in grads:
    #|     grad.mul_((max_norm / (grad.norm() + 1e-6)).clamp(max=1.0))
    #| return norm
    # <wrong small_gradients_grow>
    #| grads = [p.grad for p in parameters if p.grad is not None]
    #| if not grads:
    #|     return torch.tensor(0.0)
    #| norm = torch.stack([grad.norm() for grad in grads]).norm()
    #| for grad in grads:
    #|     grad.mul_(max_norm / (norm + 1e-6))
    #| return norm
    # <wrong norms_are_added>
    #| grads = [p.grad for p in parameters if p.grad is not None]
    #| if not grads:
    #|     return torch.tensor(0.0)
    #| norm = torch.stack([grad.norm() for grad in grads]).sum()
    #| factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    #| for grad in grads:
    #|     grad.mul_(factor)
    #| return norm
    # <wrong generator_used_twice>
    #| norms = [p.grad.norm() for p in parameters if p.grad is not None]
    #| if not norms:
    #|     return torch.tensor(0.0)
    #| norm = torch.stack(norms).norm()
    #| factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    #| for p in parameters:
    #|     if p.grad is not None:
    #|         p.grad.mul_(factor)
    #| return norm
    # </answer>


def rate(step, warmup, total, final=0.0):
    """Return the factor of the learning rate in one step of a training.

    It rises in a straight line during the first `warmup` steps, so that step number `warmup` is the
    first one with factor 1. Then it falls along half a period of a cosine, and step number `total`
    has the factor `final`. So have all steps after it. If both numbers are the same, this step has
    the factor 1. For example, with 4 and 8 steps::

        step      1     2     3     4     5      6     7      8     9
        factor    1/4   1/2   3/4   1     0.854  0.5   0.146  0     0

    Parameters
    ----------
    step : int
        The number of the step, counted from 1.
    warmup, total : int
        With ``0 <= warmup <= total``.
    final : float
        Between 0 and 1.
    """
    # <answer rate>
    # hint: There are three cases: during the warm-up, after the last step, and between.
    # hint: Between, compute which part of the way from `warmup` to `total` is done, as a number
    #   from 0 to 1.
    # hint: ``(1 + cos(pi * done)) / 2`` falls from 1 to 0. It has to fall from 1 to `final`.
    if step <= warmup:
        return step / warmup
    if step > total:
        return final
    done = (step - warmup) / (total - warmup)
    return final + (1 - final) * (1 + math.cos(math.pi * done)) / 2
    # <wrong steps_counted_from_zero>
    #| if step <= warmup:
    #|     return (step - 1) / warmup
    #| if step > total:
    #|     return final
    #| done = (step - 1 - warmup) / (total - warmup)
    #| return final + (1 - final) * (1 + math.cos(math.pi * done)) / 2
    # <wrong cosine_over_all_steps>
    #| if step <= warmup:
    #|     return step / warmup
    #| if step > total:
    #|     return final
    #| return final + (1 - final) * (1 + math.cos(math.pi * step / total)) / 2
    # <wrong rises_again_after_the_end>
    #| if step <= warmup:
    #|     return step / warmup
    #| done = (step - warmup) / max(1, total - warmup)
    #| return final + (1 - final) * (1 + math.cos(math.pi * done)) / 2
    # <wrong final_cuts_off>
    #| if step <= warmup:
    #|     return step / warmup
    #| if step > total:
    #|     return final
    #| done = (step - warmup) / (total - warmup)
    #| return max(final, (1 + math.cos(math.pi * done)) / 2)
    # </answer>


def train_step(model, inputs, targets, optimizer, max_norm, factor):
    """Train a model on one batch.

    Gradients from before do not count. Those of this step, clipped, are still there afterwards.

    Parameters
    ----------
    model, inputs, targets
        ``loss_of(model, inputs, targets)`` is the loss.
    optimizer : Optimizer
        Each of its groups has the entry ``"initial_lr"``.
    max_norm : float
        The largest total norm that the gradients of the model may have.
    factor : float
        The learning rate of each group in this step is its ``"initial_lr"`` times this.

    Returns
    -------
    float
        The loss before the step.
    """
    # <answer train_step>
    # hint: Gradients add up. ``optimizer.zero_grad()`` removes those of the last step.
    # hint: Everything that the step uses has to be there before it: the learning rate of every
    #   group, the gradients, and their clipping.
    # hint: ``loss.item()`` is the loss as a Python number.
    for group in optimizer.param_groups:
        group["lr"] = group["initial_lr"] * factor
    optimizer.zero_grad()
    loss = loss_of(model, inputs, targets)
    loss.backward()
    clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()
    # <wrong gradients_pile_up>
    #| for group in optimizer.param_groups:
    #|     group["lr"] = group["initial_lr"] * factor
    #| loss = loss_of(model, inputs, targets)
    #| loss.backward()
    #| clip_grad_norm_(model.parameters(), max_norm)
    #| optimizer.step()
    #| return loss.item()
    # <wrong clipped_too_late>
    #| for group in optimizer.param_groups:
    #|     group["lr"] = group["initial_lr"] * factor
    #| optimizer.zero_grad()
    #| loss = loss_of(model, inputs, targets)
    #| loss.backward()
    #| optimizer.step()
    #| clip_grad_norm_(model.parameters(), max_norm)
    #| return loss.item()
    # <wrong rate_set_after_the_step>
    #| optimizer.zero_grad()
    #| loss = loss_of(model, inputs, targets)
    #| loss.backward()
    #| clip_grad_norm_(model.parameters(), max_norm)
    #| optimizer.step()
    #| for group in optimizer.param_groups:
    #|     group["lr"] = group["initial_lr"] * factor
    #| return loss.item()
    # <wrong factors_multiply>
    #| for group in optimizer.param_groups:
    #|     group["lr"] *= factor
    #| optimizer.zero_grad()
    #| loss = loss_of(model, inputs, targets)
    #| loss.backward()
    #| clip_grad_norm_(model.parameters(), max_norm)
    #| optimizer.step()
    #| return loss.item()
    # </answer>


# ---- given


class Transformer(nn.Module):
    """A transformer with one block, which predicts the next character of a text."""

    def __init__(self, characters, context, width=16):
        super().__init__()
        self.character = nn.Embedding(characters, width)
        self.place = nn.Embedding(context, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.attention = nn.Linear(width, 3 * width, bias=False)
        self.mix = nn.Linear(width, width, bias=False)
        self.inner = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )
        self.last = nn.Linear(width, characters)

    def forward(self, text):
        """Return a score for each character, at each place of each text: what may come next."""
        x = self.character(text) + self.place(torch.arange(text.shape[1]))
        query, key, value = self.attention(self.norms[0](x)).chunk(3, dim=-1)
        x = x + self.mix(F.scaled_dot_product_attention(query, key, value, is_causal=True))
        x = x + self.inner(self.norms[1](x))
        return self.last(self.norms[2](x))


def loss_of(model, inputs, targets):
    """Return how surprised a model is by the targets."""
    return F.cross_entropy(model(inputs).flatten(0, -2), targets.flatten())


def grouped(model):
    """Return two groups: matrices decay, biases and the weights of the norms do not."""
    return [
        {"params": [p for p in model.parameters() if p.dim() > 1]},
        {"params": [p for p in model.parameters() if p.dim() <= 1], "weight_decay": 0.0},
    ]


def batch(text, number, size, context):
    """Return a batch of pieces of a text, and the same pieces one character further on."""
    starts = [(number * size + k) * 7 % (len(text) - context) for k in range(size)]
    pieces = torch.stack([text[start : start + context + 1] for start in starts])
    return pieces[:, :-1], pieces[:, 1:]


def train(model, text, steps, *, lr, warmup, max_norm=1.0, weight_decay=0.1, context=8):
    """Train a model on a text, a tensor of integers, and return the loss of every step."""
    optimizer = AdamW(grouped(model), lr=lr, weight_decay=weight_decay)
    for group in optimizer.param_groups:
        group["initial_lr"] = group["lr"]
    losses = []
    for number in range(1, steps + 1):
        inputs, targets = batch(text, number, 8, context)
        factor = rate(number, warmup, steps, final=0.1)
        losses.append(train_step(model, inputs, targets, optimizer, max_norm, factor))
    return losses


if __name__ == "__main__":
    torch.manual_seed(0)
    TEXT = "the cat sees a dog. the dog hears a bird. a bird sees the cat. " * 5
    CHARACTERS = sorted(set(TEXT))
    NUMBERS = torch.tensor([CHARACTERS.index(character) for character in TEXT])
    MODEL = Transformer(len(CHARACTERS), context=8)
    LOSSES = train(MODEL, NUMBERS, 200, lr=0.01, warmup=20)
    for STEP in range(0, 200, 20):
        print(f"step {STEP + 1:3}: loss {LOSSES[STEP]:.3f}")


# <tests>
import contextlib

from exercises.optimizers import retire_optimizers
from exercises.scenario import scenario

ABOUT = {
    "number": 15,
    "title": "Optimizers and a transformer",
    "part": "Use",
    "goal": "Write SGD, Adam, AdamW, gradient clipping and a schedule, and train a small "
    "transformer with them.",
    "reading": ["start/train", "learn/side_paths/inplace", "start/gallery/char_transformer"],
    "difficulty": 3,
    "importance": 5,
    "hours": 4,
}


def install(piece):
    return contextlib.nullcontext()


def retire():
    retire_optimizers()


def leaves(torch, draw, *shapes):
    return [
        torch.tensor(draw.floats(*shape), dtype=torch.float64, requires_grad=True)
        for shape in shapes
    ]


def give(torch, draw, parameters):
    """Write drawn gradients, as a backward pass does: in place if there is one."""
    for p in parameters:
        gradient = torch.tensor(draw.floats(*p.shape), dtype=torch.float64)
        if p.grad is None:
            p.grad = gradient
        else:
            p.grad.copy_(gradient)


def some_steps(torch, draw, optimizer, parameters, count=3):
    """Yield the parameters after some steps, seen through other tensors with their memory."""
    memory = [p.detach() for p in parameters]
    for number in range(1, count + 1):
        give(torch, draw, parameters)
        optimizer.step()
        for k, values in enumerate(memory):
            yield f"parameter {k} after step {number}", values
    for k, p in enumerate(parameters):
        yield f"gradient {k}, which should be as it was", p.grad


def state_of(optimizer):
    """Yield the entries of the saved state."""
    for number, entries in sorted(optimizer.state_dict()["state"].items()):
        for name, value in sorted(entries.items()):
            yield f"state of parameter {number}: {name}", value


def part(draw):
    """Draw a number between 0 and 1."""
    return draw.integer(16, 48) / 64


def betas(draw):
    return part(draw), 0.5 + part(draw) / 2


@scenario(points=7, idea="The velocity remembers the gradients of all earlier steps.")
def sgd_follows_a_velocity(torch, piece, draw):
    parameters = leaves(torch, draw, (3,), (2, 2))
    optimizer = piece.SGD(parameters, lr=part(draw), momentum=part(draw))
    yield from some_steps(torch, draw, optimizer, parameters)
    yield from state_of(optimizer)


@scenario(points=5, idea="The first velocity is a gradient; dampening begins with the second step.")
def sgd_dampens_and_decays(torch, piece, draw):
    parameters = leaves(torch, draw, (3,), (2,))
    options = {"momentum": part(draw), "dampening": part(draw), "weight_decay": part(draw)}
    optimizer = piece.SGD(parameters, lr=part(draw), **options)
    yield from some_steps(torch, draw, optimizer, parameters)
    yield from state_of(optimizer)


@scenario(points=4, idea="Nesterov's direction is the gradient plus the new velocity, decayed.")
def sgd_looks_ahead(torch, piece, draw):
    parameters = leaves(torch, draw, (3,))
    optimizer = piece.SGD(parameters, lr=part(draw), momentum=part(draw), nesterov=True)
    yield from some_steps(torch, draw, optimizer, parameters)


@scenario(
    points=6,
    tolerance=1e-6,
    idea="Divide both means by the sum of their weights, and add eps after the root.",
)
def adam_corrects_its_means(torch, piece, draw):
    parameters = leaves(torch, draw, (3,), (2, 2))
    optimizer = piece.Adam(parameters, lr=part(draw), betas=betas(draw), eps=part(draw))
    yield from some_steps(torch, draw, optimizer, parameters)
    yield from state_of(optimizer)


@scenario(points=5, tolerance=1e-6, idea="In Adam, weight decay is a part of the gradient.")
def adam_adds_the_decay_to_the_gradient(torch, piece, draw):
    parameters = leaves(torch, draw, (4,))
    options = {"betas": betas(draw), "weight_decay": part(draw)}
    optimizer = piece.Adam(parameters, lr=part(draw), **options)
    yield from some_steps(torch, draw, optimizer, parameters)


@scenario(
    points=6,
    tolerance=1e-6,
    idea="In AdamW the parameter shrinks, then moves; `adam_` sees no decay.",
)
def adamw_decays_by_itself(torch, piece, draw):
    parameters = leaves(torch, draw, (4,))
    options = {"betas": betas(draw), "weight_decay": part(draw)}
    optimizer = piece.AdamW(parameters, lr=part(draw), **options)
    yield from some_steps(torch, draw, optimizer, parameters)


@scenario(
    points=6,
    idea="Each group has its own options, and what has no gradient stays as it is.",
)
def groups_have_their_own_options(torch, piece, draw):
    a, b, unused = leaves(torch, draw, (2,), (3,), (2,))
    groups = [
        {"params": [a], "lr": part(draw)},
        {"params": [unused, b], "momentum": part(draw), "weight_decay": part(draw)},
    ]
    optimizer = piece.SGD(groups, lr=part(draw), momentum=part(draw), weight_decay=part(draw))
    yield from some_steps(torch, draw, optimizer, [a, b])
    yield (
        "the unused one, and which parameters have a state",
        [
            unused,
            [p in optimizer.state for p in (a, b, unused)],
        ],
    )


@scenario(
    points=4,
    idea="The closure makes the gradients, so it is called first, and it records a graph.",
    page="learn/side_paths/inplace",
)
def a_closure_computes_the_loss(torch, piece, draw):
    (w,) = leaves(torch, draw, (3,))
    x = torch.tensor(draw.floats(3), dtype=torch.float64)
    optimizer = piece.SGD([w], lr=part(draw))

    def closure():
        optimizer.zero_grad()
        loss = (w * x - 1).square().sum()
        loss.backward()
        return loss

    for _ in range(2):
        yield "loss", optimizer.step(closure)
        yield "w", w


@scenario(
    points=5,
    idea="There is one norm of all gradients together, and one factor, which is at most 1.",
    page="start/gallery/char_transformer",
)
def gradients_are_clipped_together(torch, piece, draw):
    parameters = leaves(torch, draw, (3,), (2, 2))
    grads = []
    for max_norm in (part(draw), 100 + part(draw)):
        give(torch, draw, parameters)
        grads = grads or [p.grad for p in parameters]
        yield "norm", piece.clip_grad_norm_(parameters, max_norm)
        for k, grad in enumerate(grads):
            yield f"gradient {k}, clipped at {max_norm}", grad


@scenario(
    points=5,
    idea="Step number `warmup` has the factor 1, and step number `total` the factor `final`.",
    page="start/gallery/char_transformer",
)
def the_rate_rises_and_falls(torch, piece, draw):
    warmup = draw.integer(3, 6)
    total, final = warmup + draw.integer(4, 8), part(draw)
    for step in range(1, total + 4):
        label = f"step {step}, warmup {warmup}, total {total}"
        yield label, piece.rate(step, warmup, total)
        yield f"{label}, final {final}", piece.rate(step, warmup, total, final)


def story(torch, draw, sentences):
    """Return a text of a small grammar as numbers, and how many characters there are."""
    nouns = draw.shuffled(["cat", "dog", "bird", "mouse"])
    verbs = draw.shuffled(["sees", "hears", "finds"])
    words = []
    for _ in range(sentences):
        words += [draw.choice(["the", "a"]), draw.choice(nouns), draw.choice(verbs)]
        words += [draw.choice(["the", "a"]), draw.choice(nouns) + "."]
    text = " ".join(words)
    characters = sorted(set(text))
    return torch.tensor([characters.index(c) for c in text]), len(characters)


@scenario(
    points=6,
    tolerance=1e-5,
    idea="All parts together: the rate is set and the gradients are clipped before the step.",
    page="start/gallery/char_transformer",
)
def a_transformer_learns_to_spell(torch, piece, draw):
    text, characters = story(torch, draw, 12)
    torch.manual_seed(draw.integer(0, 10**6))
    model = piece.Transformer(characters, context=8).double()
    options = {"lr": part(draw) / 32, "max_norm": part(draw)}
    losses = piece.train(model, text, 20, warmup=4, **options)
    yield "losses", losses


# </tests>


# <hidden>
@scenario(points=6, hidden=True, idea="All options of SGD work together.")
def sgd_with_drawn_options(torch, piece, draw):
    momentum, decay = part(draw), part(draw)
    for options in draw.shuffled(
        [
            {},
            {"weight_decay": decay},
            {"momentum": momentum, "dampening": part(draw)},
            {"momentum": momentum, "weight_decay": decay, "nesterov": True},
        ]
    ):
        parameters = leaves(torch, draw, (2, 3), ())
        parameters.append(leaves(torch, draw, (3, 2))[0].detach().t().requires_grad_())
        optimizer = piece.SGD(parameters, lr=part(draw), **options)
        yield from some_steps(torch, draw, optimizer, parameters)
        yield f"state with {options}", [sorted(optimizer.state[p]) for p in parameters]


@scenario(
    points=5,
    hidden=True,
    tolerance=1e-6,
    idea="Every element has its own mean and square; eps counts where gradients are small.",
)
def adam_with_small_gradients(torch, piece, draw):
    for kind in draw.shuffled(["Adam", "AdamW"]):
        parameters = leaves(torch, draw, (2, 3), ())
        options = {"betas": betas(draw), "weight_decay": part(draw), "eps": part(draw) / 64}
        optimizer = getattr(piece, kind)(parameters, lr=part(draw), **options)
        for number in range(1, 6):
            for p in parameters:
                p.grad = torch.tensor(draw.floats(*p.shape), dtype=torch.float64) / 64
            optimizer.step()
            yield f"{kind}, step {number}", parameters
        yield from state_of(optimizer)


@scenario(
    points=5,
    hidden=True,
    tolerance=1e-6,
    idea="What is in self.state[p] and in the groups is saved, and nothing else.",
)
def a_training_goes_on_after_loading(torch, piece, draw):
    for kind, options in draw.shuffled(
        [
            ("SGD", {"momentum": part(draw), "dampening": part(draw)}),
            ("AdamW", {"betas": betas(draw), "weight_decay": part(draw)}),
        ]
    ):
        parameters = leaves(torch, draw, (2,), (3,))
        first = getattr(piece, kind)(parameters, lr=part(draw), **options)
        for _ in range(draw.integer(1, 3)):
            give(torch, draw, parameters)
            first.step()
        copies = [p.detach().clone().requires_grad_() for p in parameters]
        second = getattr(piece, kind)(copies, lr=1.0)
        second.load_state_dict(first.state_dict())
        del first
        yield from some_steps(torch, draw, second, copies)
        yield from state_of(second)


@scenario(points=6, hidden=True, idea="The step returns what the closure has returned.")
def a_closure_for_two_groups(torch, piece, draw):
    a, b = leaves(torch, draw, (2,), (2,))
    groups = [{"params": [a]}, {"params": [b], "lr": part(draw)}]
    optimizer = piece.SGD(groups, lr=part(draw), momentum=part(draw))
    for recording in draw.shuffled([True, False, False]):
        calls = []

        def closure(calls=calls):
            calls.append(draw.integer(0, 99))
            optimizer.zero_grad(set_to_none=False)
            (a * b * calls[0]).sum().backward()
            return f"loss {calls}"

        with torch.set_grad_enabled(recording):
            yield "result and grad mode", [optimizer.step(closure), torch.is_grad_enabled()]
        yield "calls", calls
        yield "parameters", [a, b]


@scenario(
    points=4,
    hidden=True,
    tolerance=1e-6,
    idea="A parameter's state begins with its own first gradient.",
)
def a_parameter_is_used_later(torch, piece, draw):
    early, late = leaves(torch, draw, (2,), (2,))
    options = {"betas": betas(draw), "weight_decay": part(draw)}
    optimizer = piece.AdamW([late, early], lr=part(draw), **options)
    for used in ([early], [early], [late, early], [late]):
        for p in (early, late):
            p.grad = None
        give(torch, draw, used)
        optimizer.step()
        yield "early and late", [early, late]
    yield from state_of(optimizer)


@scenario(points=5, hidden=True, idea="The parameters may come from a generator.")
def clipping_in_all_cases(torch, piece, draw):
    parameters = leaves(torch, draw, (3,), (2, 2), ())
    unused = leaves(torch, draw, (2,))
    for max_norm in draw.shuffled([part(draw), 1 + part(draw), 50.0, 0.0]):
        for p in parameters:
            p.grad = None
        give(torch, draw, parameters)
        mixed = draw.shuffled(parameters + unused)
        yield "norm", piece.clip_grad_norm_((p for p in mixed), max_norm)
        yield f"gradients, clipped at {max_norm}", [p.grad for p in parameters]
    yield "no gradient", piece.clip_grad_norm_(iter(unused), part(draw))


@scenario(points=5, hidden=True, idea="There may be no warm-up, or nothing after it.")
def the_rate_in_extreme_cases(torch, piece, draw):
    steps, final = draw.integer(3, 9), part(draw)
    for warmup, total in ((0, steps), (steps, steps), (steps - 1, steps), (1, steps)):
        for step in range(1, steps + 3):
            label = f"step {step}, warmup {warmup}, total {total}, final {final}"
            yield label, piece.rate(step, warmup, total, final)


@scenario(
    points=5,
    hidden=True,
    tolerance=1e-6,
    idea="Each group has its own rate; old gradients do not count.",
)
def single_steps_of_a_small_model(torch, piece, draw):
    model = torch.nn.Linear(3, 4).double()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.tensor(draw.floats(*p.shape), dtype=torch.float64))
    groups = [
        {"params": [model.weight], "initial_lr": part(draw)},
        {"params": [model.bias], "initial_lr": part(draw)},
    ]
    optimizer = piece.SGD(groups, lr=2.0, momentum=part(draw))
    for _ in range(3):
        inputs = torch.tensor(draw.floats(5, 3), dtype=torch.float64)
        targets = torch.tensor(draw.integers(0, 3, 5))
        arguments = model, inputs, targets, optimizer
        yield "loss", piece.train_step(*arguments, max_norm=part(draw), factor=part(draw))
        yield "parameters", list(model.parameters())
        yield "gradients", [p.grad for p in model.parameters()]
        yield "rates", [group["lr"] for group in optimizer.param_groups]


def reference():
    import minitorch as torch
    from exercises.forks import load
    from exercises.source import find

    piece = load(find(15).solution(), "reference")
    piece.SGD, piece.Adam, piece.AdamW = torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW
    piece.clip_grad_norm_ = torch.nn.utils.clip_grad_norm_
    return piece


MISTAKES = {
    "closure_forgotten": "UpdateRule.step does not call the closure, or does not return what the "
    "closure has returned.",
    "closure_without_a_graph": "The closure is called inside no_grad, so its loss has no graph.",
    "closure_called_last": "The closure is called after the parameters have moved. It makes the "
    "gradients, so it has to be called first.",
    "none_is_taken_for_zero": "A parameter whose gradient is None is moved as if it were zero. Then "
    "it decays, and gets a state, although it was not used.",
    "state_by_index": "The state is kept under the index of a parameter, which two groups share. "
    "load_state_dict puts it under the parameter itself: use self.state[p].",
    "state_kept_elsewhere": "The state is not in self.state, so state_dict does not save it.",
    "one_rate_for_all_groups": "The options are taken from the defaults, so those of the groups "
    "are ignored.",
    "first_step_is_dampened": "The first velocity is dampened: it begins with zeros. It should be "
    "the first gradient itself.",
    "dampened_by_momentum": "The gradient is weighted with 1 - momentum. In SGD its weight is "
    "1 - dampening, which is 1 by default.",
    "nesterov_forgets_the_gradient": "With nesterov, the direction is only momentum times the "
    "velocity; the gradient of this step has to be added.",
    "nesterov_looks_back": "With nesterov, the velocity of the step before is used. It should be "
    "the new one.",
    "velocity_is_the_gradient": "The first velocity is the gradient's own tensor. When the next "
    "gradient is written there, the velocity is lost.",
    "decay_changes_the_gradient": "The weight decay is added to p.grad in place, so the user's "
    "gradient changes.",
    "parameter_is_replaced": "SGD gives the parameter new memory. Other tensors that share the old "
    "one do not see the step: change it in place.",
    "bias_not_corrected": "The means begin with zeros and are not corrected, so the first steps of "
    "Adam are wrong.",
    "only_the_mean_is_corrected": "Only the mean of the gradient is corrected, not that of its "
    "square.",
    "counted_from_zero": "The correction uses the number of the steps before this one. Count "
    "first: in the first step, t is 1.",
    "one_count_for_a_group": "All parameters of a group share one count of steps, which grows with "
    "each parameter.",
    "eps_inside_the_root": "eps is added before the root is taken. It should be added to the root.",
    "eps_before_the_correction": "eps is added before the correction, which then changes it as "
    "well. Correct the square, take the root, and then add eps.",
    "corrected_means_are_kept": "The corrected means are kept in the state, so the next step "
    "corrects them again.",
    "decay_not_added": "Adam ignores the weight decay.",
    "decay_is_coupled": "AdamW adds the decay to the gradient, as Adam does, where it is divided "
    "by the root.",
    "decay_after_the_step": "AdamW shrinks the parameter after it has moved. It should shrink "
    "before.",
    "decay_without_the_rate": "AdamW shrinks by 1 - weight_decay. The factor is "
    "1 - lr * weight_decay.",
    "each_by_its_own_norm": "Each gradient is clipped by its own norm, which changes the direction "
    "of the step. There is one norm of all together.",
    "small_gradients_grow": "Gradients that are shorter than max_norm are made longer. The factor "
    "is at most 1.",
    "norms_are_added": "The total norm is not the sum of the norms, but the root of the sum of "
    "their squares.",
    "generator_used_twice": "The parameters are gone through twice. A generator is empty the "
    "second time, so nothing is clipped.",
    "steps_counted_from_zero": "The rate is late by one step: step 1 has the factor 0, and the "
    "last one has not reached the end.",
    "cosine_over_all_steps": "The cosine begins at step 0. It should begin where the warm-up ends.",
    "rises_again_after_the_end": "After the last step the rate rises again. It should stay at "
    "`final`.",
    "final_cuts_off": "The rate is cut off at `final`. The cosine should fall from 1 to `final`.",
    "gradients_pile_up": "The gradients of the last step are not removed, so the new ones are "
    "added to them.",
    "clipped_too_late": "The gradients are clipped after the step, which has used them already.",
    "rate_set_after_the_step": "The learning rate is set after the step, so each step uses that of "
    "the one before.",
    "factors_multiply": "The learning rate is multiplied by the factor again and again. It is "
    "initial_lr times the factor.",
}

EQUIVALENT = {
    "if step > total:  ->  if step >= total:": "in step `total` the cosine gives `final` as well",
}
# </hidden>
