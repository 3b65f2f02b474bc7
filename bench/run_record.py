"""docs/results/runs.jsonl: what bench/record keeps of finished runs, for bench/tables and
bench/plots. HINNY_RECORD names another file."""
import json
import os
import pathlib

RECORD = pathlib.Path(os.environ.get("HINNY_RECORD") or
                      pathlib.Path(__file__).parent.parent / "docs" / "results" / "runs.jsonl")


def recorded():
    """Its lines by run: {"NAME-s1": {...}}."""
    if not RECORD.exists():
        return {}
    lines = [json.loads(line) for line in RECORD.read_text(encoding="utf-8").splitlines()]
    return {line["run"]: line for line in lines}


def together(lines):
    """Runs of one language each as one system's; several have no course of validation."""
    train = [line["parameters"].get("train") for line in lines]
    return {"minutes": sum(line["minutes"] for line in lines),
            "parameters": {"train": None if None in train else sum(train)},
            "languages": {code: recall for line in lines for code, recall in line["languages"].items()},
            "validation": lines[0]["validation"] if len(lines) == 1 else []}
