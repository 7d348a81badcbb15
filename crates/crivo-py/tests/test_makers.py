"""Kinds of special questions: votes, counts in ranges, small counters, values that decay, graphs, genomes, near items."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import crivo
import numpy as np
import pytest

GENOME = "GATTACAGATTACCTTGACCATGA"
# A circle of 50 vertices.
ONE, OTHER = np.arange(50), (np.arange(50) + 1) % 50

# Every maker, each with a call that fills it.
MADE: dict[str, Callable[[], crivo.Sketch]] = {
    "Majority": lambda: crivo.Majority.of(["a", "b", "a"]),
    "DyadicCountMin": lambda: filled(crivo.DyadicCountMin.for_error(0.01), "update", [1, 2, 3]),
    "BinomialCounter": lambda: filled(crivo.BinomialCounter.for_count(1000, seed=1), "increment", 500),
    "MorrisArray": lambda: filled(crivo.MorrisArray.for_error(10, 0.1, 1000, seed=1), "update", [1, 2, 3]),
    "BinomialArray": lambda: filled(crivo.BinomialArray.for_count(10, 1000, seed=1), "update", [1, 2, 3]),
    "DecayingBloom": lambda: filled(crivo.DecayingBloom.for_distortion(100, 0.01, 0.5, 0.01), "insert", "a", 1.0),
    "QuantisedBloom": lambda: filled(crivo.QuantisedBloom.for_distortion(100, 0.01, -40, 60), "insert", "a", 31.9),
    "DirectTable": lambda: filled(crivo.DirectTable.for_universe(100), "update", [3, 70]),
    "VertexBlooms": lambda: filled(crivo.VertexBlooms.for_degrees(ONE, [2] * 50), "add_edges", ONE, OTHER),
    "AdjacencyMatrix": lambda: filled(crivo.AdjacencyMatrix.for_vertices(50), "add_edges", ONE, OTHER),
    "AdjacencyList": lambda: crivo.AdjacencyList.freeze(50, ONE, OTHER),
    "ParentTree": lambda: crivo.ParentTree.freeze([None, 0, 0, 1]),
    "IntervalGraph": lambda: crivo.IntervalGraph.freeze([0, 1, 5], [2.5, 3, 6]),
    "TreeLabels": lambda: crivo.TreeLabels.freeze(4, [0, 0, 1], [1, 2, 3], 1e-6, 1e-6),
    "IntersectionLabels": lambda: crivo.IntersectionLabels.freeze(50, ONE, OTHER, 1e-6, 1e-6),
    "BipartiteLabels": lambda: crivo.BipartiteLabels.freeze([i % 2 == 0 for i in range(50)], ONE, OTHER, 1e-6, 1e-6),
    "DeBruijn": lambda: filled(crivo.DeBruijn.with_fpr(7, 1000, 1e-9), "update", [GENOME]),
    "ExactDeBruijn": lambda: crivo.ExactDeBruijn.freeze([GENOME], 7),
    "LshBloom": lambda: filled(crivo.LshBloom.for_recall(0.8, 0.99, 100, 0.001, near()), "add", near()),
    "DistanceBloom": lambda: filled(crivo.DistanceBloom.for_bits(256, 100, 10, 100), "add", 2**255 + 5),
}


def filled(made: crivo.Sketch, method: str, *arguments: object) -> crivo.Sketch:
    assert getattr(made, method)(*arguments) is None
    return made


def near(first: int = 0) -> crivo.MinHash:
    return crivo.MinHash.of(range(first, first + 1000), slots=1024)


@pytest.mark.parametrize("name", list(MADE))
def test_what_is_made_is_of_its_class_and_is_pickled(name: str) -> None:
    made = MADE[name]()
    assert type(made).__name__ == name and made == MADE[name]()
    assert pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(TypeError, match=f"make a {name} with"):
        type(made)(1)


def test_every_kind_but_profiles_can_be_made() -> None:
    for name in crivo.__all__:
        kind = getattr(crivo, name)
        if isinstance(kind, type) and issubclass(kind, crivo.Sketch) and kind is not crivo.Sketch:
            makers = [key for key, value in vars(kind).items() if isinstance(value, staticmethod)]
            is_called = name in ("LogQuantiles", "Reservoir", "WeightedReservoir", "VarOpt")
            # Profiles are made by crivo.profile.
            assert any(maker != "__new__" for maker in makers) or is_called or name == "TableProfile", name


def test_a_vote_keeps_the_only_candidate() -> None:
    vote = crivo.Majority.of(["a", "b", "a", "c", "a"])
    assert vote.candidate() == "a" and vote.total() == 5
    count = vote.frequency("a")
    assert count.lower <= 3 <= count.upper and vote.frequency("b").upper < 3
    vote.update(["b"], [9])
    assert vote.candidate() == "b"
    numbers = crivo.Majority.empty()
    assert numbers.candidate() is None
    numbers.add(7, 3)
    assert numbers.candidate() == 7
    with pytest.raises(ValueError):
        vote.merge(numbers)
    with pytest.raises(TypeError, match="keeps texts"):
        vote.add(5)
    with pytest.raises(TypeError, match="floats"):
        crivo.Majority.of([0.5])
    both = crivo.Majority.empty()
    both.merge(vote)
    assert both == vote
    vote.clear()
    assert vote == crivo.Majority.of(["x"], [0]) and vote.candidate() is None


def test_a_missing_value_is_not_an_element() -> None:
    for made in (crivo.Majority.empty(), crivo.MisraGries.for_error(0.1), crivo.Kll.for_error(0.1), crivo.Reservoir(5)):
        with pytest.raises(TypeError, match="not an item"):
            made.add(None)
        assert made.total() == 0


def test_counts_in_ranges() -> None:
    values = np.random.default_rng(3).permutation(20_000) - 5000
    counts = crivo.DyadicCountMin.for_error(0.01, bits=32)
    counts.update(values)
    assert 10_000 in counts.range(0, 9999) and 5000 in counts.rank(-1) and counts.total() == 20_000
    median = counts.quantile(0.5)
    assert median.lower <= 4999 <= median.upper and isinstance(median.value, int)
    assert len(counts.quantiles([0.1, 0.9])["value"]) == 2
    counts.remove(values[0].item())
    assert counts.total() == 19_999
    weighted = crivo.DyadicCountMin.for_error(0.01)
    weighted.update([1.5, None, 2.5], [2, 9, 3])
    weighted.add(float("inf"))
    assert weighted.total() == 6 and 2 in weighted.range(1, 2) and 5 in weighted.rank(2.5)
    unsigned = crivo.DyadicCountMin.for_error(0.01, bits=8)
    unsigned.update(np.array([255], dtype=np.uint8))
    unsigned.add(0)
    assert unsigned.range(0, 254).value == 1
    unsigned.clear()
    unsigned.add(-128)
    assert unsigned.total() == 1


def test_wrong_numbers_are_refused() -> None:
    counts = crivo.DyadicCountMin.for_error(0.01, bits=8)
    counts.update([1, 2])
    before = counts.to_bytes()
    for wrong, error in (
        (lambda: counts.add(128), ValueError),
        (lambda: counts.add(0.5), TypeError),
        (lambda: counts.add("1"), TypeError),
        (lambda: counts.add(None), TypeError),
        (lambda: counts.add(True), TypeError),
        (lambda: counts.add(1, -1), OverflowError),
        (lambda: counts.update([1, 2], [1]), ValueError),
        (lambda: counts.update([3], [-1]), ValueError),
        (lambda: counts.update([3], [float("nan")]), ValueError),
        (lambda: counts.remove(1, 2), ValueError),
        (lambda: counts.range(2, 1), ValueError),
        (lambda: counts.range("a", "b"), TypeError),
        (lambda: counts.rank(1.5), TypeError),
        (lambda: counts.quantile(1.5), ValueError),
    ):
        with pytest.raises(error):
            wrong()
    assert counts.to_bytes() == before
    with pytest.raises(TypeError, match="bits=64"):
        crivo.DyadicCountMin.for_error(0.01, bits=8).add(0.5)
    floats = crivo.DyadicCountMin.for_error(0.01)
    with pytest.raises(ValueError):
        floats.add(float("nan"))
    with pytest.raises(ValueError):
        floats.quantile(0.5)


def test_counters_in_few_bits() -> None:
    # At 16 bits a count of 10,000 is exact.
    counter = crivo.BinomialCounter.for_count(10_000, 16)
    counter.increment(9999)
    counter.increment()
    assert counter.estimate().value == 10_000
    for counters in (crivo.MorrisArray.for_error(100, 0.1, 10**6, seed=5), crivo.BinomialArray.for_count(100, 10**6, 16, seed=5)):
        counters.update(np.repeat(np.arange(100), 3), np.repeat(1000, 300))
        counters.increment(7, 1000)
        assert len(counters.estimates(range(100))) == 100
        # A miss in 20 is promised; with this seed, at most 15 of 99 miss.
        table = counters.estimates(range(100))
        hits = [low <= 3000 <= high for low, high in zip(table["lower"], table["upper"])]
        hits.pop(7)
        assert sum(hits) >= 84 and counters.estimate(7).value > 3000
        before = counters.to_bytes()
        for wrong, error in (
            (lambda: counters.increment(100), ValueError),
            (lambda: counters.increment(-1), OverflowError),
            (lambda: counters.estimate(100), ValueError),
            (lambda: counters.update([1, 100]), ValueError),
            (lambda: counters.update([1, -1]), ValueError),
            (lambda: counters.update([1.5]), TypeError),
            (lambda: counters.update(["1"]), TypeError),
            (lambda: counters.update([1, None]), ValueError),
            (lambda: counters.update([1, 2], [1]), ValueError),
            (lambda: counters.update([1], [-1]), ValueError),
        ):
            with pytest.raises(error):
                wrong()
        assert counters.to_bytes() == before


def test_values_decay() -> None:
    here = crivo.DecayingBloom.for_distortion(1000, 0.01, 0.5, 0.01)
    there = here.copy()
    there.insert("printer", 1.0)
    there.advance(2)
    here.merge_attenuated(there, 0.5)
    answer = here.value("printer")
    assert answer is not None and 0.125 <= answer < 0.1255
    here.advance(4)
    assert here.value("printer") is None
    here.update(["a", None, "b"], [1.0, 5.0, 2.0])
    assert here.values(["b", None, "c"])[1:] == [None, None]
    for wrong in (-1.0, 0.0, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            here.insert("a", wrong)
    with pytest.raises(ValueError):
        here.merge_attenuated(there, 2.0)
    with pytest.raises(ValueError, match="2 weights|weights"):
        here.update(["a"], [1.0, 2.0])


@pytest.mark.parametrize("bits", [8, 16])
def test_values_are_rounded_up(bits: int) -> None:
    hottest = crivo.QuantisedBloom.for_distortion(1000, 0.01, -40, 60, bits=bits)
    hottest.update(["Faro", "Braga"], [31.9, 20.0])
    step = 100 / (2**bits - 2)
    for value, answer in zip((31.9, 20.0), hottest.values(["Faro", "Braga"])):
        assert answer is not None and value <= answer < value + step * 1.001
    for wrong in (464.0, float("nan")):
        with pytest.raises(ValueError):
            hottest.insert("Venus", wrong)
    with pytest.raises(ValueError, match="8 or 16"):
        crivo.QuantisedBloom.for_distortion(1000, 0.01, -40, 60, bits=9)
    with pytest.raises(ValueError):
        crivo.QuantisedBloom.for_distortion(1000, 0.01, 0, 60, logarithmic=True)


def test_a_direct_table_is_a_set() -> None:
    table = crivo.DirectTable.for_universe(100)
    table.update(np.array([3, 70, 3]))
    table.add(5)
    assert table.total() == 3 and 70 in table and 71 not in table and "a" not in table and -1 not in table
    assert list(table.contains([3, None, 4, 1000])) == [True, False, False, False]
    table.remove(3)
    before = table.to_bytes()
    for wrong, error in (
        (lambda: table.add(100), ValueError),
        (lambda: table.add(-1), OverflowError),
        (lambda: table.add("a"), TypeError),
        (lambda: table.update([1, 100]), ValueError),
        (lambda: table.update([1, -1]), ValueError),
        (lambda: table.update([1.0]), TypeError),
    ):
        with pytest.raises(error):
            wrong()
    assert table.to_bytes() == before and table.total() == 2


NUMBERED = ["AdjacencyMatrix", "AdjacencyList", "IntersectionLabels", "BipartiteLabels"]


@pytest.mark.parametrize("name", NUMBERED)
def test_graphs_of_numbered_vertices(name: str) -> None:
    graph = MADE[name]()
    assert graph.vertices() == 50 and graph.degree(5) == 2 and graph.neighbours(0) == [1, 49]
    assert graph.has_edge(49, 0) and not graph.has_edge(0, 2)
    assert list(graph.has_edges(ONE, OTHER)) == [True] * 50
    if hasattr(graph, "edges"):
        assert graph.edges() == 50
    for wrong, error in (
        (lambda: graph.has_edge(0, 50), ValueError),
        (lambda: graph.has_edge(0, -1), OverflowError),
        (lambda: graph.has_edge(0, "a"), TypeError),
        (lambda: graph.has_edge(0, 1.0), TypeError),
        (lambda: graph.has_edges([0], [1, 2]), ValueError),
        (lambda: graph.has_edges([0], [2**40]), ValueError),
        (lambda: graph.has_edges([0, None], [1, 2]), ValueError),
        (lambda: graph.has_edges([float("nan")], [1]), TypeError),
        (lambda: graph.degree(50), ValueError),
        (lambda: graph.neighbours(50), ValueError),
    ):
        with pytest.raises(error):
            wrong()


def test_a_matrix_takes_edges() -> None:
    graph = crivo.AdjacencyMatrix.for_vertices(3, directed=True)
    graph.add_edge(0, 1)
    assert graph.has_edge(0, 1) and not graph.has_edge(1, 0)
    before = graph.to_bytes()
    with pytest.raises(ValueError):
        graph.add_edges([1, 2], [2, 3])
    assert graph.to_bytes() == before
    graph.clear()
    assert graph.edges() == 0


def test_trees_and_intervals() -> None:
    for tree in (MADE["ParentTree"](), MADE["TreeLabels"]()):
        assert tree.neighbours(0) == [1, 2] and tree.has_edge(3, 1) and not tree.has_edge(3, 0)
    intervals = MADE["IntervalGraph"]()
    assert intervals.has_edge(0, 1) and intervals.neighbours(2) == [] and intervals.edges() == 1
    for wrong, error in (
        (lambda: crivo.ParentTree.freeze([1, 0]), ValueError),
        (lambda: crivo.ParentTree.freeze([5]), ValueError),
        (lambda: crivo.ParentTree.freeze(["a"]), TypeError),
        (lambda: crivo.IntervalGraph.freeze([1.0], [0.0]), ValueError),
        (lambda: crivo.IntervalGraph.freeze([float("nan")], [0.0]), ValueError),
        (lambda: crivo.IntervalGraph.freeze([0.0], [None]), ValueError),
        (lambda: crivo.IntervalGraph.freeze([0.0], [1.0, 2.0]), ValueError),
        (lambda: crivo.TreeLabels.freeze(3, [0, 1, 2], [1, 2, 0], 0.01, 0.01), ValueError),
        (lambda: crivo.TreeLabels.freeze(3, [0], [1], 0.01, 2.0), ValueError),
        (lambda: crivo.AdjacencyList.freeze(3, [0], [3]), ValueError),
        (lambda: crivo.IntersectionLabels.freeze(3, [0], [0], 0.01, 0.01), ValueError),
        (lambda: crivo.BipartiteLabels.freeze([True, True], [0], [1], 0.01, 0.01), ValueError),
        (lambda: crivo.BipartiteLabels.freeze([1, 0], [0], [1], 0.01, 0.01), TypeError),
    ):
        with pytest.raises(error):
            wrong()


@pytest.mark.parametrize("directed", [False, True])
def test_graphs_of_any_vertices(directed: bool) -> None:
    towns, others = ["Porto", "Porto", "Aveiro"], ["Braga", "Aveiro", "Coimbra"]
    names, degrees = ["Porto", "Braga", "Aveiro", "Coimbra"], [2, 1, 2, 1]
    blooms = crivo.VertexBlooms.for_degrees(names, degrees, 20, directed=directed)
    for graph in (blooms, crivo.EdgeBloom.with_fpr(100, 1e-9, directed=directed)):
        graph.add_edges(towns, others)
        same = graph.copy()
        for town, other in zip(towns, others):
            same.add_edge(town, other)
        assert graph == same
        assert list(graph.has_edges(towns, others)) == [True] * 3
        assert graph.has_edge("Porto", "Braga") and graph.has_edge("Braga", "Porto") is not directed
        before = graph.to_bytes()
        for wrong, error in (
            (lambda: graph.add_edges(["a"], ["b", "c"]), ValueError),
            (lambda: graph.add_edges(["a"], [None]), ValueError),
            (lambda: graph.add_edges("a", "b"), TypeError),
            (lambda: graph.add_edge("a", None), TypeError),
            (lambda: graph.has_edge(None, "a"), TypeError),
        ):
            with pytest.raises(error):
                wrong()
        assert graph.to_bytes() == before
    star = crivo.VertexBlooms.for_degrees(range(1001), [1000] + [1] * 1000, directed=directed)
    star.add_edges([0] * 1000, range(1, 1001))
    assert 1000 in star.degree(0)
    with pytest.raises(ValueError, match="not one of"):
        blooms.add_edge("Lisboa", "Porto")
    with pytest.raises(ValueError):
        blooms.degree("Lisboa")
    for wrong in ([1, 1, 1], [1, 1, 1, -1], [1, 1, 1, 0.5]):
        with pytest.raises(ValueError):
            crivo.VertexBlooms.for_degrees(names, wrong)
    with pytest.raises(ValueError):
        crivo.VertexBlooms.for_degrees([*names, None], [*degrees, 1])


@pytest.mark.parametrize("name", ["DeBruijn", "ExactDeBruijn"])
def test_genomes(name: str) -> None:
    graph = MADE[name]()
    # The reverse complement is the same place.
    assert "GATTACA" in graph and "TGTAATC" in graph and b"gattaca" in graph and "AAAAAAA" not in graph
    assert graph.after("AGATTAC") == ["GATTACA", "GATTACC"] and graph.before("ATTACCT") == ["GATTACC"]
    assert graph.walk("ATTACCT") == GENOME[GENOME.index("ATTACCT") :]
    for wrong, error in ((5, TypeError), (None, TypeError), ("GATNACA", ValueError), ("", ValueError)):
        with pytest.raises(error):
            graph.after(wrong)
        with pytest.raises(error):
            wrong in graph


def test_sequences() -> None:
    one, other = crivo.DeBruijn.with_fpr(7, 1000, 1e-9), crivo.DeBruijn.with_fpr(7, 1000, 1e-9)
    one.update([GENOME, None, "NNN"])
    other.add(GENOME.lower().encode())
    places = len(GENOME) - 6
    assert one == other and places in one.estimate() and one.fpr().value < 1e-9
    assert crivo.ExactDeBruijn.freeze([GENOME, GENOME.encode()], 7).total() == places
    for wrong, error in (
        (lambda: one.update([5]), TypeError),
        (lambda: one.update(GENOME), TypeError),
        (lambda: one.add(5), TypeError),
        (lambda: crivo.DeBruijn.with_fpr(64, 100, 0.01), ValueError),
        (lambda: crivo.ExactDeBruijn.freeze([GENOME], 0), ValueError),
        (lambda: crivo.ExactDeBruijn.freeze([0.5], 7), TypeError),
    ):
        with pytest.raises(error):
            wrong()


def test_near_items() -> None:
    pictures = MADE["DistanceBloom"]()
    assert 2**255 + 5 in pictures and 2**255 + 4 in pictures and 2**128 - 1 not in pictures
    for wrong, error in ((-1, OverflowError), (2**256, OverflowError), ("a", TypeError), (near(), ValueError)):
        with pytest.raises(error):
            pictures.add(wrong)
    sets = crivo.DistanceBloom.for_sets(near(), 100, 0.1, 0.9)
    for known in (sets, MADE["LshBloom"]()):
        known.add(near())
        assert near() in known and near(10) in known and near(10**6) not in known
        with pytest.raises(ValueError):
            known.add(crivo.MinHash.for_slots(64))
        with pytest.raises(TypeError):
            known.add(5)
    assert 0 < MADE["LshBloom"]().fpr().value < 0.001
    with pytest.raises(ValueError):
        crivo.DistanceBloom.for_bits(256, 100, 100, 10)
    with pytest.raises(TypeError):
        crivo.LshBloom.for_recall(0.8, 0.99, 100, 0.001, crivo.SimHash.for_bits())
