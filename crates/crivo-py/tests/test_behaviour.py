"""Estimates, filters, quantiles, samples, indexes, threads, processes and signals."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time

import crivo
import joblib
import numpy as np
import pandas as pd
import pytest


def test_estimates_have_no_order() -> None:
    e = crivo.ExaLogLog.of(range(100_000)).estimate()
    for compare in (lambda: e > 5, lambda: e <= 5, lambda: 5 < e, lambda: max(e, 5)):
        with pytest.raises(TypeError, match=r"e\.(lower|upper)"):
            compare()
    assert e == e and e != 5 and e == copy.copy(e) == pickle.loads(pickle.dumps(e))
    assert e.lower < float(e) < e.upper and float(e) in e and 0 not in e
    assert int(e) == round(e.value) and f"{e:.0f}" == f"{e.value:.0f}" and "95 %" in f"{e}"
    assert 0 < e.relative_error() < 0.05 and not e.is_exact()
    with pytest.raises(ValueError):
        crivo.Estimate(5.0, 6.0, 7.0, "certain", 1.0, "")


@pytest.mark.parametrize(
    "name",
    [n for n in crivo.__all__ if hasattr(getattr(crivo, n), "with_fpr") and hasattr(getattr(crivo, n), "contains") and n != "WindowedBloom"],
)
def test_filters_have_no_false_negatives(name: str) -> None:
    seen = getattr(crivo, name).with_fpr(2000, 0.01)
    seen.update(range(1000))
    seen.add("text")
    assert "text" in seen and all(seen.contains(np.arange(1000)))
    rate = seen.contains(np.arange(10_000, 20_000)).mean()
    # At most 1 % is promised for 2,000 items; 10,000 trials have a deviation of 0.1 %.
    assert rate <= 0.01 + 6 * 0.001 and seen.fpr().value <= 0.011
    if hasattr(seen, "remove"):
        seen.remove("text")
    assert len(repr(seen).splitlines()) == 1
    with pytest.raises(TypeError):
        len(seen)


def test_a_static_filter() -> None:
    frozen = crivo.BinaryFuse.freeze([f"k{i}" for i in range(1000)], 0.01)
    assert all(frozen.contains([f"k{i}" for i in range(1000)])) and "k5" in frozen
    with pytest.raises(ValueError):
        crivo.BloomFilter.with_fpr(1000, 1.5)
    with pytest.raises(OverflowError):
        crivo.BloomFilter.with_fpr(-1, 0.01)


@pytest.mark.parametrize("kind", [crivo.HyperLogLog, crivo.ExaLogLog, crivo.KMinValues, crivo.Joint])
def test_counters(kind: type) -> None:
    one, other = kind.of(range(20_000), error=0.02), kind.of(range(10_000, 30_000), error=0.02)  # type: ignore[attr-defined]
    assert 20_000 in one.estimate() and 30_000 in (one | other).estimate()
    assert 10_000 in one.intersect(other) and 10_000 in one.difference(other) and 1 / 3 in one.jaccard(other)
    assert set(one.compare(other)) == {"union", "intersection", "only_first", "jaccard"}
    one.clear()
    assert one.estimate().value == 0


def test_quantiles() -> None:
    values = np.random.default_rng(1).permutation(100_000)
    ranks = crivo.Kll.of(values, error=0.01)
    median = ranks.quantile(0.5)
    assert median.lower <= 50_000 <= median.upper and isinstance(median.value, int)
    assert 25_000 in ranks.rank(24_999) and ranks.total() == 100_000 and ranks.rank_error() <= 0.01
    with pytest.raises(TypeError, match="keeps integers"):
        ranks.update([0.5])
    with pytest.raises(TypeError):
        ranks.rank("a")
    words = crivo.Kll.of(["a", "b", "c"])
    assert words.quantile(0.5).value == "b" and words.rank("b").value == 2
    floats = crivo.Kll.of(pd.Series([1.5, None, 2.5]))
    floats.update([3])
    assert floats.total() == 3 and floats.quantile(1.0).value == 3.0
    relative = crivo.LogQuantiles.of(values + 1, error=0.01)
    q = relative.quantile(0.99)
    assert q.guarantee == "certain" and q.lower <= 99_000 <= q.upper
    with pytest.raises(ValueError, match="insert values first"):
        crivo.LogQuantiles(0.01).quantile(0.5)
    table = relative.quantiles([0.5, 0.99])
    assert table.columns == ["q", "value", "lower", "upper", "guarantee"] and table["q"] == [0.5, 0.99]
    assert (table["value"][1], table["lower"][1], table["guarantee"][1]) == (q.value, q.lower, "certain")
    assert words.quantiles([0.5]).to_polars()["value"].to_list() == ["b"]
    assert ranks.quantiles([1.0]).to_arrow()["value"].to_pylist() == [99_999]
    assert len(ranks.quantiles([])) == 0
    weighted = crivo.Kll.for_k(200, seed=1)
    weighted.update([1.0, 2.0], weights=[3, 5])
    assert weighted.total() == 8


def test_quantiles_of_a_tail() -> None:
    values = np.random.default_rng(2).permutation(200_000)
    k = crivo.ReqSketch.for_error(0.05).facts()["k"]
    high, low = crivo.ReqSketch.of(values, error=0.05), crivo.ReqSketch.of(values, error=0.05, low=True)
    assert high.facts()["tail"] == "high" and low.facts()["tail"] == "low" and high.total() == low.total() == 200_000
    # Tails of up to 18 k values are exact at the end that is asked for, and not at the other.
    tail = 18 * k
    assert high.rank(199_999 - tail).guarantee == "certain" and high.rank(199_999 - tail).value == 200_000 - tail
    assert low.rank(tail - 1).guarantee == "certain" and low.rank(tail - 1).value == tail
    assert high.rank(tail - 1).guarantee == low.rank(199_999 - tail).guarantee == "proven"
    assert high.quantile(0.9999).value == 199_979 and isinstance(high.quantile(0.9999).value, int)
    assert low.quantiles([0.0001, 1.0])["value"] == [19, 199_999]
    # Each bound of a rank is within 5 % of the values beyond it.
    upper_tenth, lower_tenth = high.rank(179_999), low.rank(19_999)
    assert 180_000 in upper_tenth and upper_tenth.upper - upper_tenth.lower <= 2 * 0.05 * 20_000
    assert 20_000 in lower_tenth and lower_tenth.upper - lower_tenth.lower <= 2 * 0.05 * 20_000
    median = high.quantile(0.5)
    assert median.lower <= 99_999 <= median.upper and median.guarantee == "proven"
    with pytest.raises(ValueError, match="differ in tail: high and low"):
        high.merge(low)


def test_an_empty_sketch_of_a_tail_takes_the_type_of_its_values_and_keeps_its_size() -> None:
    same, other = crivo.ReqSketch.for_k(5, low=True, seed=3), crivo.ReqSketch.for_k(5, low=True, seed=3)
    for sketch in (same, other, distinct := crivo.ReqSketch.for_k(5, low=True, seed=4)):
        sketch.update(range(1000))
    assert same.to_bytes() == other.to_bytes() != distinct.to_bytes(), "the seed stays"
    facts = same.facts()
    assert (facts["k"], facts["tail"], facts["elements"]) == (5, "low", "i64")
    with pytest.raises(TypeError, match="keeps integers, but found texts"):
        same.update(["a"])
    with pytest.raises(TypeError):
        same.rank("a")
    merged = crivo.ReqSketch.for_k(5, low=True, seed=5)
    merged.merge(same)
    assert merged.total() == 1000 and 500 in merged.rank(499)
    words = crivo.ReqSketch.of(["a", "b", None, "c"])
    assert words.quantile(0.5).value == "b" and words.rank("b").value == 2 and words.total() == 3
    floats = crivo.ReqSketch.for_error(0.05)
    floats.update([1.0, 2.0], weights=[3, 5])
    floats.add(0.5, 2)
    assert floats.total() == 10 and floats.rank(1.0).value == 5 and floats.quantile(1.0).value == 2.0
    with pytest.raises(ValueError, match="k must be 4 to 65536"):
        crivo.ReqSketch.for_k(3)
    with pytest.raises(ValueError, match="relative error"):
        crivo.ReqSketch.for_error(0.0)


def test_heavy_hitters() -> None:
    hits = crivo.SpaceSaving.for_counters(100)
    hits.update([7, 7, 8])
    hits.add(7, 3)
    assert hits.top(1).to_rows() == [
        {"item": 7, "count": 5, "lower": 5, "upper": 5, "rank_certain": True}
    ]
    assert hits.frequency(7).value == 5 and hits.total() == 6
    with pytest.raises(TypeError, match="keeps integers, but found texts"):
        hits.update(["a"])
    with pytest.raises(TypeError, match="floats"):
        crivo.MisraGries.of([0.1])
    table = hits.top()
    assert "item" in repr(table) and table._repr_html_().startswith("<table>") and len(table) == 2
    assert list(table.to_pandas()["item"]) == list(table.to_polars()["item"]) == table["item"] == [7, 8]
    with pytest.raises(KeyError, match="the columns are"):
        table["nothing"]


def test_samples() -> None:
    even = crivo.Reservoir(10, seed=1)
    even.update([f"row {i}" for i in range(1000)])
    assert len(even.sample()) == 10 and even.total() == 1000 and set(even.sample()) <= {f"row {i}" for i in range(1000)}
    heavy = crivo.WeightedReservoir(2, seed=1)
    heavy.update([1, 2, 3], weights=[0.1, 0.2, 1e9])
    assert 3 in [item for item, _ in heavy.sample()]


def test_similarity() -> None:
    sets = [set(range(i, i + 100)) for i in (0, 10, 500)]
    signatures = [crivo.MinHash.of(s, slots=512) for s in sets]
    index = crivo.LshIndex.for_recall(0.7, 0.95, signatures[0])
    for place, signature in enumerate(signatures):
        index.insert(place, signature)
    found = index.similar(signatures[0], 0.6)
    assert [place for place, _ in found] == [0, 1] and len(index) == 3 and 2 in index
    assert 90 / 110 in signatures[0].jaccard(signatures[1])
    one, two = crivo.SimHash.for_bits(256), crivo.SimHash.for_bits(256)
    one.update(["a", "b"], weights=[2.0, 1.0])
    two.update(["a", "b"], weights=[4.0, 2.0])
    assert 1.0 in one.cosine(two) and one.fingerprint() == two.fingerprint()


def test_values_of_keys() -> None:
    map_ = crivo.BloomierFilter.freeze(["a", "b"], [3, 200], value_bits=8, fpr=0.01)
    assert (map_.value("a"), map_.value("b")) == (3, 200) and map_.values(["b", None]) == [200, None]
    linear = crivo.LinearBloom.for_distortion(100, 0.01)
    linear.insert("a", 2.5)
    assert linear.value("a") == 2.5 and linear.value("zzz") is None
    graph = crivo.EdgeBloom.with_fpr(100, 0.01)
    graph.add_edge("a", "b")
    assert graph.has_edge("b", "a") and 1 in graph.edges()


def test_plans() -> None:
    filters = crivo.plan("membership", items=10**6, fpr=0.01)
    assert "binary-fuse" in filters["kind"] and min(filters["bits_per_item"]) < 10
    assert "exaloglog" in crivo.plan("distinct", error=0.01)["kind"]
    for wrong in ({"question": "what"}, {"question": "membership"}, {"question": "distinct", "error": 0.0}):
        with pytest.raises(ValueError):
            crivo.plan(**wrong)  # type: ignore[arg-type]


def test_threads_share_a_sketch() -> None:
    shared, alone = crivo.ExaLogLog.for_error(0.01), crivo.ExaLogLog.for_error(0.01)
    parts = [np.arange(i * 100_000, (i + 1) * 100_000) for i in range(8)]
    threads = [threading.Thread(target=shared.update, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
        shared.estimate()
    for thread in threads:
        thread.join()
    for part in parts:
        alone.update(part)
    assert shared == alone


def count(part: list[int]) -> crivo.ExaLogLog:
    return crivo.ExaLogLog.of(part)


def test_processes_and_joblib_pass_sketches() -> None:
    parts = [list(range(i, i + 1000)) for i in (0, 500)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        made = pool.map(count, parts)
    assert crivo.merge(made) == crivo.ExaLogLog.of(range(1500))
    made = joblib.Parallel(n_jobs=2)(joblib.delayed(count)(part) for part in parts)
    assert crivo.merge(made) == crivo.ExaLogLog.of(range(1500))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_that_was_forked_during_an_update_gets_an_error_or_an_answer() -> None:
    shared = crivo.BloomFilter.with_fpr(10**6, 0.001)
    values = np.arange(10**7)
    thread = threading.Thread(target=shared.update, args=(values,))
    thread.start()
    for _ in range(5):
        child = os.fork()
        if child == 0:
            try:
                shared.add("x")
            except RuntimeError:
                pass
            os._exit(0)
        until = time.monotonic() + 30
        done = 0
        while done == 0 and time.monotonic() < until:
            done, status = os.waitpid(child, os.WNOHANG)
            time.sleep(0.001)
        assert done == child and status == 0, "the child hangs"
    thread.join()


def test_import_needs_neither_numpy_nor_pyarrow() -> None:
    program = (
        "import sys, crivo; s = crivo.BloomFilter.with_fpr(10, 0.1); s.update(['a']);"
        "assert 'numpy' not in sys.modules and 'pyarrow' not in sys.modules;"
        "sys.modules['numpy'] = None; assert s.contains(['a', 'b'])[0] is True"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_errors_say_what_to_do(tmp_path: object) -> None:
    with pytest.raises(FileNotFoundError):
        crivo.profile("no/such/file.csv")
    with pytest.raises(FileNotFoundError, match="no file matches"):
        crivo.profile("no/such/*.csv")
    with pytest.raises(OSError):
        crivo.load("no/such/file.crv")
    with pytest.raises(ValueError, match="expected a BloomFilter"):
        crivo.BloomFilter.from_bytes(crivo.ExaLogLog.for_error(0.1).to_bytes())
    with pytest.raises(TypeError):
        crivo.profile(5)


def test_a_weighted_sample_estimates_sums() -> None:
    sample = crivo.VarOpt(500, seed=1)
    weights = np.random.default_rng(1).lognormal(0, 2, 20_000)
    sample.update(np.arange(20_000), weights=weights)
    even = sample.subset_sum(lambda item: item % 2 == 0)
    assert even.guarantee == "proven" and weights[::2].sum() in even
    assert weights[::2].sum() / weights.sum() in sample.share(lambda item: item % 2 == 0)
    assert sample.total_weight() == pytest.approx(weights.sum()) and sample.total() == 20_000
    with pytest.raises(ZeroDivisionError):
        sample.share(lambda item: 1 // 0)
    other = crivo.VarOpt(500, seed=2)
    other.update(["a"], weights=[1.0])
    with pytest.raises(ValueError):
        sample.merge(other)


def test_frequencies_of_a_batch() -> None:
    hits = crivo.CountMin.for_error(0.001)
    hits.update(["a", "b", "a"])
    found = hits.frequencies(["a", None, "z"])
    assert found["estimate"] == [2, None, 0] and found["lower"][0] <= 2 <= found["upper"][0]


def test_progress(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{i} {i + 1} {i + 2} {i + 3}" for i in range(5000)]
    frame = pd.DataFrame({"text": texts})
    crivo.near_duplicates(texts, progress=True)
    assert capsys.readouterr().err == "", "a short call shows nothing"
    monkeypatch.setattr(sys.modules["crivo._progress"], "_QUIET_SECONDS", 0)
    crivo.near_duplicates(texts)
    assert capsys.readouterr().err == "", "by default it is shown in a terminal and in a notebook"
    for call in (
        lambda: crivo.near_duplicates(texts, progress=True),
        lambda: crivo.near_duplicates(iter(texts), progress=True),
        lambda: crivo.profile(frame, progress=True),
    ):
        call()
        said = capsys.readouterr()
        assert said.out == "" and said.err.endswith("\r"), "the line is empty in the end"
        assert "100 %" in said.err or "5,000 texts" in said.err


def test_tables_for_people() -> None:
    days = crivo.group(pd.DataFrame({"day": ["a", "b", "a"], "user": [1, 2, 3]}), by="day", item="user")
    assert "bytes" in repr(days) and max(map(len, repr(days).splitlines())) < 80
    assert "text-align: right\">2<" in days._repr_html_()
    old, new = (crivo.profile(pd.DataFrame({"x": range(i, i + 5000), "y": "<b>"})) for i in (0, 2000))
    page = new._repr_html_()
    assert "crivo-profile" in page and "5,000 rows, 2 columns" in page and "<b>" not in page and "href" not in page
    drift = new.compare(old)
    assert drift and "distribution" in drift._repr_html_() and drift.changed == ["x"]


def test_windows_of_time() -> None:
    seen = crivo.WindowedBloom.with_fpr(1000, 0.001, window=60)
    seen.update(["a", "b"], 100)
    seen.update(["c", None, "d"], [110, 111, 150])
    seen.add("a", 150)
    assert list(seen.contains_at(["a", "b", "c", "d", None], 160)) == [True, True, True, True, False]
    # What is older than the window and one of its four generations is forgotten.
    assert list(seen.contains_at(["a", "b", "c", "d"], 190)) == [True, False, False, True]
    assert "a" in seen and seen.fpr().value <= 0.001
    users = crivo.SlidingHyperLogLog.for_error(0.1, limit=3600)
    users.update(range(1000), np.arange(1000))
    users.update(range(500), 1000)
    users.advance(1099)
    assert 500 in users.estimate(100) and 1000 in users.estimate(1100) and users == pickle.loads(pickle.dumps(users))
    before = users.to_bytes()
    for wrong in ([1.5], [-1], [1, 2], ["x"], [None], "x", None, -1):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            users.update([1], wrong)
    with pytest.raises(ValueError, match="a window must be 1 to 3600"):
        users.estimate(3601)
    assert users.to_bytes() == before
    users.clear()
    assert users.estimate(100).value == 0


def test_a_counter_of_a_few_bits() -> None:
    one, other = (crivo.MorrisCounter.for_error(0.5, largest=10**6, seed=seed) for seed in (1, 2))
    for _ in range(100):
        one.increment()
    other.increment(900)
    assert 100 in one.estimate() and 900 in other.estimate()
    one |= other
    assert 1000 in one.estimate() and one.memory_bytes() < 200
