"""Tables as answers, groups, profiles of frames without Arrow, pairs."""

from __future__ import annotations

import datetime
import pickle
import subprocess
import sys

import crivo
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest


def test_tables_are_equal_after_pickle() -> None:
    frame = pd.DataFrame({"day": ["a", None, "b"], "user": [1, 2, 3]})
    tables = [
        crivo.kinds(),
        crivo.group(frame, by="day", item="user"),
        crivo.group(frame[:0], by="day", item="user"),
        crivo.MisraGries.of([2**63 + 5, 2**63 + 5]).top(),
        crivo.near_duplicates(["a b c", "a b c", "d"]),
        crivo.profile(frame).table(),
        crivo.Kll.of([1.5, 2.5]).quantiles([0.5]),
    ]
    for table in tables:
        again = pickle.loads(pickle.dumps(table))
        assert again == table and again.to_dict() == table.to_dict() and again.columns == table.columns
        assert again.to_arrow().schema == table.to_arrow().schema
        assert table != 5
    assert tables[0] != tables[1]


def test_a_profile_is_a_table_for_arrow() -> None:
    profile = crivo.profile(pd.DataFrame({"a": [1, 2, 2], "b": ["x", None, "y"]}))
    for table in (profile.to_arrow(), pa.table(profile)):
        assert table["column"].to_pylist() == ["a", "b"] and table["missing"].to_pylist() == [0, 1]
    assert profile.to_polars()["distinct"].to_list() == list(profile.to_pandas()["distinct"]) == [2, 2]


@pytest.mark.parametrize(
    ("groups", "kind"),
    [
        (pa.array([1, 2, 1, None]), pa.int64()),
        (pa.array([0.5, float("nan"), 0.5, None]), pa.float64()),
        (pa.array([True, False, True, None]), pa.bool_()),
        (pa.array(["NA", "", "NA", None]), pa.string()),
        (pa.array(["NA", "", "NA", None]).dictionary_encode(), pa.string()),
        (pa.chunked_array([pa.array(["NA", ""]), pa.array(["NA", None])]), pa.string()),
    ],
    ids=lambda it: str(it.type) if isinstance(it, (pa.Array, pa.ChunkedArray)) else "",
)
def test_groups_keep_their_type_and_every_value(groups: pa.Array, kind: pa.DataType) -> None:
    table = pa.table({"by": groups, "item": ["a", "b", "c", "d"]})
    found = crivo.group(table, by="by", item="item").to_arrow()
    assert found["by"].type == kind and found["estimate"].to_pylist() == [2, 1]
    assert str(found["by"].to_pylist()) == str(groups.to_pylist()[:2])


def test_groups_by_other_types_are_texts() -> None:
    days = [datetime.date(2024, 5, 1), datetime.date(2024, 5, 2), datetime.date(2024, 5, 1)]
    for by in (pl.Series("by", days), [5, "x", 5]):
        found = crivo.group({"by": by, "item": [1, 2, 3]}, by="by", item="item")
        assert found["by"] == [str(by[0]), str(by[1])] and found["estimate"] == [2, 1]


def test_groups_of_texts_follow_the_command() -> None:
    table = {"by": ["NA", "BR", "BR", ""], "item": ["a", "NA", "b", "c"]}
    assert crivo.group(table, by="by", item="item", text=True).to_rows()[0]["by"] == "BR"
    assert crivo.group(table, by="by", item="item", text=True)["estimate"] == [1]
    assert crivo.group(table, by="by", item="item")["by"] == ["NA", "BR", ""]
    with pytest.raises(ValueError, match="same number of rows"):
        crivo.group({"by": [1], "item": [1, 2]}, by="by", item="item")
    with pytest.raises(TypeError, match="counter"):
        crivo.group(table, by="by", item="item", kind=crivo.BloomFilter)


FRAME = """
import numpy as np, pandas as pd, crivo
frame = pd.DataFrame({"n": [5, 6, 7], "x": [0.5, np.nan, 1.0], "t": ["a", None, "NA"], "o": np.array([1, "b", None], object),
    "d": pd.to_datetime(["2024-05-01", None, "2024-05-02 10:00"], format="ISO8601"), "c": pd.Categorical(["u", "u", "v"]),
    "i": pd.array([1, None, 3], dtype="Int64"), "b": [True, False, True]})
"""


def test_pandas_without_pyarrow() -> None:
    program = "import sys; sys.modules['pyarrow'] = None\n" + FRAME
    program += "print(*(crivo.ExaLogLog.of(frame[name]).to_bytes().hex() for name in frame), sep='\\n')\n"
    program += "print(crivo.profile(frame.drop(columns='o')).to_bytes().hex())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    names: dict[str, pd.DataFrame] = {}
    exec(FRAME, names)
    frame = names["frame"]
    wanted = [crivo.ExaLogLog.of(frame[name]).to_bytes().hex() for name in frame if name != "o"]
    wanted.insert(3, crivo.ExaLogLog.of([1, "b"]).to_bytes().hex())
    assert done.stdout.split() == [*wanted, crivo.profile(frame.drop(columns="o")).to_bytes().hex()]


def test_more_pairs_than_memory_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    equal = ["a b c d"] * 50
    assert len(crivo.near_duplicates(equal)) == 50 * 49 // 2
    monkeypatch.setattr(crivo, "_MOST_PAIRS", 1000)
    with pytest.raises(OverflowError, match="more than 1000 pairs"):
        crivo.near_duplicates(equal)
    assert len(crivo.near_duplicates(equal[:45])) == 45 * 44 // 2


def test_what_two_filters_have_in_common() -> None:
    one, other = (crivo.BloomFilter.with_fpr(2000, 0.001) for _ in range(2))
    one.update(range(1000))
    other.update(range(500, 1500))
    both = one & other
    assert both.contains(np.arange(500, 1000)).all() and both == other & one
    # Each of the 1,000 items of one filter alone is a false positive of the other at less than 0.1 %: more than 10 of
    # them have a probability below 10^-7.
    assert both.contains(np.r_[0:500, 1000:1500]).sum() <= 10
    assert 500 in one.intersect(other)
    before = one.to_bytes()
    texts = crivo.BloomFilter.with_fpr(2000, 0.001)
    texts.update([5], text=True)
    for wrong in (crivo.BloomFilter.with_fpr(20, 0.001), crivo.BloomFilter.with_fpr(2000, 0.001, seed=5), texts):
        with pytest.raises(ValueError):
            one & wrong
        with pytest.raises(ValueError):
            one &= wrong
    with pytest.raises(TypeError):
        one & crivo.BlockedBloom.with_fpr(2000, 0.001)  # type: ignore[operator]
    assert one.to_bytes() == before
    one &= other
    assert one == both
    # The form of the items is known from either side.
    words = crivo.BloomFilter.with_fpr(2000, 0.001)
    words.update(["a"])
    assert (words & other) == (other & words)


def test_a_class_says_how_its_objects_are_made() -> None:
    with pytest.raises(TypeError, match=r"make a BloomFilter with BloomFilter\.with_fpr"):
        crivo.BloomFilter()
    with pytest.raises(TypeError, match=r"ExaLogLog\.for_error or ExaLogLog\.of"):
        crivo.ExaLogLog(12)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"crivo\.load"):
        crivo.TableProfile()
    with pytest.raises(TypeError):
        crivo.Sketch()
