"""Losses of the trainer, computed again with PyTorch, independently of the C++ code.

Every formula is written out as plain loops; the gradients are autograd's, in double precision.

    python3 tests/reference/losses.py > tests/reference/losses.json   # writes the numbers anew
    python3 tests/reference/losses.py --check                         # finite differences
"""
import json
import re
import sys

import torch

ROWS_A = [0, 0, 1, 2, 3, 3]  # the image row of each caption of language 0
ROWS_B = [0, 1, 1, 2, 3]     # and of language 1
SHAPES = {"images": (4, 5), "a": (6, 5), "b": (5, 5), "space_a": (6, 7), "space_b": (5, 7),
          "classifier_weight": (2, 7), "classifier_bias": (2,), "words": (9, 3),
          "words_start": (9, 3), "masked_a": (6, 7), "masked_b": (5, 7),
          "missing_weight": (14, 14), "missing_bias": (14,)}


def make_inputs():
    torch.manual_seed(38)  # everywhere some hinges are active, some not, none is close to zero
    return {name: torch.round(torch.randn(shape, dtype=torch.float64), decimals=4)
            for name, shape in SHAPES.items()}


def unit(rows):
    """Each row divided by its Euclidean length."""
    return torch.stack([row / torch.sqrt((row * row).sum()) for row in rows])


def similarity(x, y, distance="cosine"):
    if distance == "order":  # Vendrov et al. 2016: x, the caption, should lie above y
        return -(torch.relu(x - y) ** 2).sum()
    cosine = (x * y).sum()  # x and y are unit rows
    if distance == "cosine":
        return cosine
    return -torch.sqrt(torch.clamp(2 - 2 * cosine, min=0) + 1e-4)


def hinges(margin, positive, negatives, count):
    """The sum of the `count` largest hinges; of all of them where there are fewer."""
    values = [torch.relu(margin - positive + negative) for negative in negatives]
    return sum(sorted(values, key=float, reverse=True)[:count])


def cross_entropy(positive, negatives):
    return torch.log(sum(torch.exp(logit) for logit in [positive] + negatives)) - positive


def both_ways(o, s, loss):
    """s[caption][image]; each caption is an anchor, and so is each (image, caption) pair."""
    total = 0
    for c, row in enumerate(ROWS_A):
        other_images = [s[c][i] for i in range(len(s[c])) if i != row]
        other_captions = [s[d][row] for d in range(len(s)) if ROWS_A[d] != row]
        total += o["text_to_image"] * loss(s[c][row], other_images)
        total += o["image_to_text"] * loss(s[c][row], other_captions)
    return total


def triplet(o, images, a):
    s = [[similarity(x, y, o["distance"]) for y in unit(images)] for x in unit(a)]
    count = {"all": len(a), "hardest": o["hardest"], "max": 1}[o["mining"]]
    total = both_ways(o, s, lambda p, n: hinges(o["margin"], p, n, count))
    return total / len(a) if o["reduction"] == "mean" else total


def infonce(o, images, a):
    logits = [[similarity(x, y) / o["temperature"] for y in unit(images)] for x in unit(a)]
    return both_ways(o, logits, cross_entropy) / len(a)


def neighbourhood(o, anchors, anchor_rows, candidates, candidate_rows, same_list):
    """same_list: candidate i is anchor i itself, which is no positive of its own."""
    anchors, candidates = unit(anchors), unit(candidates)
    losses = []
    for i, anchor in enumerate(anchors):
        s = [similarity(anchor, candidate, o["distance"]) for candidate in candidates]
        positives = [s[j] for j, row in enumerate(candidate_rows)
                     if row == anchor_rows[i] and not (same_list and j == i)]
        negatives = [s[j] for j, row in enumerate(candidate_rows) if row != anchor_rows[i]]
        if positives:
            farthest = min(positives, key=float)
            losses.append(hinges(o["margin"], farthest, negatives, o["hardest"]))
    return sum(losses) / len(losses)


