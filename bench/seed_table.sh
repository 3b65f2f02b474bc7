#!/usr/bin/env bash
# Mean and spread over seeds, as a Markdown table, from the files that `hinny eval --json` wrote:
#   for s in 1 2 3; do
#     hinny train bag --data flickr8k --features inceptionv3+mobilenetv2 --seed $s --out runs/s$s
#     hinny eval runs/s$s --data flickr8k --json > runs/s$s.json
#   done
#   bench/seed_table.sh runs/s?.json
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 EVAL.json EVAL.json..." >&2; exit 2; }

# One line "name mR" per language and file, the averages included.
for file in "$@"; do
  tr -d ' \n' <"$file" |
    sed -E 's/.*"languages":\{//; s/"(image_to_text|text_to_image)":\{[^}]*\},?//g; s/"captions":[0-9]+,?//g' |
    grep -oE '"[a-z_A-Z-]+":(\{"mean_recall":)?[0-9.]+' |
    sed -E 's/"([^"]+)":(\{"mean_recall":)?/\1 /'
done | awk -v files=$# '
  $1 == "train" || $1 == "search" { next }
  !($1 in n) { order[++names] = $1 }
  { n[$1]++; sum[$1] += $2; if (!($1 in low) || $2 < low[$1]) low[$1] = $2; if ($2 > high[$1]) high[$1] = $2 }
  END {
    print "| | mR, mean of " files " seeds | lowest | highest |\n|---|---|---|---|"
    for (i = 1; i <= names; i++) {
      name = order[i]
      printf "| %s | %.1f | %.1f | %.1f |\n", name, sum[name] / n[name], low[name], high[name]
    }
  }'
