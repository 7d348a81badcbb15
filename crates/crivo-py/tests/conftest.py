"""What the tests share."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from collections.abc import Callable

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def visits() -> pathlib.Path:
    """The table of the README."""
    return ROOT / "examples" / "sample" / "visits.csv"


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """The command of the package: its arguments, and what it prints."""

    def run(*arguments: object, code: int = 0) -> str:
        called = [sys.executable, "-m", "crivo", *map(str, arguments)]
        done = subprocess.run(called, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout

    return run
