"""What the reference models share: attention and activations, written out (Vaswani et al. 2017; Hendrycks and Gimpel 2016)."""
import math

import torch


def attend(query, key, value, heads, allowed=None):
    """Scaled dot-product attention of [batch, time, width] rows; `allowed` is boolean, broadcast to [batch, heads, query, key]."""
    batch, times, width = query.shape

    def split(rows):
        return rows.reshape(batch, rows.shape[1], heads, width // heads).transpose(1, 2)

    scores = split(query) @ split(key).transpose(2, 3) / math.sqrt(width // heads)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return (torch.softmax(scores, dim=-1) @ split(value)).transpose(1, 2).reshape(batch, times, width)


def causal(times):
    return torch.ones(times, times, dtype=torch.bool).tril()


def gelu(x):
    return x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


ACTIVATIONS = {"gelu": gelu, "quick_gelu": quick_gelu, "gelu_pytorch_tanh": gelu_tanh, "gelu_new": gelu_tanh, "relu": torch.relu}


def mean_over(rows, mask):
    """The mean of the rows [batch, time, width] that are no padding."""
    weights = mask.unsqueeze(-1).to(rows.dtype)
    return (rows * weights).sum(1) / weights.sum(1)
