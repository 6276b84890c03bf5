"""REINFORCE: a policy learns to balance a pole, from the rewards of whole episodes.

The pole on the cart is the one of Barto, Sutton and Anderson (1983), written out here.
"""

import argparse
import math
import random

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical


class CartPole:
    """Four numbers: place and speed of the cart, angle and speed of the pole."""

    def reset(self):
        self.state = [random.uniform(-0.05, 0.05) for _ in range(4)]
        return self.state

    def step(self, action):
        x, dx, theta, dtheta = self.state
        force = 10.0 if action == 1 else -10.0
        sin, cos = math.sin(theta), math.cos(theta)
        pull = (force + 0.05 * dtheta**2 * sin) / 1.1
        ddtheta = (9.8 * sin - cos * pull) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
        ddx = pull - 0.05 * ddtheta * cos / 1.1
        self.state = [
            x + 0.02 * dx,
            dx + 0.02 * ddx,
            theta + 0.02 * dtheta,
            dtheta + 0.02 * ddtheta,
        ]
        done = abs(self.state[0]) > 2.4 or abs(self.state[2]) > math.radians(12)
        return self.state, 1.0, done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(4, 64)
        self.dropout = nn.Dropout(p=0.2)
        self.affine2 = nn.Linear(64, 2)

    def forward(self, x):
        x = F.relu(self.dropout(self.affine1(x)))
        return F.softmax(self.affine2(x), dim=1)


def play(policy, world, longest):
    """An episode: the logarithms of the probabilities of what was done, and the rewards."""
    state, log_probs, rewards = world.reset(), [], []
    for _ in range(longest):
        chances = Categorical(policy(torch.tensor(state).unsqueeze(0)))
        action = chances.sample()
        log_probs.append(chances.log_prob(action))
        state, reward, done = world.step(action.item())
        rewards.append(reward)
        if done:
            break
    return log_probs, rewards


def returns_of(rewards, gamma=0.99):
    returns, total = [], 0.0
    for reward in reversed(rewards):
        total = reward + gamma * total
        returns.insert(0, total)
    returns = torch.tensor(returns)
    return (returns - returns.mean()) / (returns.std() + 1e-7)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--episodes", type=int, default=60)
    parser.add_argument("--longest", type=int, default=200)
    args = parser.parse_args()

    random.seed(0)
    torch.manual_seed(543)
    policy, world = Policy(), CartPole()
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    running = 10.0
    for episode in range(1, args.episodes + 1):
        log_probs, rewards = play(policy, world, args.longest)
        running = 0.05 * len(rewards) + 0.95 * running
        loss = -(torch.cat(log_probs) * returns_of(rewards)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if episode % max(1, args.episodes // 6) == 0:
            print(
                f"episode {episode}: length {len(rewards)} mean {running:.3f} loss {loss.item():.4f}"
            )


if __name__ == "__main__":
    main()
