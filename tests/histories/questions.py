"""Random questions, and how they are asked on the command line and over HTTP."""
import base64
import json

from pictures import CAMERAS, LENSES, PLACES
from stored import text
from tree import FOLDERS, random_path

SENTENCES = {  # of words that the model knows
    "en": ["four green birds", "yellow fish in a meadow", "two yellow trees", "a black apple in a room",
           "a purple car in the snow"],
    "de": ["vier gr\u00fcne V\u00f6gel", "zwei gelbe B\u00e4ume", "ein violettes Auto im Schnee"]}
HEARD = " in 2021"  # a filter, where it stands behind a sentence


def random_question(rng, times=True):
    """Fields as /v1/search takes them in JSON; some ask about what is not there."""
    lang = rng.choice(["en", "en", "de"])
    question, chance = {}, rng.random
    if chance() < 0.75:
        question["q"] = rng.sample(SENTENCES[lang], rng.choice([1, 1, 1, 2, 3]))
        question["lang"] = lang
    if chance() < 0.1:
        question["image"] = f"d{rng.randrange(40)}"  # a picture of the pool
    if not {"q", "image"} & set(question) or chance() < 0.15:
        question["like"] = [text(random_path(rng)) for _ in range(rng.choice([1, 1, 2]))]
    if "q" in question and chance() < 0.15:
        question["not"] = [rng.choice(SENTENCES[lang])]
        question["not_weight"] = rng.choice([0.25, 0.5, 2])
    if "q" in question and len(question["q"]) == 1 and chance() < 0.1:
        question["also"] = ["de=" + rng.choice(SENTENCES["de"])]
    if {"like", "image"} & set(question) and chance() < 0.3:
        question["image_weight"] = rng.choice([0.5, 2])
    if chance() < 0.8:
        question["k"] = rng.choice([1, 1, 2, 3, 5, 10, 50, 300])
    if chance() < 0.25:
        question["min_score"] = round(rng.uniform(-0.2, 0.6), 3)
    if chance() < 0.25:
        question["in"] = rng.choice([*FOLDERS[1:], "nowhere", "a/", "..", "way", "e\u0301te\u0301", "A"])
    if chance() < 0.02:
        question.update(rng.choice([{"explain": True}, {"min_fit": 0.3}]))  # of which this model knows nothing
    if not times:
        return question
    if "q" in question and lang == "en" and chance() < 0.1:
        question["q"] = [question["q"][0] + HEARD]
        return question
    for name in ("since", "until"):
        if chance() < 0.15:
            question[name] = rng.choice(["2019", "2021-06", "2024-02-10", "1970", "1970-01-01 00:00", "2023-11-14", "2300"])
    if chance() < 0.12:
        question["near"] = "{},{}".format(*rng.choice(PLACES))
        if chance() < 0.7:
            question["within"] = rng.choice(["100m", "500m", "300km", "10mi"])
    if chance() < 0.12:
        question["camera"] = rng.choice([CAMERAS[0][2].lower(), "D750", "iphone", "12 apple", "leica"])
    if chance() < 0.1:
        question["lens"] = rng.choice([*LENSES, "makro", "f/2"])
    if chance() < 0.25:
        question["sort"] = rng.choice(["time", "time", "score"])
    if chance() < 0.2:
        question["near_copies"] = True
    for name in ("each_frame", "literal"):
        if chance() < 0.1:
            question[name] = True
    if chance() < 0.1:
        question["kind"] = rng.choice(["any", "picture", "film"])
    return question


def arguments(question, pool):
    """Of `hinny search`; `pool`: the folder of the pool's pictures."""
    words = []
    for name, value in question.items():
        if name == "q":
            words += value
            continue
        value = pool / f"{value}.png" if name == "image" else value
        option = "-k" if name == "k" else "--" + name.replace("_", "-")
        for one in value if isinstance(value, list) else [value]:
            words += [option] if one is True else [option, str(one)] if name == "k" else [f"{option}={one}"]
    return words


def by_program(programs, index, pool):
    """What asks `hinny search`: question -> status as over HTTP, and what was said."""
    def ask(question):
        status, out = programs.run(["hinny", "search", index, "--json", *arguments(question, pool)])
        return (200, out) if status == 0 else (400, programs.said)
    return ask


def body(question, pool):
    """Of a request to /v1/search."""
    if "image" in question:
        picture = (pool / f"{question['image']}.png").read_bytes()
        question = {**question, "image": base64.b64encode(picture).decode()}
    return json.dumps(question)
