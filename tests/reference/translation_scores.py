"""BLEU, chrF2, METEOR and lexical diversity of a few lines, independently of the C++ code.

BLEU takes sacreBLEU's published regular expressions as they stand, METEOR tries every alignment
with the most matches; stems are Snowball's, from the C library by ctypes.

    python3 tests/reference/translation_scores.py > tests/reference/translation_scores.json
    python3 tests/reference/translation_scores.py --check   # numbers that others published
    python3 tests/reference/translation_scores.py --score de HYPOTHESES REFERENCE...   # of files
"""
import ctypes
import gzip
import json
import math
import re
import sys
from collections import Counter, defaultdict
from functools import lru_cache

CORPORA = [
    {"language": "de", "hypotheses": [
        "Ein Mann fährt mit einem Fahrrad durch die Stadt.",
        "Zwei Hunde spielten im tiefen Schnee, nahe bei einem Haus.",
        "Der Preis: 1.000,50 € - \"viel zu hoch\", sagt sie!",
        "Ein Mädchen mit einem roten Hut und ein Junge mit einem Ball."],
     "references": [[
         "Ein Mann fährt auf seinem Fahrrad durch eine Stadt.",
         "Zwei Hunde spielen im tiefen Schnee nahe einem Haus.",
         "Der Preis von 1.000,50 € ist „viel zu hoch“, sagte sie.",
         "Ein Junge mit einem Ball und ein Mädchen mit einem roten Hut."]]},
    {"language": "en", "hypotheses": [
        "a man in a blue shirt is standing on a ladder and a boy holds it .",
        "",
        "She paid $1,000.5 (in cash) for 3-4 well-known books &amp; a lamp...",
        "The dogs are running across the fields."],
     "references": [[
         "A man in a blue shirt stands on a ladder, and a boy is holding it.",
         "Nobody is here.",
         "She paid $1,000.50 in cash for three or four well-known books & a lamp.",
         "A dog runs across the field."], [
         "A boy holds a ladder for a man in a blue shirt.",
         "No one.",
         "In cash, she paid $1,000.5 for 3-4 famous books and a lamp...",
         "The dogs run across fields."]]},
    {"language": "fr", "hypotheses": [
        "L'homme est assis sur un banc près de l'eau.",
        "« Où vas-tu ? », demandait la petite fille.",
        "Ça coûte 12,5 euros, soit 3% de plus qu'en 2019-2020.",
        "ÉTÉ COMME HIVER, ILS NAGENT."],
     "references": [[
         "Un homme est assis sur un banc, près de l'eau.",
         "« Où vas-tu ? » a demandé la petite fille.",
         "Cela coûte 12,50 euros, soit 3 % de plus qu'en 2019-2020.",
         "Été comme hiver, ils nageaient."]]},
    # Too short for 4-grams; orders without a match, which are smoothed; no stemmer.
    {"language": "en", "hypotheses": ["red cup tea"], "references": [["tea red cup on a table"]]},
    {"language": "en", "hypotheses": ["one cup of tea two"],
     "references": [["two cups of green tea one more"]]},
    {"language": "zh", "hypotheses": ["一个男人在骑车。"], "references": [["一个男人骑着自行车。"]]},
]


