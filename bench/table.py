"""The lines of bench/compare as a Markdown table, each figure beside its ratio to PyTorch's."""

import json
import sys


def main():
    rows = [json.loads(line) for line in open(sys.argv[1])]
    print("| work | threads | side | figure | against installed | against tuned | "
          "share of GEMM peak | peak MB | load |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        peers = {r["side"]: r for r in rows
                 if r["work"] == row["work"] and r["threads"] == row["threads"]}

        def ratio(side):
            if side not in peers or row["side"].startswith("PyTorch"):
                return ""
            times = row["value"] / peers[side]["value"]
            return f"{times if row['unit'] != 's' else 1 / times:.1f}x"

        share = row.get("share_of_peak")
        print(f"| {row['work']} | {row['threads']} | {row['side']} | {row['value']:.4g} {row['unit']}"
              f" | {ratio('PyTorch as installed')} | {ratio('PyTorch tuned')}"
              f" | {'' if share is None else f'{100 * share:.0f} %'}"
              f" | {row.get('peak_rss_mb', '')} | {row.get('load', '')} |")


main()
