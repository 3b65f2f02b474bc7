"""SCAN's scores of 1,000 images x 500 captions, composed as its public code composes them.

One caption at a time against a shard of images: products, leaky ReLU, l2 norm over the queries,
softmax over the context, the attended vectors, their cosines, log-sum-exp (Lee et al. 2018). In
float32; the public evaluation keeps its vectors in float64, which would be slower. Prints pairs/s.
bench/scan_scores.cc is our side, with the same shapes and lengths.
"""

import workload

REGIONS, DIM = 36, 1024
SETTINGS = {"t2i": (9.0, 6.0), "i2t": (4.0, 5.0)}  # lambda softmax, lambda LSE (Flickr30K)


def options_of(parser):
    parser.add_argument("--direction", choices=SETTINGS, default="t2i")
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--captions", type=int, default=500)
    parser.add_argument("--shard", type=int, default=128, help="images and captions at a time")
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


def main():
    lengths = workload.caption_lengths(options.captions)
    images = unit(torch.randn(options.images, REGIONS, DIM), 2)
    captions = unit(torch.randn(options.captions, max(lengths), DIM), 2)
    pairs, seconds, tokens = 0, 0.0, 0
    with torch.no_grad():
        scores(images[:16], captions[:2], lengths[:2], options.direction)  # warm-up
        for first in range(0, options.captions, options.shard):
            for row in range(0, options.images, options.shard):
                rows = slice(row, row + options.shard)
                columns = slice(first, first + options.shard)
                part = lengths[columns]
                seconds += workload.timed(
                    lambda: scores(images[rows], captions[columns], part, options.direction)
                )
                count = len(images[rows])
                pairs += count * len(part)
                tokens += count * sum(part)
                if seconds > options.seconds:
                    break
            if seconds > options.seconds:
                break
    workload.report(options, f"scan_scores_{options.direction}", pairs / seconds, "pairs/s",
                    pairs=pairs, seconds=round(seconds, 2), words_per_pair=round(tokens / pairs, 2))


main()