def words_13a(line):  # sacrebleu/tokenizers/tokenizer_13a.py and tokenizer_re.py
    line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for name, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        line = line.replace(name, sign)
    line = f" {line} "
    for pattern, replacement in ((r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 "),
                                 (r"([^0-9])([\.,])", r"\1 \2 "),
                                 (r"([\.,])([^0-9])", r" \1 \2"),
                                 (r"([0-9])(-)", r"\1 \2 ")):
        line = re.sub(pattern, replacement, line)
    return line.split()


TOKENISERS = {"13a": words_13a, "none": str.split}


def grams(items, n):
    return Counter(tuple(items[i:i + n]) for i in range(len(items) - n + 1))


def bleu(hypotheses, references, tokeniser="13a", lower=False):
    def cut(line):
        return TOKENISERS[tokeniser](line.lower() if lower else line)
    hits, totals, length, wanted = [0] * 4, [0] * 4, 0, 0
    for hypothesis, *others in zip(hypotheses, *references):
        hypothesis, others = cut(hypothesis), [cut(other) for other in others]
        length += len(hypothesis)
        wanted += min((abs(len(o) - len(hypothesis)), len(o)) for o in others)[1]
        for n in range(1, 5):
            union = Counter()
            for other in others:
                union |= grams(other, n)
            hits[n - 1] += sum((grams(hypothesis, n) & union).values())
            totals[n - 1] += sum(grams(hypothesis, n).values())
    penalty = 1.0 if length >= wanted else math.exp(1 - wanted / length) if length else 0.0
    precisions, zeros = [0.0] * 4, 0
    if any(hits):
        for i, (hit, total) in enumerate(zip(hits, totals)):
            if total == 0:
                break
            zeros += hit == 0
            precisions[i] = 100 * (hit or 0.5 ** zeros) / total
    logs = [math.log(p) if p else -math.inf for p in precisions]
    return {"score": penalty * math.exp(sum(logs) / 4), "precisions": precisions,
            "brevity_penalty": penalty, "hypothesis_words": length, "reference_words": wanted}


def chrf(hypotheses, references, lower=False):
    def cut(line):
        return "".join((line.lower() if lower else line).split())

    def f2(counts):
        pairs = [(both / h, both / r) for h, r, both in counts if h and r]
        if not any(p for p, _ in pairs):
            return 0.0
        precision, recall = (sum(column) / len(pairs) for column in zip(*pairs))
        return 5 * precision * recall / (4 * precision + recall)

    sums = [[0, 0, 0] for _ in range(6)]
    for hypothesis, *others in zip(hypotheses, *references):
        candidates = []
        for other in others:
            counts = []
            for n in range(1, 7):
                h, r = grams(cut(hypothesis), n), grams(cut(other), n)
                counts.append([sum(h.values()) if r else 0, sum(r.values()), sum((h & r).values())])
            candidates.append(counts)
        best = max(candidates, key=f2)  # the first of equals
        sums = [[a + b for a, b in zip(x, y)] for x, y in zip(sums, best)]
    return {"score": 100 * f2(sums)}


def stemmer(language):
    library = ctypes.CDLL("libstemmer.so.0d")
    library.sb_stemmer_new.restype = library.sb_stemmer_stem.restype = ctypes.c_void_p
    library.sb_stemmer_stem.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    library.sb_stemmer_length.argtypes = [ctypes.c_void_p]
    made = library.sb_stemmer_new(language.encode(), b"UTF_8")

    def stem(word):
        data = word.encode()
        found = library.sb_stemmer_stem(made, data, len(data))
        return ctypes.string_at(found, library.sb_stemmer_length(made)).decode()
    return stem if made else str


def fewest_chunks(hypothesis, reference):
    """Matches and chunks of the best alignment, by trying all of them."""
    places, ahead = defaultdict(list), []
    for i, word in enumerate(reference):
        places[word].append(i)
    matches = Counter(hypothesis) & Counter(reference)
    for i in range(len(hypothesis)):
        ahead.append(hypothesis[i + 1:].count(hypothesis[i]))

    @lru_cache(maxsize=None)
    def search(i, used, last):
        if i == len(hypothesis):
            return 0
        word = hypothesis[i]
        best = math.inf
        for place in places[word]:
            if not used >> place & 1:
                best = min(best, (place - 1 != last) + search(i + 1, used | 1 << place, place))
        if sum(used >> place & 1 for place in places[word]) + ahead[i] >= matches[word]:
            best = min(best, search(i + 1, used, -2))
        return best
    return sum(matches.values()), search(0, 0, -2)


def meteor(hypotheses, references, language, tokeniser="13a"):
    stem = stemmer(language)

    def cut(line):
        return [stem(word) for word in TOKENISERS[tokeniser](line.lower())]

    def score(counts):
        matches, chunks, h, r = counts
        if matches == 0:
            return 0.0
        precision, recall = matches / h, matches / r
        mean = 10 * precision * recall / (recall + 9 * precision)
        return 100 * mean * (1 - 0.5 * (chunks / matches) ** 3)

    sums = [0] * 4
    for hypothesis, *others in zip(hypotheses, *references):
        h = cut(hypothesis)
        rows = [(*fewest_chunks(h, cut(r)), len(h), len(cut(r))) for r in others]
        best = max(score(row) for row in rows)
        chosen = next(row for row in rows if score(row) > best - 1e-9)
        sums = [a + b for a, b in zip(sums, chosen)]
    return {"score": score(sums), "matches": sums[0], "chunks": sums[1],
            "hypothesis_words": sums[2], "reference_words": sums[3]}


def diversity(lines, segment):
    rows = [[w for w in words_13a(line.lower()) if any(c.isalnum() for c in w)] for line in lines]
    words = [word for row in rows for word in row]
    pairs = [pair for row in rows for pair in zip(row, row[1:])]
    parts = [words[i:i + segment] for i in range(0, len(words) - segment + 1, segment)]
    return {"segment": segment, "words": len(words), "distinct_words": len(set(words)),
            "distinct_2": len(set(pairs)) / len(pairs) if pairs else 0,
            "mean_segmental_ratio":
                sum(len(set(p)) for p in parts) / segment / len(parts) if parts else None}


def scores(corpus):
    hypotheses, references = corpus["hypotheses"], corpus["references"]
    result = dict(corpus, bleu=[], chrf=[], meteor=[], diversity=diversity(hypotheses, 10))
    for lower in (False, True):
        for tokeniser in TOKENISERS:
            result["bleu"].append({"tokeniser": tokeniser, "lower": lower,
                                   **bleu(hypotheses, references, tokeniser, lower)})
        result["chrf"].append({"lower": lower, **chrf(hypotheses, references, lower)})
    for tokeniser in TOKENISERS:
        result["meteor"].append({"tokeniser": tokeniser, **meteor(
            hypotheses, references, corpus["language"], tokeniser)})
    return result


def check():
    # sacreBLEU's README and test/test_bleu.py; NLTK's documentation of METEOR, alignment by hand.
    hypotheses = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
    references = [["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
                  ["The dog had bit the man.", "No one was surprised.",
                   "The man had bitten the dog."]]
    assert abs(bleu(hypotheses, references)["score"] - 48.530827) < 1e-6
    assert abs(bleu(hypotheses, references, "none")["score"] - 49.1919566) < 1e-6
    assert fewest_chunks("a b a c".split(), "a c b a".split()) == (4, 3)
    print("as published")


def lines_of(path):
    with open(path, "rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
    with (gzip.open if zipped else open)(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


def main(arguments):
    if arguments[:1] == ["--check"]:
        check()
    elif arguments[:1] == ["--score"]:
        hypotheses, *references = [lines_of(path) for path in arguments[2:]]
        for lower in (True, False):
            print(bleu(hypotheses, references, lower=lower), chrf(hypotheses, references, lower))
        print(meteor(hypotheses, references, arguments[1]), diversity(hypotheses, 1000))
    else:
        corpora = []
        for corpus in CORPORA:
            rows = []
            for key, value in scores(corpus).items():
                items = value if isinstance(value, list) else [value]
                text = ",\n   ".join(json.dumps(item, ensure_ascii=False) for item in items)
                rows.append(f'  "{key}": ' + (f"[\n   {text}]" if items is value else text))
            corpora.append(" {\n" + ",\n".join(rows) + "}")
        print("[\n" + ",\n".join(corpora) + "]")


if __name__ == "__main__":
    main(sys.argv[1:])
