"""What doors to frameworks say of every family of operations, from reports of assay run, as a table of Markdown.

  assay run --backend ort.cpu.level0,ort.cpu.level99,xla,xla.no-excess --out doors
  python3 bench/door_table.py doors/report.json [more/report.json …]

A cell: cases that pass / fail or err / are unsupported / are inconclusive; the worst error of passes in allowed errors.
"""

import collections
import json
import sys


def main(paths):
    counts = collections.defaultdict(collections.Counter)
    worst = collections.defaultdict(float)
    doors, families = {}, set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            outcomes = json.load(file)["outcomes"]
        for outcome in outcomes:
            labels = outcome["labels"]
            family, door = labels.get("family", labels["operation"]), labels["backend"]
            doors[door] = True
            families.add(family)
            counts[family, door][outcome["verdict"]] += 1
            if outcome["verdict"] == "pass":
                for entry in outcome.get("measurements", []):
                    if entry["name"] == "worst_error_ratio":
                        worst[family, door] = max(worst[family, door], entry["value"])
    print("| family |", " | ".join(f"`{door}`" for door in doors), "|")
    print("|---" * (len(doors) + 1) + "|")
    for family in sorted(families):
        cells = []
        for door in doors:
            own = counts[family, door]
            if not own:
                cells.append("")
                continue
            bad = own["fail"] + own["error"]
            cells.append(f"{own['pass']} / {bad} / {own['unsupported']} / {own['inconclusive']}; {worst[family, door]:.2g}")
        print(f"| {family} |", " | ".join(cells), "|")
    return 0 if families else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
