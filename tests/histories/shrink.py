"""The shortest history that still fails, by leaving out steps."""
import time


def shrunk(steps, fails, seconds):
    """`fails(steps)` -> whether it does, in the same way. Tries for so long."""
    end = time.monotonic() + seconds
    size = max(1, len(steps) // 2)
    while True:
        at, before = 0, len(steps)
        while at < len(steps):
            if time.monotonic() > end:
                return steps
            fewer = steps[:at] + steps[at + size:]
            if fails(fewer):
                steps = fewer
            else:
                at += size
        if size == 1 and len(steps) == before:
            return steps
        size = max(1, size // 2)
