"""VSE++'s two branches, as vse_step.py trains and evaluate.py uses them."""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

BATCH, VOCABULARY, DIM = 128, 11000, 1024


def unit(x):
    return x / x.pow(2).sum(1, keepdim=True).sqrt()


def picture_branch():
    return nn.Linear(2048, DIM)


def batch_of(captions):
    """Longest first, as packing wants it: padded [n, words], lengths [n], order [n]."""
    lengths = torch.tensor([len(caption) for caption in captions])
    order = lengths.sort(descending=True).indices
    padded = pad_sequence([captions[i] for i in order], batch_first=True)
    return padded, lengths[order], order


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, 300)
        self.gru = nn.GRU(300, DIM, batch_first=True)

    def forward(self, ids, lengths):
        """The state after each caption's last word, taken from all states as the public code does."""
        packed = pack_padded_sequence(self.words(ids), lengths, batch_first=True)
        states, _ = pad_packed_sequence(self.gru(packed)[0], batch_first=True)
        last = (lengths - 1).to(states.device).view(-1, 1, 1).expand(-1, 1, DIM)
        return unit(states.gather(1, last).squeeze(1))
