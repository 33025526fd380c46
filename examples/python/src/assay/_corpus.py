"""What the corpora of reported faults have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Sequence

from ._check import check
from ._modes import Judgement


@dataclass(frozen=True)
class Reported:
    """A report. `seen`: the latest version in which it was found, or the year of the report where the versions tried since are free of it; `find`: the
    evidence, or "" where there is none any more; `compiles`: it needs torch.compile."""

    name: str
    what: str
    seen: str
    find: Callable[[], str]
    compiles: bool = False


def judged(operation: str, out: Any, inputs: Sequence[Any], **attributes: Any) -> str:
    """What is wrong by the derived bound; "" if nothing is."""
    outcome = check(operation, out, inputs, diagnosis=False, **attributes)
    return "" if outcome else f"{outcome.verdict}: {outcome.reason}"


def compared(found: Judgement) -> str:
    """Who is off, or where modes merely differ; "" where none does either. An exception of a mode is evidence, too."""
    return found.sentence if found.off or any(each.differing for each in found.findings) else ""


def tell(corpus: Sequence[Reported], framework: str, version: str) -> int:
    """Prints what this version still has."""
    for report in corpus:
        try:
            found = report.find()
        except Exception as error:  # no compiler, most likely
            found = f"could not be tried: {type(error).__name__}: {(str(error).splitlines() or [''])[0][:120]}"
        state = "mended" if not found else "" if found.startswith("could not") else "still there"
        print(f"{report.name:36s}{report.what:72s}{framework} {version}: {state}{': ' if state and found else ''}{found}")
    return 0
