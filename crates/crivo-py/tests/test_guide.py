"""The examples of the guide and of the README run, one after the other, and print what they say."""

from __future__ import annotations

import contextlib
import io
import pathlib
import re
import subprocess
import sys

import crivo
import pandas as pd
import pytest
from conftest import ROOT

PAGES = [ROOT / "docs" / "guide" / "python.md", ROOT / "crates" / "crivo-py" / "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_run(page: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"id": range(100), "ms": [1.5] * 100, "country": ["BR", "PT"] * 50, "user": range(100)})
    (tmp_path / "data").mkdir()
    frame.to_parquet("data/part.parquet")
    frame.to_csv("ids.csv", index=False)
    built = ["-m", "crivo", "filter", "build", "ids.csv", "--column", "id", "-o", "ids.crv"]
    subprocess.run([sys.executable, *built], check=True, capture_output=True)
    crivo.profile(frame).save("sunday.crv")
    for day in ("mon", "tue"):
        crivo.ExaLogLog.of(frame["user"], error=0.01).save(f"{day}.crv")
    names: dict[str, object] = {"frame": frame, "table": frame, "times": [1.0, 2.0], "texts": ["a b c", "a b c"]}
    names |= {"sketches": [crivo.load("mon.crv")], "path": "mon.crv", "data": crivo.load("tue.crv").to_bytes()}
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        for line in block.splitlines():
            code, _, comment = line.partition("  # ")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(code, names)
            if code.startswith("print(") and comment:
                # An ellipsis stands for any text.
                wanted = re.escape(comment.strip()).replace("…", ".*")
                assert re.fullmatch(wanted, printed.getvalue().strip()), (printed.getvalue(), comment)
    inline = re.findall(r"`(crivo\.\w+[(.][^`]*\))`", page.read_text())
    for call in inline:
        eval(call, names)
