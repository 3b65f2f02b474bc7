"""docs/results/runs.jsonl: what bench/record keeps of finished runs, for bench/tables and
bench/plots."""
import json
import pathlib

RECORD = pathlib.Path(__file__).parent.parent / "docs" / "results" / "runs.jsonl"


def recorded():
    """Its lines by run: {"NAME-s1": {...}}."""
    if not RECORD.exists():
        return {}
    lines = [json.loads(line) for line in RECORD.read_text(encoding="utf-8").splitlines()]
    return {line["run"]: line for line in lines}
