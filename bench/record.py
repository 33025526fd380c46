#!/usr/bin/env python3
"""Appends what a bench printed to its history, bench/results/BENCH.jsonl.

    build/release/bin/bench_compare | bench/record.py compare --machine "EPYC Zen 4"
    bench/record.py BENCH [FILE]        FILE holds what the bench printed; without it, standard input

Benches print tables in Markdown. KEPT below names, for each bench, the columns that tell its rows apart and the
columns whose figures are kept. They become CSV, which `assay history import` appends to the history: a run a call.
Exit code: 0 appended, or was there already; 1 no figure was found; 2 usage, or the tool could not append.
"""

import argparse
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
LOWER, HIGHER = "lower_is_better", "higher_is_better"


class Table:
    """What is kept of a kind of table that a bench prints; several may keep rows of one.

    A column that occurs again is "ratio#2"."""

    def __init__(self, keys, metrics, only="", titled=""):
        self.keys = keys  # columns that tell rows apart
        self.metrics = (
            metrics  # column to (name, unit, direction); a direction that begins with "?" is read from a column
        )
        self.only = only  # a regular expression that the first cell of a kept row matches
        self.titled = titled  # a regular expression of the heading above; its groups are configuration


def ratio(column, unit="1", direction=LOWER):
    return {column: (column.split("#")[0], unit, direction)}


KEPT = {
    "detection": [
        # Of the rules of others nothing is kept: what they catch is no promise of ours.
        Table(
            [],
            {"Assay": ("faults caught", "%", HIGHER)},
            r"\*\*all",
            "GEMM: faults caught, percent of runs, (?P<inputs>.*)",
        ),
        Table(
            [],
            {"Assay": ("right kernels accused", "%", LOWER)},
            r"\*\*all",
            "GEMM: right kernels accused, percent of runs, (?P<inputs>.*)",
        ),
        Table(["operation"], {"Assay": ("faults caught", "1", HIGHER)}, titled="Other operations"),
    ],
    "diagnosis": [Table([], {**ratio("rightly", "%", HIGHER), **ratio("wrongly with certain", "%")}, "all")],
    "gemm_residual": [Table(["n", "formats", "order"], ratio("residual / sgemm"))],
    "compare": [Table(["pair", "data"], ratio("ratio"))],
    "convert": [Table(["conversion"], ratio("copy / convert", direction=HIGHER))],
    "gemm_check": [Table(["formats", "n"], ratio("both: the check"))],
    "attention": [Table(["format", "length"], {"ratio#2": ("whole case", "1", LOWER)})],
    "convolution": [Table(["layer", "operation"], ratio("both: the check"))],
    "rowwise": [Table(["operation", "format"], ratio("ratio"))],
    "elementwise": [Table(["function", "format"], ratio("ratio"))],
    "small_cases": [Table(["way", "cases", "jobs"], {"seconds": ("seconds", "s", LOWER)})],
    "isolation": [Table([""], ratio("ratio"), "forked|executed")],
    "regressions": [
        Table(
            [],
            {"accused without change, of 1000 nights": ("accused of 1000 nights", "1", LOWER)},
            r"\*\*default",
            "Noise: (?P<noise>[^:,]*)",
        ),
        Table(["method"], {"seconds": ("scan", "s", LOWER)}, titled="Scan of"),
    ],
    "history": [Table(["store"], {"load and scan, s": ("load and scan", "s", LOWER)})],
    "baselines": [Table(["^.* records of .* bytes"], {"median, µs": ("median", "µs", LOWER)}, "directory|SQLite")],
    "release": [Table(["what"], {"seconds": ("seconds", "s", LOWER)})],
    "accuracy": [Table(["^metric$"], ratio("time", "s"))],
    "fleet": [
        Table(
            ["nodes"],
            {
                **ratio("found", direction=HIGHER),
                **ratio("falsely accused"),
                **ratio("seconds", "s"),
                "GB": ("memory", "GB", LOWER),
            },
        )
    ],
    "hardware": [
        Table([], {"": ("tested", "GB/s", HIGHER)}, "tested"),
        Table([], {"": ("over a read pass", "1", LOWER)}, "read passes"),
        Table(["^March C-"], {"": ("over memtester", "1", HIGHER)}, "March C-.* : memtester"),
        # Not what checking costs: a difference around 0 % has no factor by which it gets worse.
        Table(["format", "K"], ratio("checked", "Gop/s", HIGHER)),
    ],
    "telemetry": [
        Table(
            ["source"],
            {
                "processor us a poll": ("processor time a poll", "µs", LOWER),
                "% of a core": ("of a core", "%", LOWER),
            },
        )
    ],
    "serving": [
        # The program's stamps stand beside the kernel's to show what those spare; they are no promise.
        Table(
            ["stamps"],
            {
                "error p50, us": ("error p50", "µs", LOWER),
                "p99": ("error p99", "µs", LOWER),
                "processor us an event": ("processor time an event", "µs", LOWER),
                **ratio("shared a read", "%"),
            },
            "kernel",
        )
    ],
    "collectives_in_process": [
        Table(["algorithm"], {"median s": ("seconds", "s", LOWER)}),
        Table(["type", "reduction"], ratio("copy / reduce", direction=HIGHER)),
    ],
    "collectives_verification": [
        Table(
            ["operation", "type", "data"],
            {**ratio("making/memset", direction=HIGHER), **ratio("checking/reading", direction=HIGHER)},
        )
    ],
    "collectives_faults": [
        Table(
            [], {name: (name, "1", HIGHER) for name in ("caught", "named")}, r"\*\*all", "Faults over (?P<where>[^(]*)"
        ),
        Table(["algorithm", "ranks"], ratio("accused")),
    ],
    "collectives_sweep": [
        Table(["placement"], {"ratio": ("wall time", "1", LOWER), "ratio#2": ("all-reduce", "1", LOWER)}, "in|out")
    ],
    "compile_time": [
        Table(["included"], {**ratio("to Kokkos"), **ratio("memory, MB", "MB")}, "assay/|examples/"),
        Table(["compiled", "options"], {"s": ("seconds", "s", LOWER), **ratio("object, MB", "MB")}),
    ],
    "gpu": [Table(["what", "against"], {"ratio": ("ratio", "1", "?aim")})],
}


