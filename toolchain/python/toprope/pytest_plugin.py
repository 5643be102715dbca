"""pytest plugin: findings of the embedded NPU become failures of the test whose launch made them.

    pytest --toprope                            with errors
    pytest --toprope --toprope-deny=warning     with warnings too

A test marked `toprope_allow("TR0403", reason="…")` may make these findings. What its fixtures launch is an error of their set-up or end.
"""

import os

import pytest

from .env import activate
from .findings import SEVERITIES, FindingsError, Mark


def pytest_addoption(parser):
    group = parser.getgroup("toprope")
    group.addoption("--toprope", action="store_true", help="run on the embedded NPU; findings fail the test that made them")
    group.addoption(
        "--toprope-deny",
        default="error",
        choices=SEVERITIES,
        help="findings of this severity or worse fail (default: error)",
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "toprope_allow(*codes, reason): findings that this test may make")
    if not config.getoption("--toprope"):
        return
    if hasattr(config, "workerinput"):
        # A process of pytest-xdist: what it inherits is the report of the process that started it.
        os.environ.pop("TOPROPE_REPORT", None)
    activate()


def _watched(item):
    if not item.config.getoption("--toprope"):
        yield
        return
    deny = item.config.getoption("--toprope-deny")
    before = Mark()
    outcome = yield
    allowed = {code for mark in item.iter_markers("toprope_allow") for code in mark.args}
    bad = [one for one in before.since() if one.code not in allowed and one.is_at_least(deny)]
    # A test that failed by itself keeps its own message; pytest shows the findings below it.
    if bad and outcome.excinfo is None:
        outcome.force_exception(FindingsError(bad))
    elif bad:
        item.add_report_section("call", "toprope", "\n\n".join(map(str, bad)))


# Fixtures may launch kernels too, and a stream that a test did not wait for ends when it is destroyed.
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup(item):
    yield from _watched(item)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    yield from _watched(item)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item):
    yield from _watched(item)


def pytest_exception_interact(call, report):
    # The findings are the message; frames of this plugin and of pytest explain nothing.
    if call.excinfo is not None and isinstance(call.excinfo.value, FindingsError):
        report.longrepr = str(call.excinfo.value)
