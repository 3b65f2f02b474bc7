"""VSE++'s two branches, as its public code has them. Import workload first."""

import torch
from torch import nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, vocabulary, features=2048, word=300, size=1024):
        super().__init__()
        self.words = nn.Embedding(vocabulary, word)
        self.gru = nn.GRU(word, size, batch_first=True)
        self.linear = nn.Linear(features, size)

    def images(self, features):
        return F.normalize(self.linear(features))

    def captions(self, ids, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.words(ids), lengths, batch_first=True,
                                                   enforce_sorted=False)
        padded, lengths = nn.utils.rnn.pad_packed_sequence(self.gru(packed)[0], batch_first=True)
        last = (lengths - 1).view(-1, 1, 1).expand(-1, 1, padded.size(2))
        return F.normalize(padded.gather(1, last).squeeze(1))
