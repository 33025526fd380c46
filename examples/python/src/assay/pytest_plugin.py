"""pytest --assay-out DIR: all that `assay.assert_correct` has judged, with parameters of tests and diagnosis, as a report.

The folder gets report.json and report.html. A failure's diagnosis stands in pytest's own output, too.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional

import pytest


def pytest_addoption(parser: Any) -> None:
    """The option."""
    parser.getgroup("assay").addoption("--assay-out", metavar="DIR", help="write what assay.assert_correct has judged to DIR/report.json and DIR/report.html")


def pytest_configure(config: Any) -> None:
    """Begins to collect, where that was asked for."""
    if config.getoption("--assay-out"):
        config.pluginmanager.register(_Collector(config.getoption("--assay-out")), "assay-collector")


class _Collector:
    def __init__(self, folder: str):
        from . import _check

        self.folder = folder
        self.found: List[Dict[str, Any]] = []
        self.last: Optional[Dict[str, Any]] = None
        self.item: Any = None
        self.versions: Dict[str, Any] = {}
        _check.observers.append(self.observe)

    def observe(self, outcome: Any) -> None:
        """An outcome of the test that runs: its id is the test's, with what was judged behind it."""
        report = json.loads(outcome.json())
        found = report["outcomes"][0]
        self.versions = {key: value for key, value in report.items() if key not in ("outcomes", "findings")}
        if self.item is not None:
            test = self.item.nodeid.replace("/", ".").replace("::", ".")
            found["labels"] = {**found.get("labels", {}), "test": self.item.nodeid}
            callspec = getattr(self.item, "callspec", None)
            for name, value in (callspec.params if callspec else {}).items():
                found["labels"][f"parameter {name}"] = str(value)
            found["reproduce"] = f"pytest '{self.item.nodeid}'"
            found["id"] = f"{found['id']}/{test}"
        self.found.append(found)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Any:
        """Remembers which test runs."""
        self.item = item
        try:
            return (yield)
        finally:
            self.item = None

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Says where the report is."""
        verdicts: Dict[str, int] = {}
        for each in self.found:
            verdicts[each["verdict"]] = verdicts.get(each["verdict"], 0) + 1
        counts = ", ".join(f"{number} {verdict}" for verdict, number in sorted(verdicts.items())) or "nothing was judged"
        terminalreporter.write_line(f"assay: {counts}; {os.path.join(self.folder, 'report.html')}")

    def pytest_sessionfinish(self, session: Any) -> None:
        """Writes the report. With pytest-xdist each worker has a folder of its own."""
        from . import _assay, _check

        if self.observe in _check.observers:
            _check.observers.remove(self.observe)
        worker = getattr(session.config, "workerinput", {}).get("workerid")
        folder = os.path.join(self.folder, worker) if worker else self.folder
        if not self.found and hasattr(session.config.option, "dist") and not worker and session.config.option.dist != "no":
            return  # the workers have what was judged
        os.makedirs(folder, exist_ok=True)
        run = {**self.versions, "title": "pytest", "command": "pytest " + " ".join(session.config.invocation_params.args), "planned_cases": len(self.found),
               "outcomes": self.found}
        text = json.dumps(run)
        with open(os.path.join(folder, "report.json"), "w", encoding="utf-8") as file:
            file.write(text)
        if self.found:
            code, page = _assay.html(text)
            if code != 0:
                raise RuntimeError(page)
            with open(os.path.join(folder, "report.html"), "w", encoding="utf-8") as file:
                file.write(page)
