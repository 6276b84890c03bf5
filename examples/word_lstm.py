"""An LSTM learns which word comes next, with truncated backpropagation through time."""

import argparse
import math

import torch
from torch import nn

SENTENCES = """
the cat sat on the mat and the dog lay by the door . the dog saw the cat and the cat saw the dog .
the bird sat on the door and sang . the cat heard the bird and the dog heard the cat .
by the door lay the mat and on the mat sat the bird . the dog sang and the bird heard the dog .
"""


class Model(nn.Module):
    def __init__(self, words, width=32, layers=2):
        super().__init__()
        self.drop = nn.Dropout(0.2)
        self.encoder = nn.Embedding(words, width)
        self.rnn = nn.LSTM(width, width, layers, dropout=0.2)
        self.decoder = nn.Linear(width, words)
        self.decoder.weight = self.encoder.weight  # tied
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)

    def forward(self, tokens, state):
        output, state = self.rnn(self.drop(self.encoder(tokens)), state)
        return self.decoder(self.drop(output)), state

    def first_state(self, batch):
        weight = next(self.parameters())
        shape = (self.rnn.num_layers, batch, self.rnn.hidden_size)
        return weight.new_zeros(shape), weight.new_zeros(shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()

    torch.manual_seed(1111)
    words = SENTENCES.split() * 4
    vocabulary = sorted(set(words))
    tokens = torch.tensor([vocabulary.index(word) for word in words])
    batch, length = 4, 7
    columns = tokens[: len(tokens) // batch * batch].view(batch, -1).t().contiguous()
    model = Model(len(vocabulary))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=2.0)
    for epoch in range(1, args.epochs + 1):
        model.train()
        state = model.first_state(batch)
        total = count = 0
        for start in range(0, len(columns) - 1, length):
            end = min(start + length, len(columns) - 1)
            state = tuple(part.detach() for part in state)
            output, state = model(columns[start:end], state)
            targets = columns[start + 1 : end + 1]
            loss = criterion(output.flatten(0, 1), targets.flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            optimizer.step()
            total += loss.item()
            count += 1
        if epoch % 3 == 0 or epoch == args.epochs:
            print(
                f"epoch {epoch}: loss {total / count:.5f} perplexity {math.exp(total / count):.4f}"
            )

    model.eval()
    state = model.first_state(1)
    word = torch.tensor([[vocabulary.index("the")]])
    said = ["the"]
    with torch.no_grad():
        for _ in range(10):
            output, state = model(word, state)
            word = output[-1].argmax(dim=-1, keepdim=True)
            said.append(vocabulary[word.item()])
    print(" ".join(said))


if __name__ == "__main__":
    main()
