"""SCAN's scores of 1,000 images x 500 captions, composed as its public code composes them.

One caption at a time against a shard of images: products, leaky ReLU, l2 norm over the queries,
softmax over the context, the attended vectors, their cosines, log-sum-exp (Lee et al. 2018). In
float32; the public evaluation keeps its vectors in float64, which would be slower. Prints pairs/s.
With --gradients, images and captions of one number belong together and each shard has a way back
from the hardest hinges, as in training. bench/scan_scores.cc is our side.
"""

import workload

REGIONS, DIM = 36, 1024
SETTINGS = {"t2i": (9.0, 6.0), "i2t": (4.0, 5.0)}  # lambda softmax, lambda LSE (Flickr30K)


def options_of(parser):
    parser.add_argument("--direction", choices=SETTINGS, default="t2i")
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--captions", type=int, default=500)
    parser.add_argument("--shard", type=int, default=128, help="images and captions at a time")
    parser.add_argument("--gradients", choices=["hardest"])
    parser.add_argument("--seconds", type=float, default=120, help="stop after the shard in hand")


options = workload.parse_options(__doc__, options_of)

import torch
import torch.nn.functional as F

torch.set_num_threads(options.threads)
torch.manual_seed(workload.SEED)


def unit(x, dim):
    return x / (x.pow(2).sum(dim, keepdim=True).sqrt() + 1e-8)


def attend(query, context, sharpness):
    """[n, q, d] x [n, c, d] -> the context as each query attends to it, [n, q, d]."""
    products = torch.bmm(context, query.transpose(1, 2))
    weights = unit(F.leaky_relu(products, 0.1), 2).transpose(1, 2).contiguous()
    weights = torch.softmax(weights * sharpness, 2).transpose(1, 2).contiguous()
    return torch.bmm(context.transpose(1, 2), weights).transpose(1, 2).contiguous()


def scores(images, captions, lengths, direction):
    """[n, regions, d], [m, words, d] -> [n, m]"""
    sharpness, pool = SETTINGS[direction]
    columns = []
    for caption, length in zip(captions, lengths):
        words = caption[:length].unsqueeze(0).repeat(images.size(0), 1, 1)
        query, context = (words, images) if direction == "t2i" else (images, words)
        attended = attend(query, context, sharpness)
        cosine = (query * attended).sum(2) / (query.norm(2, 2) * attended.norm(2, 2)).clamp(min=1e-8)
        columns.append(cosine.mul_(pool).exp_().sum(1, keepdim=True).log() / pool)
    return torch.cat(columns, 1)


def hardest_hinges(scores):
    count = min(scores.shape)
    scores = scores[:count, :count]
    positive = scores.diag().unsqueeze(1)
    own = torch.eye(count, dtype=torch.bool)
    by_image = (0.2 + scores - positive).clamp(min=0).masked_fill(own, 0)
    by_caption = (0.2 + scores - positive.t()).clamp(min=0).masked_fill(own, 0)
    return by_image.max(1).values.sum() + by_caption.max(0).values.sum()


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
