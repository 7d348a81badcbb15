"""Sketches of other libraries: what they wrote is read, what is made is what they make, and mistakes are refused."""

from __future__ import annotations

import copy
import pathlib
import pickle
import random
import threading
from collections.abc import Callable
from typing import Any

import crivo
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from crivo.datasketches import Bloom, CountMin, FrequentItems, Hll, Kll, TDigest, Theta

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "crivo-interop" / "tests" / "golden"
EXPECTED = {name: float(value) for name, value in (line.split() for line in (GOLDEN / "expected.txt").read_text().splitlines())}
FILES = [GOLDEN / name for name in EXPECTED]
CLASSES = {
    "theta": Theta, "hll": Hll, "kll": Kll, "frequent": FrequentItems, "tdigest": TDigest, "countmin": CountMin, "dsbloom": Bloom,
}  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_others_wrote_is_read(path: pathlib.Path) -> None:
    data = path.read_bytes()
    sketch = crivo.read_foreign(data)
    assert type(sketch) is CLASSES.get(path.suffix[1:], crivo.Foreign)
    for same in (pickle.loads(pickle.dumps(sketch)), copy.copy(sketch), copy.deepcopy(sketch)):
        assert type(same) is type(sketch) and same == sketch and repr(same) == repr(sketch)
        assert bytes(same) == sketch.to_bytes()
    assert "\n" not in repr(sketch) and isinstance(sketch.facts(), dict)
    if path.suffix in (".theta", ".hll", ".hyll", ".pghll") and "updatable" not in path.name:
        estimate = sketch.estimate()
        assert estimate.lower <= round(EXPECTED[path.name]) <= estimate.upper
        assert sketch.estimate(0.99).upper >= estimate.upper
    if path.suffix in (".kll", ".tdigest", ".countmin"):
        assert sketch.total() == EXPECTED[path.name]


MAKERS: dict[str, tuple[Callable[[], Any], Any]] = {
    "theta": (lambda: Theta(6), list(range(5_000))),
    "theta of another seed": (lambda: Theta(6, seed=7), list(range(5_000))),
    "hll": (lambda: Hll(8), [f"u{number}" for number in range(5_000)]),
    "hll of 8 bits": (lambda: Hll(8, bits=8), [f"u{number}" for number in range(50)]),
    "kll of doubles": (lambda: Kll(20, seed=1), [number / 4 for number in range(5_000)]),
    "kll of floats": (lambda: Kll(20, values="float32", seed=1), [number / 4 for number in range(5_000)]),
    "kll of integers": (lambda: Kll(20, values="int64", seed=1), [number << 40 for number in range(5_000)]),
    "kll of texts": (lambda: Kll(20, values="str", seed=1), [f"u{number}" for number in range(5_000)]),
    "t-digest": (lambda: TDigest(50), [number / 4 for number in range(5_000)]),
    "count-min": (lambda: CountMin(3, 200), list(range(500))),
    "bloom": (lambda: Bloom(5_000, 3), [f"u{number}" for number in range(500)]),
}
# Questions; a sketch answers those of its format.
QUESTIONS: list[tuple[str, tuple[Any, ...]]] = [
    ("estimate", ()), ("total", ()), ("quantile", (0.5,)), ("quantiles", ([0.1, 0.9],)), ("rank", (700,)), ("rank", ("u7",)),
    ("frequency", (7,)), ("contains", (["u7", "x"],)), ("fpr", ()), ("top", (3,)), ("facts", ()), ("to_bytes", ()),
]  # fmt: skip


def answers(sketch: Any) -> list[str]:
    """What the questions answer, or why they are refused."""
    found = []
    for name, arguments in QUESTIONS:
        try:
            found.append(repr(getattr(sketch, name)(*arguments)))
        except (TypeError, ValueError) as error:
            found.append(f"{type(error).__name__}: {error}")
    return found


