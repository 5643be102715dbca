"""Findings of this process: read from the runtime's report."""

import contextlib
import json
import os
from dataclasses import dataclass, field
from typing import Iterator, List, Optional

_RANK = {"Note": 0, "Warning": 1, "Error": 2}


@dataclass(frozen=True)
class Finding:
    """One finding. `code` is stable (`toprope explain CODE`); `place` is `file:line` in the kernel or the host program."""

    code: str
    severity: str
    title: str
    kernel: str
    place: Optional[str]
    details: List[str] = field(default_factory=list)
    help: str = ""
    count: int = 1

    def __str__(self) -> str:
        head = f"{self.severity.lower()}: [{self.code}] {self.title}"
        lines = [head]
        if self.place:
            lines.append(f"  --> {self.place}")
        lines += [f"  {detail}" for detail in self.details]
        if self.help:
            lines.append(f"  help: {self.help}")
        if self.count > 1:
            lines.append(f"  {self.count} times")
        return "\n".join(lines)

    @staticmethod
    def from_json(data: dict) -> "Finding":
        place = data.get("place") or {}
        where = f"{place['file']}:{place['line']}" if place.get("file") else None
        return Finding(
            code=data["code"],
            severity=data["severity"],
            title=data["title"],
            kernel=data.get("kernel", ""),
            place=where,
            details=list(data.get("details", [])),
            help=data.get("help", ""),
            count=data.get("count", 1),
        )


class FindingsError(AssertionError):
    """Launches did something wrong. `findings` has what."""

    def __init__(self, found: List[Finding]):
        self.findings = found
        super().__init__("\n\n".join(map(str, found)))


def findings() -> List[Finding]:
    """All findings of this process so far, in the order in which they were made.

    Raises RuntimeError where no report is written: TOPROPE_REPORT has to be set before the runtime starts (`toprope.activate()`).
    """
    path = os.environ.get("TOPROPE_REPORT")
    if not path:
        raise RuntimeError("no report is written: call toprope.activate() before the runtime is loaded, or set TOPROPE_REPORT")
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except FileNotFoundError:
        return []
    return [Finding.from_json(one) for one in report["findings"]]


@contextlib.contextmanager
def check(deny: str = "error") -> Iterator[List[Finding]]:
    """Raises FindingsError at its end if launches inside made findings of severity `deny` (note, warning, error) or worse.

    Yields a list that has the new findings afterwards, those that are allowed too.
    """
    least = _RANK[deny.capitalize()]
    before = len(findings())
    new: List[Finding] = []
    yield new
    new += findings()[before:]
    bad = [one for one in new if _RANK[one.severity] >= least]
    if bad:
        raise FindingsError(bad)
