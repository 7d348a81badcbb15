"""The command in the package, and sketches that equal the command's byte for byte."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import crivo
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

Command = Callable[..., str]


def test_the_command_answers(command: Command, visits: pathlib.Path) -> None:
    assert command("--version").startswith("crivo ")
    assert "distinct" in command("distinct", visits, "--column", "user")
    command("distinct", "no-such-file", code=2)


def frames(path: pathlib.Path) -> dict[str, object]:
    """The table in every library that reads it without changing a value."""
    return {
        "pandas": pd.read_csv(path),
        "polars": pl.read_csv(path),
        "pyarrow": pyarrow.csv.read_csv(
            path, convert_options=pyarrow.csv.ConvertOptions(column_types={"time": pa.string()})
        ),
        "duckdb": duckdb.sql(f"select * from read_csv('{path}', types={{'time': 'VARCHAR'}})"),
    }


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
@pytest.mark.parametrize("column", ["user", "ms"])
def test_a_counter_of_texts_equals_the_commands(
    command: Command, visits: pathlib.Path, tmp_path: pathlib.Path, library: str, column: str
) -> None:
    saved = tmp_path / "saved.crv"
    command("distinct", visits, "--column", column, "--kind", "exaloglog", "--error", "0.02", "--save", saved)
    frame = frames(visits)[library]
    values = frame.select(column) if library in ("polars", "duckdb") else frame[column]  # type: ignore[attr-defined,index]
    made = crivo.ExaLogLog.for_error(0.02)
    made.update(values, text=True)
    assert made.to_bytes() == saved.read_bytes()
    typed = crivo.ExaLogLog.of(values, error=0.02)
    if column == "user":
        assert typed | made == made, "texts are the same items in both forms"
    else:
        with pytest.raises(ValueError, match="text=True"):
            typed | made


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
def test_the_profile_of_a_frame_equals_the_commands(
    command: Command, visits: pathlib.Path, tmp_path: pathlib.Path, library: str
) -> None:
    saved = tmp_path / "saved.crv"
    command("profile", visits, "--save", saved)
    made = crivo.profile(frames(visits)[library])
    assert made.to_bytes() == saved.read_bytes()
    assert crivo.profile(visits, progress=False) == made == crivo.load(saved)


def test_the_profile_of_parquet_equals_the_commands(
    command: Command, visits: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    frame = pl.read_csv(visits, try_parse_dates=True)
    path, saved = tmp_path / "visits.parquet", tmp_path / "saved.crv"
    pyarrow.parquet.write_table(frame.to_arrow(), path, row_group_size=3000)
    command("profile", path, "--save", saved)
    for table in (frame, frame.to_arrow(), path, str(tmp_path / "*.parquet"), [path]):
        assert crivo.profile(table).to_bytes() == saved.read_bytes()


def test_all_types_have_the_texts_that_parquet_has(command: Command, tmp_path: pathlib.Path) -> None:
    import datetime
    import decimal

    noon = datetime.datetime(2024, 5, 1, 12, 0, 0, 250_000)
    table = pa.table(
        {
            "int8": pa.array([1, -2, None], pa.int8()),
            "uint64": pa.array([2**64 - 1, 0, None], pa.uint64()),
            "float32": pa.array([0.1, 1e20, None], pa.float32()),
            "float64": pa.array([0.1, float("nan"), None]),
            "bool": [True, False, None],
            "text": ["a", "NA", None],
            "dictionary": pa.array(["a", "b", "a"]).dictionary_encode(),
            "date": [noon.date(), datetime.date(1, 1, 1), None],
            "time": [noon, datetime.datetime(1969, 1, 1), None],
            "utc": pa.array([noon, noon, None], pa.timestamp("us", tz="UTC")),
            "nanos": pa.array([noon, noon, None], pa.timestamp("ns")),
            "clock": [noon.time(), datetime.time(1, 2, 3), None],
            "decimal": pa.array([decimal.Decimal("-1.50"), decimal.Decimal("0.01"), None], pa.decimal128(9, 2)),
            "bytes": [b"x", b"y", None],
        }
    )
    path, saved = tmp_path / "types.parquet", tmp_path / "saved.crv"
    pyarrow.parquet.write_table(table, path)
    command("profile", path, "--save", saved)
    made, theirs = crivo.profile(table), crivo.load(saved)
    for name in table.column_names:
        assert str(made.column(name)) == str(theirs.column(name)), name
    assert made == theirs
    for name in ("int8", "float32", "date", "utc", "clock", "decimal"):
        one = tmp_path / f"{name}.crv"
        command("distinct", path, "--column", name, "--kind", "exaloglog", "--error", "0.02", "--save", one)
        sketch = crivo.ExaLogLog.for_error(0.02)
        sketch.update(table[name], text=True)
        assert sketch.to_bytes() == one.read_bytes(), name


def test_heavy_hitters_of_texts_equal_the_commands(
    command: Command, visits: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    saved = tmp_path / "saved.crv"
    command("top", visits, "--column", "ms", "--kind", "misra-gries", "--error", "0.001", "--save", saved)
    made = crivo.MisraGries.for_error(0.001)
    made.update(pl.read_csv(visits)["ms"], text=True)
    assert made.to_bytes() == saved.read_bytes()


def test_a_filter_of_the_command_answers_here(
    command: Command, visits: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    saved = tmp_path / "filter.crv"
    command("filter", "build", visits, "--column", "ms", "--fpr", "0.001", "--output", saved)
    values = pl.read_csv(visits)["ms"]
    assert crivo.load(saved).contains(values, text=True).all()
