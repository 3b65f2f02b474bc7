"""One MULE-shaped training step: 450 images x 6 sentences, LSTM 1024, the ten hardest violations.

The usual PyTorch composition: nn.Embedding (dense gradient), nn.LSTM over packed sentences, linear
layers, triplets in both directions, Adam. Prints the median seconds of a step after a warm-up.
bench/steps.cc is our side, with the same shapes, lengths and words.
"""

import workload

IMAGES, SENTENCES, VOCABULARY, HARDEST, MARGIN = 450, 6, 30000, 10, 0.05

options = workload.parse_options(
    __doc__, lambda parser: parser.add_argument("--steps", type=int, default=3))

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(options.threads)
torch.manual_seed(workload.SEED)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, 300)
        self.lstm = nn.LSTM(300, 1024, batch_first=True)
        self.head = nn.Linear(1024, 512)
        self.branch = nn.Sequential(nn.Linear(2048, 2048), nn.BatchNorm1d(2048), nn.ReLU(),
                                    nn.Linear(2048, 512))

    def forward(self, images, ids, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.words(ids), lengths, batch_first=True,
                                                   enforce_sorted=False)
        last = self.lstm(packed)[1][0][0]
        return F.normalize(self.branch(images)), F.normalize(self.head(last))


def triplets(images, captions, owners):
    scores = captions @ images.t()
    own = scores.gather(1, owners.unsqueeze(1))
    others = scores.masked_fill(F.one_hot(owners, IMAGES).bool(), float("-inf"))
    from_text = F.relu(MARGIN - own + others.topk(HARDEST, 1)[0]).sum(1).mean()
    hardest = others.t().topk(HARDEST, 1)[0].index_select(0, owners)
    return from_text + F.relu(MARGIN - own + hardest).sum(1).mean()


def main():
    lengths = torch.tensor(workload.caption_lengths(IMAGES * SENTENCES))
    ids = workload.padded_words(lengths.tolist())
    owners = torch.arange(IMAGES).repeat_interleave(SENTENCES)
    images = torch.randn(IMAGES, 2048)
    model = Model()
    adam = torch.optim.Adam(model.parameters(), lr=2e-4)

    def step():
        adam.zero_grad()
        triplets(*model(images, ids, lengths), owners).backward()
        adam.step()

    step()
    times = sorted(workload.timed(step) for _ in range(options.steps))
    workload.report(options, "mule", times[len(times) // 2], "s", tokens=int(lengths.sum()))


main()
