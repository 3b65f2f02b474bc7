#!/usr/bin/env python3
"""The lines of bench/compare as a Markdown table, each figure beside its ratio to PyTorch's.

    table.py LINES               prints the table
    table.py LINES --record      also keeps the lines in docs/results/speed.jsonl, by processor
    table.py --page PAGE         writes a table for each processor on record between the page's
                                 two lines <!-- speed -->
"""

import json
import os
import pathlib
import re
import sys

from run_record import read_lines, write_lines

SPEED = pathlib.Path(os.environ.get("HINNY_SPEED") or
                     pathlib.Path(__file__).parent.parent / "docs" / "results" / "speed.jsonl")
MARK = "<!-- speed -->"


def generation(text, flags):
    """Of an AMD, whose name may not tell it: Zen 5 multiplies twice as fast as Zen 4."""
    family = re.search(r"cpu family\s*: (\d+)", text)
    if "AuthenticAMD" not in text or not family:
        return []
    zen4 = ["Zen 4"] if "avx512f" in flags else ["Zen 3"]
    return {25: zen4, 26: ["Zen 5"]}.get(int(family.group(1)), [])


def processor():
    """Its name, and what decides the speed of products."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    name = re.search(r"model name\s*: (.*)", text)
    flags = set(re.search(r"flags\s*: (.*)", text).group(1).split())
    wide = [said for flag, said in (("avx512f", "AVX-512"), ("avx512_bf16", "bfloat16"),
                                    ("amx_bf16", "AMX")) if flag in flags]
    known = name.group(1).strip() if name else "unknown"
    return ", ".join([known, *generation(text, flags), *wide])


def table(rows):
    lines = ["| work | threads | side | figure | against installed | against tuned | "
             "share of GEMM peak | peak MB | load |", "|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        peers = {r["side"]: r for r in rows
                 if r["work"] == row["work"] and r["threads"] == row["threads"]}

        def ratio(side):
            if side not in peers or row["side"].startswith("PyTorch"):
                return ""
            times = row["value"] / peers[side]["value"]
            return f"{times if row['unit'] != 's' else 1 / times:.1f}x"

        share = row.get("share_of_peak")
        lines.append(
            f"| {row['work']} | {row['threads']} | {row['side']} | {row['value']:.4g} {row['unit']}"
            f" | {ratio('PyTorch as installed')} | {ratio('PyTorch tuned')}"
            f" | {'' if share is None else f'{100 * share:.0f} %'}"
            f" | {row.get('peak_rss_mb', '')} | {row.get('load', '')} |")
    return "\n".join(lines)


def record(rows):
    def key(row):
        return row["processor"], row["work"], row["threads"], row["side"]

    kept = {key(row): row for row in read_lines(SPEED)}
    here = processor()
    kept |= {key(row): row for row in ({"processor": row.get("device", here)} | row for row in rows)}
    write_lines(SPEED, kept.values())


def fill(page):
    before, _, after = page.read_text(encoding="utf-8").split(MARK)
    rows = read_lines(SPEED)
    tables = [f"**{name}**\n\n{table([row for row in rows if row['processor'] == name])}"
              for name in dict.fromkeys(row["processor"] for row in rows)]
    page.write_text(f"{before}{MARK}\n\n" + "\n\n".join(tables) + f"\n\n{MARK}{after}",
                    encoding="utf-8")


def main():
    if sys.argv[1] == "--page":
        return fill(pathlib.Path(sys.argv[2]))
    rows = read_lines(pathlib.Path(sys.argv[1]))
    print(table(rows))
    if "--record" in sys.argv[2:]:
        record(rows)


if __name__ == "__main__":
    main()
