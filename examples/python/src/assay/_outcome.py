"""What was found: of one check, or of a whole suite."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterator, List, Optional

from . import _assay


class Outcome:
    """The result of one check: truthy if it passed, and readable if it did not."""

    def __init__(self, found: Dict[str, Any], report: Optional[str] = None):
        self._found = found
        self._report = report

    @property
    def verdict(self) -> str:
        """"pass", "fail", "error", "unsupported", "inconclusive", "skipped": nothing but a pass is one."""
        return str(self._found["verdict"])

    @property
    def passed(self) -> bool:
        """Whether all elements lie in their acceptance intervals."""
        return self.verdict == "pass"

    @property
    def id(self) -> str:
        """operation/backend/formats/shape/data."""
        return str(self._found["id"])

    @property
    def reason(self) -> str:
        """Why this verdict, in a sentence: which element is worst, its value, and what is accepted. Empty for a pass."""
        return str(self._found.get("reason", ""))

    @property
    def diagnosis(self) -> List[str]:
        """Likely causes of a failure, the most telling first."""
        return list(self._found.get("diagnosis", []))

    @property
    def derivation(self) -> List[str]:
        """How the bound came about, a step a line."""
        return list(self._found.get("derivation", []))

    @property
    def measurements(self) -> Dict[str, float]:
        """By name: "worst_error_ratio", "max_ulp_error", "violations", "elements", "reference_seconds", …"""
        return {each["name"]: float(each["value"]) for each in self._found.get("measurements", [])}

    @property
    def worst_error_ratio(self) -> float:
        """The largest error divided by the allowed one: at most 1 in a pass. NaN where nothing was compared."""
        return self.measurements.get("worst_error_ratio", float("nan"))

    @property
    def violations(self) -> int:
        """How many elements lie outside their acceptance intervals."""
        return int(self.measurements.get("violations", 0))

    @property
    def labels(self) -> Dict[str, str]:
        """"operation", "formats", "shape", …"""
        return dict(self._found.get("labels", {}))

    def json(self) -> str:
        """The report of this check in Assay's JSON, which `assay report` reads."""
        if self._report is None:
            self._report = json.dumps({"format": "assay.run", "outcomes": [self._found]})
        return self._report

    def html(self, path: Optional["os.PathLike[str] | str"] = None) -> str:
        """The report as one page that loads nothing; written to `path`, too, where it is given."""
        return _page(self.json(), path)

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        lines = [f"{self.verdict} {self.id}" + (f": {self.reason}" if self.reason else "")]
        lines += [f"  · {finding}" for finding in self.diagnosis]
        if "worst_error_ratio" in self.measurements:
            lines.append(f"  error/allowed {self.worst_error_ratio:.4g} of {int(self.measurements.get('elements', 0))} elements")
        if not self.passed and self.derivation:
            lines += ["  the tolerance:"] + [f"  · {step}" for step in self.derivation]
        return "\n".join(lines)


class Report:
    """The result of a suite: truthy if something passed and nothing failed; its outcomes can be iterated over."""

    def __init__(self, text: str):
        self._text = text
        self._run = json.loads(text)
        self.outcomes: List[Outcome] = [Outcome(found) for found in self._run["outcomes"]]

    def count(self, verdict: str) -> int:
        """How many outcomes have this verdict."""
        return sum(outcome.verdict == verdict for outcome in self.outcomes)

    @property
    def passed(self) -> bool:
        """Whether something was computed and found right, and nothing failed or erred."""
        return self.count("pass") > 0 and self.count("fail") + self.count("error") == 0

    @property
    def failures(self) -> List[Outcome]:
        """What failed or erred."""
        return [outcome for outcome in self.outcomes if outcome.verdict in ("fail", "error")]

    @property
    def findings(self) -> List[Dict[str, Any]]:
        """Failures of one cause together, as the report has them."""
        return list(self._run.get("findings", []))

    def json(self) -> str:
        """The report in Assay's JSON."""
        return self._text

    def html(self, path: Optional["os.PathLike[str] | str"] = None) -> str:
        """The report as one page; written to `path`, too, where it is given."""
        return _page(self._text, path)

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        counts = {}
        for outcome in self.outcomes:
            counts[outcome.verdict] = counts.get(outcome.verdict, 0) + 1
        lines = [f"{len(self)} cases: " + ", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items()))]
        for outcome in self.failures[:5]:
            lines.append(f"  {outcome.verdict} {outcome.id}: {outcome.reason}")
            lines += [f"    · {finding}" for finding in outcome.diagnosis[:2]]
        if len(self.failures) > 5:
            lines.append(f"  and {len(self.failures) - 5} more")
        return "\n".join(lines)


def _page(report: str, path: Optional["os.PathLike[str] | str"]) -> str:
    code, text = _assay.html(report)
    if code != 0:
        raise ValueError(text)
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return text
