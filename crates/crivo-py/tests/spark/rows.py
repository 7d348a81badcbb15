"""Tables for the tests, and work that fails on the first attempt."""

from __future__ import annotations

import os
import pathlib
import signal
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from crivo.spark._partial import Sketched

ROWS = 60_000
# Longer than any other task, in seconds.
SLEEP = 300


def visits() -> pa.Table:
    """Visits of users, with missing values, from a fixed seed."""
    random = np.random.default_rng(29)
    users = random.integers(0, 9_000, ROWS)
    return pa.table(
        {
            "user": pa.array([f"u{user}" for user in users]),
            "number": pa.array(users, pa.int64(), mask=random.random(ROWS) < 0.05),
            "page": pa.array([f"/{page}" for page in np.minimum(random.zipf(1.3, ROWS), 5_000)]),
            "ms": pa.array(random.lognormal(3.0, 1.0, ROWS)),
            "hits": pa.array(random.integers(1, 5, ROWS), pa.int64()),
            "country": pa.array([["BR", "PT", "AO", None][at] for at in random.integers(0, 4, ROWS)]),
        }
    )


def _executor() -> int:
    """The process of the executor that this task runs in."""
    process = os.getpid()
    while b"CoarseGrainedExecutorBackend" not in pathlib.Path(f"/proc/{process}/cmdline").read_bytes():
        process = int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return process


@dataclass(frozen=True)
class Failing(Sketched):
    """A sketch whose first task to come this far is killed, or its executor, or goes to sleep."""

    once: str = ""
    how: str = ""

    def update(self, sketch: Any, rows: pa.Table) -> Any:
        done = super().update(sketch, rows)
        try:
            os.close(os.open(self.once, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return done
        if self.how == "sleep":
            time.sleep(SLEEP)
        os.kill(_executor() if self.how == "executor" else os.getpid(), signal.SIGKILL)
        return done
