"""The code that the package was designed for runs."""

from __future__ import annotations

import pathlib
import pickle

import crivo
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest


def test_target_code(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [f"user{i}" for i in range(3000)]
    pl.DataFrame({"user": names[:2000]}).write_parquet("mon.parquet")
    pd.DataFrame({"user": names[1000:]}).to_csv("tue.csv")
    pl.DataFrame({"user": names[500:600]}).write_parquet("wed.parquet")

    users = crivo.ExaLogLog.for_error(0.01)
    users.update(pl.read_parquet("mon.parquet")["user"])
    users.update(pd.read_csv("tue.csv")["user"])
    users.update(duckdb.sql("select user from 'wed.parquet'"))
    users.update(["u1", "u2", None])
    users.add("one more")
    e = users.estimate()
    assert e.lower <= 3003 <= e.upper and (e.guarantee, e.confidence) == ("approximate", 0.95)
    assert not e.lower > 1_000_000 and float(e) == e.value
    assert str(e).startswith("3,0") and repr(e).startswith("Estimate(value=")

    days = ["mon", "tue"]
    mon, tue = crivo.KMinValues.for_error(0.1), crivo.KMinValues.for_error(0.1)
    mon.update(pl.read_parquet("mon.parquet")["user"])
    tue.update(pd.read_csv("tue.csv")["user"])
    for day, sketch in zip(days, (mon, tue)):
        sketch.save(f"{day}.crv")
    week = crivo.merge(crivo.load(f"{d}.crv") for d in days)
    assert pickle.loads(pickle.dumps(week)) == week == crivo.from_bytes(week.to_bytes())
    assert 1000 in mon.intersect(tue) and 1 / 3 in mon.jaccard(tue)

    df = pd.DataFrame({"id": [1, 4_999_999, 10**12], "ms": [1.0, 20.0, 300.0], "text": ["a b c d", "a b c d", "x"]})
    seen = crivo.BloomFilter.with_fpr(10_000_000, 0.001)
    seen.update(np.arange(5_000_000))
    known = seen.contains(df["id"])
    assert known.dtype == bool and known[:2].all()
    assert ("x" in seen) in (False, True) and seen.fpr().value <= 0.001

    tbl = pa.table({"page": ["/", "/a", "/"], "hits": [5, 7, 6], "country": ["BR", "PT", "BR"], "user": [1, 2, 1]})
    pages = crivo.MisraGries.for_error(0.001)
    pages.update(tbl["page"], weights=tbl["hits"])
    top = pages.top(10).to_arrow()
    assert top["item"].to_pylist() == ["/", "/a"] and top["lower"].to_pylist() == [11, 7]
    assert top["rank_certain"].to_pylist() == [True, True]

    ms = crivo.LogQuantiles(0.01)
    ms.update(df["ms"])
    ranks = ms.quantiles([0.5, 0.99, 0.999])
    assert min(ranks["upper"]) >= 20.0 and max(ranks["lower"]) <= 300.0
    assert crivo.Kll.of(df["ms"], error=0.005).rank(250).value == 2

    left, right = "the cat sat on the mat today", "the cat sat on the mat"
    a, b = (crivo.OnePermutation.of(crivo.shingles(t, words=3), slots=256) for t in (left, right))
    assert 0.8 in a.jaccard(b)
    pairs = crivo.near_duplicates(df["text"], threshold=0.8)
    assert pairs.to_dict() == {"first": [0], "second": [1], "similarity": [1.0]}

    (tmp_path / "data").mkdir()
    df.to_csv("data/1.csv", index=False)
    p = crivo.profile("data/*.csv")
    p.save("mon.crv")
    p.to_html("p.html")
    assert "<table" in p._repr_html_() and (tmp_path / "p.html").stat().st_size > 1000
    assert p.compare(crivo.load("mon.crv")).changed == []
    groups = crivo.group(tbl, by="country", item="user", kind=crivo.ExaLogLog).to_arrow()
    assert groups.column_names == ["country", "sketch", "estimate", "lower", "upper"]
    assert dict(zip(groups["country"].to_pylist(), groups["estimate"].to_pylist())) == {"BR": 1, "PT": 1}
    assert crivo.merge(groups["sketch"]).estimate().value == 2

    frame = pd.DataFrame({"user": names})
    theta = crivo.datasketches.Theta.of(frame["user"], lg_k=12)
    assert theta.estimate().value == 3000 and crivo.read_foreign(theta.to_bytes()) == theta
