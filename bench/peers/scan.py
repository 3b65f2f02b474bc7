"""SCAN's scores as its public code composes them, for scan_scores.py and scan_step.py.

One caption at a time against all images: products, leaky ReLU, l2 norm over the queries, softmax
over the context, the attended vectors, their cosines, log-sum-exp (Lee et al. 2018).
"""

import torch
import torch.nn.functional as F

REGIONS, DIM = 36, 1024
SETTINGS = {"t2i": (9.0, 6.0), "i2t": (4.0, 5.0)}  # lambda softmax, lambda LSE (Flickr30K)


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
    own = torch.eye(count, dtype=torch.bool, device=scores.device)
    by_image = (0.2 + scores - positive).clamp(min=0).masked_fill(own, 0)
    by_caption = (0.2 + scores - positive.t()).clamp(min=0).masked_fill(own, 0)
    return by_image.max(1).values.sum() + by_caption.max(0).values.sum()