def neighbourhood_infonce(o, a, b):
    """One pool; each (anchor, positive) against the captions of other images."""
    pool, rows = unit(torch.cat([a, b])), ROWS_A + ROWS_B
    losses = []
    for i, anchor in enumerate(pool):
        logits = [similarity(anchor, other) / o["temperature"] for other in pool]
        negatives = [logits[j] for j in range(len(pool)) if rows[j] != rows[i]]
        losses += [cross_entropy(logits[j], negatives) for j in range(len(pool))
                   if j != i and rows[j] == rows[i]]
    return sum(losses) / len(losses)


class ReverseGradient(torch.autograd.Function):
    """Ganin and Lempitsky 2014: the identity, whose gradient is turned round and scaled."""

    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        return -ctx.strength * gradient, None


def adversary(o, space_a, space_b, classifier_weight, classifier_bias):
    losses = []
    for language, space in enumerate([space_a, space_b]):
        for u in ReverseGradient.apply(space, o["strength"]):
            logits = [(classifier_weight[k] * u).sum() + classifier_bias[k] for k in range(2)]
            losses.append(cross_entropy(logits[language], [logits[1 - language]]))
    return sum(losses) / len(losses)


def pair_ranking(o, images, b):
    """The images play the captions in one language, the first four rows of b in the other."""
    s = [[similarity(x, y) for y in unit(b[:4])] for x in unit(images)]
    total = 0
    for i in range(4):
        others = [j for j in range(4) if j != i]
        total += hinges(o["margin"], s[i][i], [s[i][j] for j in others], 1)
        total += hinges(o["margin"], s[i][i], [s[j][i] for j in others], 1)
    return total


def masking(o, space_a, space_b, masked_a, masked_b, weight, bias):
    """Burns et al. 2020, Eq. 2, for the first caption of each image that has one in both."""
    losses = []
    for image in sorted(set(ROWS_A) & set(ROWS_B)):
        i, j = ROWS_A.index(image), ROWS_B.index(image)
        both = torch.cat([masked_a[i], masked_b[j]])
        missing = torch.stack([(weight[k] * both).sum() + bias[k] for k in range(14)])
        total = 0
        for masked, extra, whole in [(masked_a[i], missing[:7], space_a[i]),
                                     (masked_b[j], missing[7:], space_b[j])]:
            x, y = masked + extra, whole
            difference = x / torch.sqrt((x * x).sum()) - y / torch.sqrt((y * y).sum())
            total = total + torch.sqrt((difference * difference).sum() + 1e-12)
        losses.append(total)
    return sum(losses) / len(losses)


KINDS = {  # the function and its inputs
    "triplet": (triplet, ["images", "a"]),
    "infonce": (infonce, ["images", "a"]),
    "neighbourhood_own": (lambda o, a: neighbourhood(o, a, ROWS_A, a, ROWS_A, True), ["a"]),
    "neighbourhood_any": (lambda o, a, b: neighbourhood(
        o, torch.cat([a, b]), ROWS_A + ROWS_B, torch.cat([a, b]), ROWS_A + ROWS_B, True),
        ["a", "b"]),
    "neighbourhood_cross": (
        lambda o, a, b: neighbourhood(o, a, ROWS_A, b, ROWS_B, False), ["a", "b"]),
    "neighbourhood_infonce": (neighbourhood_infonce, ["a", "b"]),
    "adversary": (adversary, ["space_a", "space_b", "classifier_weight", "classifier_bias"]),
    "word_drift": (lambda o, words, start: 0.5 * ((words - start) ** 2).sum(),
                   ["words", "words_start"]),
    "pair_ranking": (pair_ranking, ["images", "b"]),
    "masking": (masking, ["space_a", "space_b", "masked_a", "masked_b", "missing_weight",
                          "missing_bias"]),
}

TRIPLET_OPTIONS = ["margin", "mining", "hardest", "reduction", "distance", "text_to_image",
                   "image_to_text"]
