"""Backend of pyasc: `--backend Model` or `NPU`. Both are the embedded NPU, each over its own calls of the runtime; pyasc takes one per process."""

import toprope

toprope.activate()

import asc.runtime.config as config  # noqa: E402: after the environment is set
import pytest  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--backend", default="Model", choices=["Model", "NPU"])


@pytest.fixture(autouse=True)
def platform(request):
    config.set_platform(config.Backend(request.config.getoption("--backend")))
