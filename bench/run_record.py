"""docs/results/runs.jsonl: what bench/record keeps of finished runs, for bench/tables and
bench/plots; and questions.jsonl, how long bench/questions waited for their answers. HINNY_RECORD
and HINNY_QUESTIONS name other files."""
import json
import os
import pathlib
import re

RESULTS = pathlib.Path(__file__).parent.parent / "docs" / "results"
RECORD = pathlib.Path(os.environ.get("HINNY_RECORD") or RESULTS / "runs.jsonl")
QUESTIONS = pathlib.Path(os.environ.get("HINNY_QUESTIONS") or RESULTS / "questions.jsonl")


def read_lines(file):
    """A file of JSON lines; one that is not there has none."""
    if not file.exists():
        return []
    with file.open(encoding="utf-8") as lines:  # a caption may hold what splitlines takes for an end
        return [json.loads(line) for line in lines]


def recorded():
    """RECORD's lines by run: {"NAME-s1": {...}}."""
    return {line["run"]: line for line in read_lines(RECORD)}


def trained(run):
    """How the run folder's training went, from its card: minutes, and where, in what precision and
    of how many captions (older cards do not say)."""
    card = (run / "README.md").read_text(encoding="utf-8")
    clock, device, precision = re.search(r"batches in ([\d:]+)(?: on (\S+) in (\w+))?", card).groups()
    parts = [int(part) for part in clock.split(":")]
    seconds = sum(part * 60 ** place for place, part in enumerate(reversed(parts)))
    said = {"minutes": round(seconds / 60, 1)}
    if seen := re.search(r", (\d+) captions seen", card):
        said["captions"] = int(seen[1])
    return said | {"device": device, "precision": precision} if device else said


def write_lines(file, lines):
    """A JSON line for each; the file is whole at any time."""
    part = file.with_name(file.name + ".part")
    with open(part, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)


def together(lines):
    """Runs of one language each as one system's; several have no course of validation."""
    train = [line["parameters"].get("train") for line in lines]
    return {"minutes": sum(line["minutes"] for line in lines),
            "parameters": {"train": None if None in train else sum(train)},
            "languages": {code: recall for line in lines for code, recall in line["languages"].items()},
            "validation": lines[0]["validation"] if len(lines) == 1 else []}