CASES = [(name, "triplet", dict(zip(TRIPLET_OPTIONS, values))) for name, *values in [
    ("triplet_all", 0.5, "all", 1, "mean", "cosine", 1.0, 1.0),
    ("triplet_hardest", 0.5, "hardest", 2, "mean", "cosine", 1.5, 1.0),
    ("triplet_euclidean", 0.5, "hardest", 2, "mean", "euclidean", 1.0, 1.0),
    ("triplet_max", 0.2, "max", 1, "sum", "cosine", 1.0, 1.0),
    ("triplet_order", 0.5, "all", 1, "sum", "order", 1.0, 1.0)]]
CASES += [(name, "infonce", {"temperature": 0.07, "text_to_image": t2i, "image_to_text": i2t})
          for name, t2i, i2t in [("infonce", 1.0, 1.0), ("infonce_weights", 1.5, 0.5)]]
CASES += [(f"{kind}_{distance}_{hardest}", kind,
           {"margin": 0.3, "hardest": hardest, "distance": distance})
          for kind in ["neighbourhood_own", "neighbourhood_any", "neighbourhood_cross"]
          for distance in ["cosine", "euclidean"] for hardest in [2, 10]]
CASES += [("neighbourhood_cross_order", "neighbourhood_cross",
           {"margin": 0.3, "hardest": 10, "distance": "order"}),
          ("neighbourhood_infonce", "neighbourhood_infonce", {"temperature": 0.2}),
          ("adversary", "adversary", {"strength": 0.37}), ("word_drift", "word_drift", {}),
          ("pair_ranking", "pair_ranking", {"margin": 0.2}), ("masking", "masking", {})]


def evaluate(kind, options, inputs):
    function, uses = KINDS[kind]
    tensors = {name: inputs[name].clone().requires_grad_() for name in uses}
    value = function(options, *tensors.values())
    wrt = [name for name in uses if name != "words_start"]
    gradients = torch.autograd.grad(value, [tensors[name] for name in wrt])
    return value.item(), dict(zip(wrt, gradients))


def check(name, kind, options, inputs, step=1e-6):
    """Compares with central differences; the reversed gradients with -strength times theirs."""
    value, gradients = evaluate(kind, options, inputs)
    worst = 0.0
    for wrt, gradient in gradients.items():
        factor = -options["strength"] if wrt.startswith("space_") and "strength" in options else 1.0
        for k, got in enumerate(gradient.flatten().tolist()):
            ends = []
            for delta in [step, -step]:
                moved = {use: x.clone() for use, x in inputs.items()}
                moved[wrt].view(-1)[k] += delta
                ends.append(evaluate(kind, options, moved)[0])
            worst = max(worst, abs(got - factor * (ends[0] - ends[1]) / (2 * step)))
    print(f"{name}: value {value:.10f}, largest error of a gradient {worst:.1e}")
    assert worst < 1e-7, name


def main():
    torch.set_num_threads(1)
    inputs, cases = make_inputs(), []
    if "--check" in sys.argv[1:]:
        for case in CASES:
            check(*case, inputs)
        return
    shown = {name: {"shape": list(x.shape), "numbers": x.flatten().tolist()}
             for name, x in inputs.items()}
    for name, kind, options in CASES:
        value, gradients = evaluate(kind, options, inputs)
        rounded = {wrt: torch.round(x, decimals=10) + 0.0 for wrt, x in gradients.items()}
        cases.append({"name": name, "kind": kind, "options": options, "value": round(value, 10),
                      "gradients": {wrt: x.flatten().tolist() for wrt, x in rounded.items()}})
    result = {"inputs": shown, "rows_a": ROWS_A, "rows_b": ROWS_B, "cases": cases}
    # each list of numbers on one line
    print(re.sub(r"\n +(?=[-\d\]])", " ", json.dumps(result, indent=1)))


if __name__ == "__main__":
    main()
