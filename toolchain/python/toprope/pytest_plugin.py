"""pytest plugin: findings of the embedded NPU become failures of the test whose launch made them.

    pytest --toprope                    with errors
    pytest --toprope=warning            with warnings too

A test marked `toprope_allow("TR0403", reason="…")` may make these findings.
"""

import pytest

from .env import activate
from .findings import FindingsError, _RANK, findings


def pytest_addoption(parser):
    group = parser.getgroup("toprope")
    group.addoption(
        "--toprope",
        nargs="?",
        const="error",
        default=None,
        choices=["note", "warning", "error"],
        help="run on the embedded NPU; findings of this severity or worse fail the test that made them (default: error)",
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "toprope_allow(*codes, reason): findings that this test may make")
    if config.getoption("--toprope") is not None:
        activate()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    deny = item.config.getoption("--toprope")
    if deny is None:
        yield
        return
    before = len(findings())
    outcome = yield
    allowed = {code for mark in item.iter_markers("toprope_allow") for code in mark.args}
    new = [one for one in findings()[before:] if one.code not in allowed]
    bad = [one for one in new if _RANK[one.severity] >= _RANK[deny.capitalize()]]
    # A test that failed by itself keeps its own message; pytest shows the findings below it.
    if bad and outcome.excinfo is None:
        outcome.force_exception(FindingsError(bad))
    elif bad:
        item.add_report_section("call", "toprope", "\n\n".join(map(str, bad)))
