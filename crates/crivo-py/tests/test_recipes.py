"""The ways of the guide to sketch parts without Spark all make the sketch of one pass."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
from typing import Any

import crivo
import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet
import pytest
from conftest import ROOT

PAGE = ROOT / "docs" / "guide" / "beyond-one-machine.md"


def users_of_file(file: str) -> Any:
    return crivo.ExaLogLog.of(pa.parquet.read_table(file)["user"], error=0.02)


def recipes() -> list[tuple[str, str]]:
    """The language and the code of each recipe."""
    return re.findall(r"```(\w+)\n(.*?)```", PAGE.read_text().split("\n## Without Spark")[1], re.DOTALL)


@pytest.mark.parametrize(("language", "code"), recipes())
def test_a_recipe_makes_the_sketch_of_one_pass(
    language: str, code: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    users = [[f"u{at % 5_000}" for at in range(part * 3_000, part * 3_000 + 4_000)] for part in range(3)]
    for part, of in enumerate(users):
        pa.parquet.write_table(pa.table({"user": of}), f"part-{part}.parquet")
    # The sketch may have been made by Python or by the command: texts are the same items in both.
    whole = crivo.ExaLogLog.for_error(0.02)
    whole.update([user for of in users for user in of])
    if language == "bash":
        command = tmp_path / "bin" / "crivo"
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m crivo "$@"\n')
        command.chmod(0o755)
        path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(["bash", "-ec", code], env={**os.environ, "PATH": path}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found = crivo.load("all.crv")
        assert found.estimate().value == whole.estimate().value
        return
    if "import dask" in code:
        pytest.importorskip("dask")
    names: dict[str, Any] = {"crivo": crivo, "duckdb": duckdb, "polars": polars, "users_of_file": users_of_file}
    names["files"] = sorted(map(str, tmp_path.glob("*.parquet")))
    exec(code, names)
    assert names["users"] == whole
