"""Rows of docs/results/*.toml and their recorded runs, for bench/tables and bench/plots."""
import re
import statistics

from run_record import together


def names_of(run):
    return [run] if isinstance(run, str) else run


def seeds_of(run, lines):
    """The runs of a NAME, or of several that stand together, by seed; one without all of its
    parts is left out."""
    names = names_of(run)
    pattern = re.compile(re.escape(names[0]) + r"-(s\d+)")
    found = sorted(match[1] for match in map(pattern.fullmatch, lines) if match)
    parts = [[lines.get(f"{name}-{seed}") for name in names] for seed in found]
    result = []
    for part in parts:
        if None not in part:
            search = [line["parameters"].get("search") for line in part]
            whole = together(part)
            whole["parameters"]["search"] = None if None in search else sum(search)
            result.append(whole)
    return result


def seeds(row, lines):
    """A row's runs; until its "run" has any, those of its "until"."""
    return seeds_of(row["run"], lines) or seeds_of(row.get("until", row["run"]), lines)


def average(run, languages):
    """Mean recall over languages; None when one of them is not there."""
    values = [run["languages"].get(code, {}).get("mean_recall") for code in languages]
    return None if None in values else statistics.fmean(values)


def millions(run, what):
    """How many parameters, in millions: "train" or "search"; None where no one noted them."""
    count = run["parameters"].get(what)
    return count and round(count / 1e6, 1)