@pytest.mark.parametrize("name", MAKERS)
def test_a_pickled_sketch_goes_on_as_the_original(name: str) -> None:
    make, items = MAKERS[name]
    empty, sketch = make(), make()
    sketch.update(items[: len(items) // 2])
    twins = [sketch, pickle.loads(pickle.dumps(sketch)), copy.copy(sketch)]
    refused = [answer.startswith("TypeError") for answer in answers(sketch)]
    assert not all(refused[:-2]) and any(refused)
    for twin in twins:
        assert twin == sketch and answers(twin) == answers(sketch)
    # The coins of a KLL sketch are not in its bytes, so a copy from bytes tosses others.
    for twin in twins[:: 2 if "kll" in name else 1]:
        twin.update(items)
        twin.add(items[0])
        assert answers(twin) == answers(sketch)
    again = pickle.loads(pickle.dumps(empty))
    again.update(items)
    assert again != empty and type(again) is type(empty)


@pytest.mark.parametrize("name", MAKERS)
def test_merges_are_of_both_streams(name: str) -> None:
    make, items = MAKERS[name]
    one, other, both = make(), make(), make()
    one.update(items[: len(items) // 3 * 2])
    other.update(items[len(items) // 3 :])
    both.update(items)
    before = one.to_bytes()
    union = one | other
    assert one.to_bytes() == before
    one |= other
    if "kll" in name or name == "t-digest":
        assert one.total() == union.total() == (len(items) // 3 * 2) + len(items) - len(items) // 3
    elif name == "count-min":
        assert union == one and 2 in one.frequency(items[len(items) // 2])
    elif "theta" in name:
        # A union keeps k hashes, one pass up to 15/8 of it.
        assert union == one and len(items) in one.estimate(0.999)
        one.update(items)
        assert len(items) in one.estimate(0.999)
    else:
        # A HyperLogLog of one pass also knows in which order its registers rose, and a filter of one pass counts its bits as it goes.
        assert union == one and answers(union)[1:-2] == answers(both)[1:-2]
        if "hll" in name:
            assert abs(one.estimate().value / both.estimate().value - 1) < 0.1


def test_the_items_of_every_source_are_the_same() -> None:
    numbers = Theta.of(list(range(300)))
    for source in (np.arange(300), np.arange(300, dtype=np.int16), np.arange(300)[::-1], pa.array(range(300)), pl.Series(range(300)), range(300)):
        assert Theta.of(source) == numbers
    assert Theta.of(np.arange(300.0)) != numbers
    names = [f"u{number}" for number in range(300)]
    texts = Hll.of(names)
    frame = pd.DataFrame({"user": [*names, None]})
    for source in (pa.array(names), pa.array(names).dictionary_encode(), pl.Series(names), frame["user"], np.array(names), [name.encode() for name in names]):
        assert Hll.of(source) == texts
    assert Hll.of(["", None]) == Hll()


def test_threads_share_a_sketch() -> None:
    shared, alone = Hll(11), Hll.of(range(20_000), 11)
    batches = [np.arange(part, 20_000, 4) for part in range(4)]
    threads = [threading.Thread(target=shared.update, args=(batch,)) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A merge forgets in which order the registers rose.
    assert bytes(shared | alone) == bytes(alone | alone)


def test_sets_of_theta_sketches() -> None:
    one, other = Theta.of(range(8_000)), Theta.of(range(6_000, 12_000))
    # One of a thousand intervals misses.
    assert (one & other) == one.intersection(other) and 2_000 in (one & other).estimate(0.999)
    assert 6_000 in one.difference(other).estimate(0.999) and 12_000 in (one | other).estimate(0.999)
    assert abs(one.jaccard(other).value - 1 / 6) < 0.02
    # The result takes items again.
    rest = one.difference(other)
    rest.update(range(20_000, 26_000))
    assert 12_000 in rest.estimate(0.999)
    with pytest.raises(TypeError, match="theta"):
        Theta.intersection(one, Hll())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seed"):
        one.merge(Theta.of([1], seed=5))
    with pytest.raises(ValueError, match="seed"):
        Theta.from_bytes(Theta.of([1], seed=5).to_bytes()).add(2)
    same = Theta.from_bytes(Theta.of([1], seed=5).to_bytes(), seed=5)
    same.add(2)
    assert same == Theta.of([1, 2], seed=5)


def test_quantiles_have_the_type_of_their_values() -> None:
    large = [2**53 + 1 + 2 * number for number in range(100)]
    longs = Kll.of(large, values="int64")
    assert longs.quantile(0.0).value == large[0] and isinstance(longs.quantile(0.5).value, int)
    assert 50 in longs.rank(large[49]) and longs.quantiles([0.0, 1.0])["value"] == [large[0], large[-1]]
    # Above 2⁵² they look like doubles, so the reader has to know.
    assert Kll.from_bytes(longs.to_bytes(), values="int64") == longs
    texts = Kll.of(["b", "a", "c"], values="str")
    assert texts.quantile(0.5).value == "b" and texts.quantiles([0.0])["value"] == ["a"]
    times = TDigest.of(np.random.default_rng(31).exponential(size=20_000))
    assert times.quantile(0.5).lower <= np.log(2) * 1.03 and times.quantile(0.5).upper >= np.log(2) * 0.97


def test_frequencies_and_filters() -> None:
    pages = crivo.MisraGries.for_error(0.01)
    pages.update(["/", "/a", "/"], weights=[5, 7, 6])
    frequent = FrequentItems(pages)
    assert frequent.top().to_dict() == {"item": ["/", "/a"], "count": [11, 7], "lower": [11, 7], "upper": [11, 7]}
    assert frequent.top(1)["item"] == ["/"] and frequent.total() == 18 and 7 in frequent.frequency("/a")
    assert FrequentItems(crivo.MisraGries.of([3, 3, 5])).top()["item"] == [3, 5]
    assert FrequentItems(crivo.MisraGries.for_error(0.01)).top()["item"] == []
    with pytest.raises(TypeError, match="MisraGries"):
        FrequentItems(crivo.MisraGries.of([b"\xff"]))
    with pytest.raises(TypeError, match="takes no items"):
        frequent.add("/")
    counts = CountMin.of(["a", "b"], weights=[3, 4])
    counts.add("a", 2)
    assert 5 in counts.frequency("a") and counts.total() == 9
    seen = Bloom(10_000, 7)
    seen.add("a")
    seen.update([5])
    assert "a" in seen and 5 in seen and "b" not in seen and None not in seen
    assert list(seen.contains(["a", None, "b"])) == [True, False, False] and 0 < seen.fpr() < 1e-6


@pytest.mark.parametrize(
    ("call", "error", "reason"),
    [
        (lambda: crivo.Foreign(), TypeError, "crivo.read_foreign"),
        (lambda: crivo.read_foreign(b""), ValueError, "no known format"),
        (lambda: crivo.read_foreign(crivo.ExaLogLog.for_error(0.1).to_bytes()), ValueError, "no known format"),
        (lambda: crivo.read_foreign(Kll(8).to_bytes(), values="int32"), ValueError, "'float32', 'float64', 'int64' or 'str'"),
        (lambda: crivo.read_foreign("text"), TypeError, "bytes"),
        (lambda: Hll.from_bytes(Theta().to_bytes()), ValueError, "are a datasketches-theta, expected a datasketches-hll"),
        (lambda: Theta(4), ValueError, "5 to 26"),
        (lambda: Theta(300), OverflowError, None),
        (lambda: Hll(22), ValueError, "4 to 21"),
        (lambda: Hll(bits=5), ValueError, "4, 6 or 8 bits"),
        (lambda: Kll(7), ValueError, "8 to 65535"),
        (lambda: Kll(values="float16"), ValueError, "'float16'"),
        (lambda: TDigest(1), ValueError, "10"),
        (lambda: CountMin(0, 10), ValueError, "row"),
        (lambda: CountMin(255, 2**31), ValueError, None),
        (lambda: Bloom(2**40, 3), ValueError, None),
        (lambda: Bloom(0, 3), ValueError, None),
        (lambda: Theta.of(5), TypeError, None),
        (lambda: Theta.of([True]), TypeError, "found values of type Boolean"),
        (lambda: Theta.of(pa.array([1], pa.date32())), TypeError, "found values of type Date32"),
        (lambda: Theta().add(1, 2), TypeError, "how often"),
        (lambda: Kll().update([1.0], weights=[2]), TypeError, "how often"),
        (lambda: Theta().add(None), TypeError, "missing value"),
        (lambda: Kll().add("a"), TypeError, "takes numbers, but found texts"),
        (lambda: Kll().update(pa.array([None], pa.string())), TypeError, "takes numbers, but found texts"),
        (lambda: Kll().add(2**53 + 1), ValueError, "2\\*\\*53"),
        (lambda: Kll(values="int64").add(2**63), ValueError, "2\\*\\*63"),
        (lambda: Kll(values="int64").add(1.5), TypeError, "takes integers, but found floats"),
        (lambda: Kll(values="str").add(1), TypeError, "takes texts, but found integers"),
        (lambda: Kll().quantile(0.5), ValueError, None),
        (lambda: Kll.of([1.0]).quantile(2.0), ValueError, None),
        (lambda: TDigest().add(float("inf")), ValueError, None),
        (lambda: CountMin().add("a", -1), OverflowError, None),
        (lambda: CountMin.of(["a"], weights=[0.5]), ValueError, "whole number"),
        (lambda: CountMin.of(["a"], weights=[1, 2]), ValueError, "weight"),
        (lambda: CountMin.of([1.5]), TypeError, "texts, bytes or integers"),
        (lambda: Theta().quantile(0.5), TypeError, "quantiles"),
        (lambda: Hll().top(), TypeError, "most frequent"),
        (lambda: Hll().contains(["a"]), TypeError, "filter"),
        (lambda: Hll().estimate(1.0), ValueError, "confidence"),
        (lambda: Bloom(100, 3).estimate(), TypeError, "distinct"),
        (lambda: Hll().merge(Theta()), ValueError, "format"),
        (lambda: Kll(values="str").merge(Kll()), ValueError, "format"),
        (lambda: Bloom(128, 3) | Bloom(256, 3), ValueError, None),
        (lambda: Theta().merge(5), (AttributeError, TypeError), None),
    ],
)  # fmt: skip
def test_mistakes_are_refused(call: Callable[[], object], error: Any, reason: str) -> None:
    with pytest.raises(error, match=reason):
        call()


def test_a_refused_batch_leaves_a_sketch_that_works() -> None:
    for make, good, bad in ((lambda: Kll(8, values="int64"), [1, 2], ["a"]), (lambda: CountMin(2, 10), ["a", "b"], [1.5])):
        sketch = make()
        sketch.update(good)
        before = sketch.to_bytes()
        with pytest.raises(TypeError):
            sketch.update(bad)
        assert sketch.to_bytes() == before and sketch.total() == 2
        with pytest.raises(ValueError, match="formats|format"):
            sketch.merge(Hll())
        assert sketch.to_bytes() == before


def test_hostile_bytes_raise_or_are_another_sketch() -> None:
    draw = random.Random(31)
    refused = 0
    for path in FILES:
        data = bytearray(path.read_bytes())
        for _ in range(30 if data else 0):
            place = draw.randrange(min(len(data), 48)) if draw.random() < 0.7 else draw.randrange(len(data))
            changed = data[: draw.randrange(len(data) + 1)] if draw.random() < 0.3 else data.copy()
            if place < len(changed):
                changed[place] ^= draw.choice([1, 0x10, 0x80, 0xFF])
            try:
                sketch = crivo.read_foreign(bytes(changed))
            except ValueError:
                refused += 1
                continue
            answers(sketch)
            assert pickle.loads(pickle.dumps(sketch)) == sketch
    assert refused > 1_000


def test_the_peer_makes_the_same_bytes_and_answers() -> None:
    """The C++ library reads what is written here, and its sketches of the same items are the same."""
    peer: Any = pytest.importorskip("datasketches")
    names, numbers = [f"u{number}" for number in range(20_000)], list(range(20_000))
    theta, hll = peer.update_theta_sketch(10), peer.hll_sketch(10, peer.tgt_hll_type.HLL_8)
    for name in names:
        theta.update(name)
        hll.update(name)
    ours = Theta.of(names, lg_k=10)
    assert ours.to_bytes() == theta.compact().serialize()
    assert peer.compact_theta_sketch.deserialize(ours.to_bytes()).get_estimate() == ours.estimate().value
    counter = Hll.of(names, lg_k=10, bits=8)
    # All but the sum of its estimator, 8 bytes that are rounded in another order.
    assert counter.to_bytes()[16:] == hll.serialize_compact()[16:]
    assert peer.hll_sketch.deserialize(counter.to_bytes()).get_estimate() == counter.estimate().value
    for values, kind in (("float64", peer.kll_doubles_sketch), ("float32", peer.kll_floats_sketch)):
        sketch = Kll.of(numbers, values=values, seed=31)
        read = kind.deserialize(sketch.to_bytes())
        assert read.n == sketch.total() and read.get_quantile(0.5, True) == sketch.quantile(0.5).value
        theirs = kind(200)
        theirs.update(np.array(numbers, dtype=values))
        written = theirs.serialize()
        back = Kll.from_bytes(written, values=values)
        assert back.to_bytes() == written
        assert back.total() == theirs.n and back.quantile(0.9).value == theirs.get_quantile(0.9, True)
    items = peer.frequent_strings_sketch(10)
    for name in names:
        items.update(name[:3])
    frequent = FrequentItems.from_bytes(items.serialize(), values="str")
    found = items.get_frequent_items(peer.frequent_items_error_type.NO_FALSE_NEGATIVES)
    assert dict(zip(frequent.top(1000)["item"], frequent.top(1000)["count"])) == {item: count for item, count, *_ in found}
    digest = peer.tdigest_double(100)
    digest.update(np.array(numbers, dtype=float))
    assert 10_000 * 0.98 <= TDigest.from_bytes(digest.serialize()).quantile(0.5).value <= 10_000 * 1.02
    assert peer.tdigest_double.deserialize(TDigest.of(numbers).to_bytes()).get_total_weight() == 20_000
    counts = CountMin.of(names, rows=4, width=500)
    read = peer.count_min_sketch.deserialize(counts.to_bytes())
    assert all(read.get_estimate(name) == counts.frequency(name).value for name in names[:100])
