"""Asks an index from Python:  ask.py INDEX "ein Hund springt ins Wasser" """

import sys

import hinny

if len(sys.argv) != 3:
    sys.exit(f"usage: {sys.argv[0]} INDEX QUESTION")
try:
    photos = hinny.Index(sys.argv[1])
    found = photos.search(sys.argv[2], k=5)
except (ValueError, FileNotFoundError) as error:
    sys.exit(f"error: {error}")
print(f"{len(photos)} pictures, asked in '{found.language}'", file=sys.stderr)
for result in found:
    print(f"{result.score:.6f} {result.id} {result.file}")
