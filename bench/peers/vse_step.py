"""One VSE++ training step: 128 pairs, GRU 1024, the hardest negative of the batch.

As the public code composes it: nn.Embedding, nn.GRU over packed sentences, one linear layer for
the images' features, max of hinges, clipping, Adam. Prints captions/s.
bench/steps.cc is our side, with the same shapes, lengths and words.
"""

import workload

BATCH, VOCABULARY, MARGIN = 128, 11000, 0.2

options = workload.parse_options(
    __doc__, lambda parser: parser.add_argument("--steps", type=int, default=15))

import torch
from torch import nn
import vse

torch.set_num_threads(options.threads)
torch.manual_seed(workload.SEED)


def hinges(images, captions):
    scores = images @ captions.t()
    own = scores.diag().view(-1, 1)
    same = torch.eye(len(scores), dtype=torch.bool)
    captions_cost = (MARGIN + scores - own).clamp(min=0).masked_fill(same, 0)
    images_cost = (MARGIN + scores - own.t()).clamp(min=0).masked_fill(same, 0)
    return captions_cost.max(1)[0].sum() + images_cost.max(0)[0].sum()


def main():
    lengths = torch.tensor(workload.caption_lengths(BATCH))
    ids = workload.padded_words(lengths.tolist())
    images = torch.randn(BATCH, 2048)
    model = vse.Model(VOCABULARY)
    adam = torch.optim.Adam(model.parameters(), lr=2e-4)

    def step():
        adam.zero_grad()
        hinges(model.images(images), model.captions(ids, lengths)).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        adam.step()

    step()
    times = sorted(workload.timed(step) for _ in range(options.steps))
    workload.report(options, "vse", BATCH / times[len(times) // 2], "captions/s",
                    tokens=int(lengths.sum()))


main()
