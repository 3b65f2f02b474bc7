"""What the peers share: caption lengths that a C++ program can draw too, and one way to report.

Lengths come from a linear congruential generator, so that both sides do the same work:
    state = (state * 1664525 + 1013904223) mod 2^32, a draw is state >> 16
    length = 5 + draw mod 8 + draw mod 8, and 13 more when a third draw mod 16 is 0
Between 5 and 32 words, 12.8 on average, as English picture captions have. bench/caption_lengths.h
is the same in C++; the first eight of seed 1 are 5, 8, 13, 28, 13, 8, 17, 14.

Import this module before torch: thread counts are read when libraries load.
"""

import argparse
import json
import os
import resource
import time

SEED = 1


class CaptionLengths:
    def __init__(self, seed=SEED):
        self.state = seed

    def draw(self):
        self.state = (self.state * 1664525 + 1013904223) % 2**32
        return self.state >> 16

    def next(self):
        length = 5 + self.draw() % 8 + self.draw() % 8
        return length + (13 if self.draw() % 16 == 0 else 0)


def caption_lengths(count, seed=SEED):
    lengths = CaptionLengths(seed)
    return [lengths.next() for _ in range(count)]


def padded_words(lengths, seed=2):
    """Word ids [captions, longest]; ids in [1, 4000), the probability of w falling as 1 / w."""
    import torch  # late: see above

    lengths_so_far, words = CaptionLengths(seed), torch.zeros(len(lengths), max(lengths)).long()
    for row, length in enumerate(lengths):
        for column in range(length):
            words[row, column] = int(4000.0 ** (lengths_so_far.draw() / 65536.0))
    return words


def parse_options(description, add=lambda parser: None):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON line (default: a sentence)")
    add(parser)
    options = parser.parse_args()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(options.threads)
    return options


def timed(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def peak_megabytes():
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def report(options, name, value, unit, **more):
    import torch  # late: see above

    record = {"name": name, "value": float(f"{value:.4g}"), "unit": unit, **more}
    record |= {
        "threads": options.threads,
        "peak_rss_mb": peak_megabytes(),
        "load": round(os.getloadavg()[0], 2),
        "torch": torch.__version__,
    }
    # What changes the libraries' speed severalfold must stand beside the figure.
    for variable in ("OPENBLAS_CORETYPE", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX", "LD_PRELOAD"):
        if variable in os.environ:
            record[variable] = os.environ[variable]
    if options.json:
        print(json.dumps(record))
    else:
        print(f"{name}: {value:.4g} {unit}", {k: v for k, v in record.items() if k in more})
