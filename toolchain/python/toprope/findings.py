"""Findings of this process: read from the runtime's report."""

import contextlib
import ctypes
import json
import os
from dataclasses import dataclass, field, replace
from typing import Iterator, List, Optional

#: How bad a finding is, least first.
SEVERITIES = ("note", "warning", "error")


@dataclass(frozen=True)
class Finding:
    """One finding.

    `code` is stable (`toprope explain CODE`). `place` is `file:line` in the kernel or the host program, `kernel` the name of the kernel;
    both are empty where there is none. `sides` are the accesses of a conflict, earlier first. `count` is how often it was made.
    """

    code: str
    severity: str
    title: str
    kernel: str = ""
    place: str = ""
    sides: List[str] = field(default_factory=list)
    details: List[str] = field(default_factory=list)
    help: str = ""
    count: int = 1

    def __str__(self) -> str:
        lines = [f"{self.severity}: [{self.code}] {self.title}"]
        if self.place:
            lines.append(f"  --> {self.place}")
        if self.kernel:
            lines.append(f"  in kernel {self.kernel}")
        lines += [f"  {line}" for line in [*self.sides, *self.details]]
        if self.help:
            lines.append(f"  help: {self.help}")
        if self.count > 1:
            lines.append(f"  {self.count} times")
        return "\n".join(lines)

    def is_at_least(self, severity: str) -> bool:
        """Is it of this severity or worse?"""
        return SEVERITIES.index(self.severity) >= SEVERITIES.index(severity)

    @staticmethod
    def from_json(data: dict) -> "Finding":
        """A finding as the report has it."""

        def where(owner: dict) -> str:
            place = owner.get("place") or {}
            return f"{place['file']}:{place['line']}" if place.get("file") else ""

        def side(one: dict) -> str:
            at = f" at {where(one)}" if where(one) else ""
            return f"{one['what']} {one['memory']}[{one['first_byte']}..{one['end_byte']}] on {one['core']}{at}"

        return Finding(
            code=data["code"],
            severity=data["severity"].lower(),
            title=data["title"],
            kernel=data.get("kernel", ""),
            place=where(data),
            sides=[side(one) for one in data.get("sides", [])],
            details=list(data.get("details", [])),
            help=data.get("help", ""),
            count=data.get("count", 1),
        )


class FindingsError(AssertionError):
    """Launches did something wrong. `findings` has what."""

    def __init__(self, found: List[Finding]):
        self.findings = found
        super().__init__("\n\n".join(map(str, found)))


def _write_now() -> int:
    """Has the runtime of this process bring its report up to date; 0 also where none is loaded, and so nothing has run."""
    try:
        return ctypes.CDLL("libascendcl.so", mode=os.RTLD_NOLOAD | os.RTLD_LAZY).toprope_report_write()
    except OSError:
        return 0


def _report() -> dict:
    """The report as it is now."""
    path = os.environ.get("TOPROPE_REPORT")
    if not path:
        raise RuntimeError(
            "no report is written\n  help: call toprope.activate() before the runtime is loaded, or set TOPROPE_REPORT to a file"
        )
    if _write_now() != 0:
        raise RuntimeError(
            "the runtime began before TOPROPE_REPORT was set, and writes no report\n"
            "  help: call toprope.activate() before pyasc is imported"
        )
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {"findings": []}


class Mark:
    """A moment: what was known until then. A finding that is made again after it is new as often as it was made again."""

    def __init__(self) -> None:
        report = _report()
        self._counts = [one.get("count", 1) for one in report["findings"]]
        self._dropped = report.get("findings_dropped", 0)

    def since(self) -> List[Finding]:
        """What was found since, in the order in which it was first found. Raises RuntimeError if the report had no room for some of it."""
        report = _report()
        dropped = report.get("findings_dropped", 0) - self._dropped
        if dropped > 0:
            raise RuntimeError(
                f"{dropped} findings are not in the report, which has room for {len(report['findings'])}\n"
                "  help: mend those that `toprope.findings()` has, or run in more processes"
            )
        new = []
        for at, data in enumerate(report["findings"]):
            found = Finding.from_json(data)
            count = found.count - (self._counts[at] if at < len(self._counts) else 0)
            if count > 0:
                new.append(replace(found, count=count))
        return new


def findings() -> List[Finding]:
    """All findings of this process so far, in the order in which they were first made.

    Launches that still run are not waited for: synchronise the stream first, as pyasc does after every launch.
    Raises RuntimeError where no report is written: TOPROPE_REPORT has to be set before the runtime starts (`toprope.activate()`).
    """
    return [Finding.from_json(one) for one in _report()["findings"]]


@contextlib.contextmanager
def check(deny: str = "error") -> Iterator[List[Finding]]:
    """Raises FindingsError at its end if launches inside made findings of severity `deny` (note, warning, error) or worse.

    Yields a list that has the new findings afterwards, those that are allowed too. An exception inside goes on its way, with the list
    filled; so does ValueError for a severity that there is not.
    """
    if deny not in SEVERITIES:
        raise ValueError(f"deny={deny!r}: it is one of {', '.join(SEVERITIES)}")
    before = Mark()
    new: List[Finding] = []
    try:
        yield new
    finally:
        new += before.since()
    bad = [one for one in new if one.is_at_least(deny)]
    if bad:
        raise FindingsError(bad)
