"""One training step of MULE's shape (Burns et al. 2020) in plain PyTorch. Prints seconds.

450 images x 6 sentences, 34.7k tokens; words 30,000 x 300, LSTM 1024, FC 512; image features 2048,
FC 2048, batch norm, ReLU, FC 512; both on the unit sphere. Triplet loss both ways, margin 0.05, the
10 hardest violations of each anchor; Adam on everything, the word table included.
"""

import workload

options = workload.parse_options(__doc__, steps=3, images=450)

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

torch.set_num_threads(options.threads)
torch.manual_seed(workload.SEED)
IMAGES, SENTENCES, VOCABULARY, MARGIN, HARDEST = options.images, 6, 30000, 0.05, 10


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, 300)
        self.lstm = nn.LSTM(300, 1024, batch_first=True)
        self.project = nn.Linear(1024, 512)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.words(ids), lengths, batch_first=True)
        _, (last, _) = self.lstm(packed)
        return F.normalize(self.project(last[0]), dim=1)


def hinges(positive, negatives):
    hardest = negatives.topk(HARDEST, dim=1).values
    return F.relu(MARGIN - positive.unsqueeze(1) + hardest).mean(1).mean()


def loss(images, sentences, rows):
    scores = sentences @ images.t()  # [sentences, images]
    positive = scores.gather(1, rows.unsqueeze(1)).squeeze(1)
    negatives = scores.masked_fill(rows.unsqueeze(1) == torch.arange(IMAGES, device=rows.device), -10)
    by_image = negatives.t().index_select(0, rows)  # an anchor for each of the image's sentences
    return 1.5 * hinges(positive, negatives) + hinges(positive, by_image)


text = Text().to(options.device)
picture = nn.Sequential(
    nn.Linear(2048, 2048), nn.BatchNorm1d(2048), nn.ReLU(), nn.Linear(2048, 512)
).to(options.device)
optimiser = torch.optim.Adam([*text.parameters(), *picture.parameters()], lr=1e-4)

lengths = torch.tensor(workload.caption_lengths(IMAGES * SENTENCES))
words = torch.tensor(workload.caption_words(int(lengths.sum())))
captions = pad_sequence(words.split(lengths.tolist()), batch_first=True)
order = lengths.sort(descending=True).indices
captions, lengths = captions[order].to(options.device), lengths[order]
rows = (order // SENTENCES).to(options.device)
features = torch.randn(IMAGES, 2048, device=options.device)


def step():
    optimiser.zero_grad()
    with workload.narrow(options):
        value = loss(F.normalize(picture(features), dim=1), text(captions, lengths), rows)
    value.backward()
    optimiser.step()


wall, processor = workload.median_times(step, options.steps, options.device)
workload.report(
    options, "mule_step", wall, "s", cpu_s=round(processor, 2), tokens=int(lengths.sum())
)
