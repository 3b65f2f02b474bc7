"""What the peers share: captions that a C++ program can draw too, and one way to report.

Both sides do the same work (bench/caption_lengths.h): lengths and words come from a linear
congruential generator,
    state = (state * 1664525 + 1013904223) mod 2^32, a draw is state >> 16
    length = 5 + draw mod 8 + draw mod 8, and 13 more when a third draw mod 16 is 0
    word = floor(4000 ^ (draw / 65536)), so that word w is as likely as 1 / w
Lengths lie between 5 and 32, 12.8 on average, as those of English picture captions do. The first
eight of seed 1 are 5, 8, 13, 28, 13, 8, 17, 14.

Import this module before torch: thread counts are read when libraries load.
"""

import argparse
import contextlib
import json
import os
import resource
import time

SEED = 1


def draws(state):
    while True:
        state = (state * 1664525 + 1013904223) % 2**32
        yield state >> 16


def caption_lengths(count, seed=SEED):
    draw = draws(seed)
    lengths = []
    for _ in range(count):
        length = 5 + next(draw) % 8 + next(draw) % 8
        lengths.append(length + (13 if next(draw) % 16 == 0 else 0))
    return lengths


def caption_words(count, seed=2):
    draw = draws(seed)
    return [int(4000.0 ** (next(draw) / 65536)) for _ in range(count)]


def parse_options(description, add=lambda parser: None, **numbers):
    """`numbers`: options that are whole numbers, with their defaults."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="cpu or cuda; steps alone know the second")
    parser.add_argument("--precision", choices=["fp32", "bf16"], default="fp32",
                        help="bf16: steps forward under torch.autocast")
    parser.add_argument("--json", action="store_true", help="one JSON line, not a sentence")
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    add(parser)
    options = parser.parse_args()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(options.threads)
    return options


def finished(device):
    """Waits for what a GPU still does."""
    if device != "cpu":
        import torch

        torch.cuda.synchronize()


def timed(work, device="cpu"):
    """Wall and processor seconds: on a machine that others use only the second is steady."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    finished(device)
    return time.perf_counter() - wall, time.process_time() - processor


def median_times(work, steps, device="cpu"):
    """Of `steps` runs after one to warm up, on a GPU three."""
    for _ in range(1 if device == "cpu" else 3):
        work()
    finished(device)
    times = [timed(work, device) for _ in range(steps)]
    return tuple(sorted(column)[len(times) // 2] for column in zip(*times))


def narrow(options):
    """What the forward pass runs in."""
    if options.precision == "fp32":
        return contextlib.nullcontext()
    import torch

    return torch.autocast(options.device, torch.bfloat16)


def report(options, name, value, unit, **more):
    import torch  # late: see above

    # What changes the libraries' speed severalfold must stand beside the figure.
    settings = ("OPENBLAS_CORETYPE", "GLIBC_TUNABLES", "LD_PRELOAD", "GOMP_SPINCOUNT")
    record = {"name": name, "value": float(f"{value:.4g}"), "unit": unit, **more}
    record |= {
        "threads": options.threads,
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "load": round(os.getloadavg()[0], 2),
        "precision": options.precision,
        "torch": torch.__version__,
    }
    record |= {name: os.environ[name] for name in settings if name in os.environ}
    print(json.dumps(record) if options.json else ", ".join(f"{k} {v}" for k, v in record.items()))


def report_steps(options, name, step, captions, tokens, unit="captions/s"):
    """How many captions (or another unit) a second training steps of so many make."""
    wall, processor = median_times(step, options.steps, options.device)
    report(
        options,
        name,
        captions / wall,
        unit,
        per_cpu_s=round(captions / processor, 1),
        tokens=tokens,
    )
