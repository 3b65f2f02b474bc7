"""Asks `hinny serve` over HTTP, with nothing but Python:  ask_http.py http://localhost:8080 "ein Hund" """

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

if len(sys.argv) != 3:
    sys.exit(f"usage: {sys.argv[0]} SERVER QUESTION")
asked = urllib.parse.urlencode({"q": sys.argv[2], "k": 5})
try:
    with urllib.request.urlopen(f"{sys.argv[1]}/v1/search?{asked}") as response:
        answer = json.load(response)
except urllib.error.HTTPError as error:
    sys.exit(f"error: {json.load(error)['error']['message']}")
for result in answer["results"]:
    print(f"{result['score']:.6f} {result['image']} {result.get('url', '')}")
