"""Training steps of VSE++'s shape (Faghri et al. 2018) in plain PyTorch. Prints captions/s.

Batches of 128; words 11,000 x 300, GRU 1024; image features 2048, FC 1024; both on the unit
sphere. Sum of the hardest hinges both ways, margin 0.2; gradients clipped to 2; Adam.
"""

import workload

options = workload.parse_options(__doc__, steps=7, images=128)

import torch
import torch.nn as nn

from vse import Text, batch_of, picture_branch, unit

torch.set_num_threads(options.threads)
torch.manual_seed(workload.SEED)
BATCH = options.images

text, picture = Text().to(options.device), picture_branch().to(options.device)
parameters = [*text.parameters(), *picture.parameters()]
optimiser = torch.optim.Adam(parameters, lr=2e-4)
lengths = workload.caption_lengths(BATCH)
words = torch.tensor(workload.caption_words(sum(lengths)))
captions, lengths, order = batch_of(words.split(lengths))
captions = captions.to(options.device)
features = torch.randn(BATCH, 2048)[order].to(options.device)


def loss(images, sentences):
    scores = images @ sentences.t()
    positive = scores.diag().unsqueeze(1)
    own = torch.eye(BATCH, dtype=torch.bool, device=scores.device)
    by_image = (0.2 + scores - positive).clamp(min=0).masked_fill(own, 0)
    by_sentence = (0.2 + scores - positive.t()).clamp(min=0).masked_fill(own, 0)
    return by_image.max(1).values.sum() + by_sentence.max(0).values.sum()


def step():
    optimiser.zero_grad()
    with workload.narrow(options):
        value = loss(unit(picture(features)), text(captions, lengths))
    value.backward()
    nn.utils.clip_grad_norm_(parameters, 2.0)
    optimiser.step()


workload.report_steps(options, "vse_step", step, BATCH, int(lengths.sum()))