def tables_of(text):
    """The heading above and the rows of each table, each row a dictionary by column."""
    title, lines = "", []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            lines.append([cell.strip() for cell in line.strip()[1:].removesuffix("|").split(" | ")])
            continue
        if len(lines) > 2:
            seen, columns = {}, []
            for name in lines[0]:
                seen[name] = seen.get(name, 0) + 1
                columns.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
            yield title, [dict(zip(columns, cells)) for cells in lines[2:] if len(cells) == len(columns)]
        lines = []
        if line.startswith("#"):
            title = line.lstrip("# ").strip()


def column(pattern, row):
    """A key's column: by name, or the first that matches where the name begins with ^."""
    return next((name for name in row if name == pattern or pattern.startswith("^") and re.match(pattern, name)), None)


def direction_of(direction, row):
    if not direction.startswith("?"):
        return direction
    return HIGHER if row.get(direction[1:], "").startswith("at least") else LOWER


def kept_of(bench, text):
    """Rows of CSV: dictionaries of name, metric, unit, direction, value, and what else tells series apart."""
    for title, rows in tables_of(text):
        for table in KEPT[bench]:
            titled = re.match(table.titled, title)
            if (
                not titled
                or not rows
                or any(name not in rows[0] for name in table.metrics)
                or any(column(key, rows[0]) is None for key in table.keys)
            ):
                continue
            for row in rows:
                if not re.match(table.only, next(iter(row.values()))):
                    continue
                where = {
                    ("way" if key.startswith("^") or not key else key): row[column(key, row)].strip("*")
                    for key in table.keys
                }
                where.update({key: value.strip() for key, value in titled.groupdict().items()})
                for name, (metric, unit, direction) in table.metrics.items():
                    if found := NUMBER.match(row[name].strip("* ")):
                        yield {
                            "name": bench,
                            "metric": metric,
                            "unit": unit,
                            "direction": direction_of(direction, row),
                            "value": found[0],
                            **where,
                        }


def commit():
    found = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=9", "HEAD"], capture_output=True, text=True)
    return found.stdout.strip()


def version():
    return re.search(r'version = "([^"]+)"', (ROOT / "include/assay/core/version.hpp").read_text())[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", choices=sorted(KEPT), metavar="BENCH", help="the bench, without bench_")
    parser.add_argument("file", nargs="?", metavar="FILE")
    parser.add_argument(
        "--machine", default="", help="its name in the README; left out for figures that no machine changes"
    )
    parser.add_argument(
        "--with",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="more",
        help="what the table does not say, as jobs=2",
    )
    parser.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="more labels; baseline=0.1 for a run that later ones are held against",
    )
    parser.add_argument("--time", default="", help="when it was measured, UTC, as 2025-01-02T03:04:05Z (now)")
    parser.add_argument("--into", default=str(ROOT / "bench/results"), metavar="FOLDER")
    parser.add_argument("--assay", default=str(ROOT / "build/release/bin/assay"), metavar="TOOL")
    given = parser.parse_args()
    more = dict(pair.split("=", 1) for pair in given.more)
    if given.machine:
        more["machine"] = given.machine
    rows = [
        {**row, **more}
        for row in kept_of(given.bench, pathlib.Path(given.file).read_text() if given.file else sys.stdin.read())
    ]
    if not rows:
        print(f"record.py: no table of bench_{given.bench} is in what was given", file=sys.stderr)
        return 1
    labels = {"version": version(), "commit": commit(), **dict(pair.split("=", 1) for pair in given.label)}
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"{given.bench}.csv"
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, columns, restval="")
            writer.writeheader()
            writer.writerows(rows)
        line = [
            given.assay,
            "history",
            "import",
            str(path),
            "--into",
            str(pathlib.Path(given.into) / f"{given.bench}.jsonl"),
            "--no-config",
        ]
        for name, value in labels.items():
            line += ["--label", f"{name}={value}"] if value else []
        line += ["--time", given.time] if given.time else []
        try:
            return 2 if subprocess.run(line).returncode else 0
        except OSError as error:
            print(
                f"record.py: cannot run '{given.assay}': {error.strerror}; build the tool, or say where it is: --assay",
                file=sys.stderr,
            )
            return 2


if __name__ == "__main__":
    sys.exit(main())
