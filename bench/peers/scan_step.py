"""Training steps of SCAN's shape (Lee et al. 2018, text to image) in plain PyTorch. Prints captions/s.

Batches of 128; words 11,000 x 300, a GRU of 1024 both ways, averaged; 36 regions of 2048 numbers,
FC 1024; both on the unit sphere. Sum of the hardest hinges both ways, margin 0.2; gradients clipped
to 2; Adam.
"""

import workload

options = workload.parse_options(__doc__, steps=1, images=128)

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from scan import DIM, REGIONS, hardest_hinges, scores, unit
from vse import VOCABULARY, batch_of

torch.set_num_threads(options.threads)
torch.manual_seed(workload.SEED)
BATCH = options.images

words, region = nn.Embedding(VOCABULARY, 300), nn.Linear(2048, DIM)
gru = nn.GRU(300, DIM, batch_first=True, bidirectional=True)
for module in (words, region, gru):
    module.to(options.device)
parameters = [*words.parameters(), *region.parameters(), *gru.parameters()]
optimiser = torch.optim.Adam(parameters, lr=2e-4)
lengths = workload.caption_lengths(BATCH)
drawn = torch.tensor(workload.caption_words(sum(lengths)))
captions, lengths, order = batch_of(drawn.split(lengths))
captions = captions.to(options.device)
features = torch.randn(BATCH, REGIONS, 2048)[order].to(options.device)


def sentences():
    packed = pack_padded_sequence(words(captions), lengths, batch_first=True)
    states, _ = pad_packed_sequence(gru(packed)[0], batch_first=True)
    return unit((states[:, :, :DIM] + states[:, :, DIM:]) / 2, 2)


def step():
    optimiser.zero_grad()
    with workload.narrow(options):
        value = hardest_hinges(scores(unit(region(features), 2), sentences(), lengths, "t2i"))
    value.backward()
    nn.utils.clip_grad_norm_(parameters, 2.0)
    optimiser.step()


workload.report_steps(options, "scan_step", step, BATCH, int(lengths.sum()))
