"""SCAN's scores of 1,000 images x 500 captions, composed as its public code composes them.

In float32; the public evaluation keeps its vectors in float64, which would be slower. Prints pairs/s.
With --gradients, images and captions of one number belong together and each shard has a way back
from the hardest hinges, as in training. bench/scan_scores.cc is our side.
"""

import workload

def options_of(parser):
    parser.add_argument("--direction", choices=["t2i", "i2t"], default="t2i")
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--captions", type=int, default=500)
    parser.add_argument("--shard", type=int, default=128, help="images and captions at a time")
    parser.add_argument("--gradients", choices=["hardest"])
    parser.add_argument("--seconds", type=float, default=120, help="stop after the shard in hand")


options = workload.parse_options(__doc__, options_of)

import torch

from scan import DIM, REGIONS, hardest_hinges, scores, unit

torch.set_num_threads(options.threads)
torch.manual_seed(workload.SEED)


def run(images, captions, lengths):
    if not options.gradients:
        return scores(images, captions, lengths, options.direction)
    images, captions = images.detach().requires_grad_(), captions.detach().requires_grad_()
    with torch.enable_grad():
        hardest_hinges(scores(images, captions, lengths, options.direction)).backward()


def main():
    lengths = workload.caption_lengths(options.captions)
    images = unit(torch.randn(options.images, REGIONS, DIM), 2)
    captions = unit(torch.randn(options.captions, max(lengths), DIM), 2)
    shards = [
        (slice(row, row + options.shard), slice(column, column + options.shard))
        for column in range(0, options.captions, options.shard)
        for row in range(0, options.images, options.shard)
    ]
    pairs, tokens, wall, processor = 0, 0, 0.0, 0.0
    scores(images[:16], captions[:2], lengths[:2], options.direction)  # warm-up
    for rows, columns in shards:
        part = lengths[columns]
        times = workload.timed(lambda: run(images[rows], captions[columns], part))
        wall, processor = wall + times[0], processor + times[1]
        pairs += len(images[rows]) * len(part)
        tokens += len(images[rows]) * sum(part)
        if wall > options.seconds:
            break
    workload.report(
        options,
        f"scan_{'gradients' if options.gradients else 'scores'}_{options.direction}",
        pairs / wall,
        "pairs/s",
        pairs_per_cpu_s=round(pairs / processor),
        pairs=pairs,
        words_per_pair=round(tokens / pairs, 2),
    )


with torch.no_grad():
    main()
