"""Laws that hold for every kind: bytes, pickle, copies, merges."""

from __future__ import annotations

import copy
import pathlib
import pickle

import crivo
import pytest

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "crivo" / "tests" / "golden"


def golden() -> list[pathlib.Path]:
    """A file of every kind, from the golden files of the library."""
    files = {}
    for path in sorted(GOLDEN.rglob("*.crv")):
        try:
            sketch = crivo.load(path)
        except ValueError:
            continue
        files.setdefault((sketch.kind, path.parent.name), path)
    return list(files.values())


FILES = golden()


def test_every_kind_has_a_class_and_a_file() -> None:
    names = set(crivo.kinds()["name"])
    assert len(names) > 60
    assert {crivo.load(path).kind for path in FILES} == names


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_bytes_pickle_and_copies_give_the_sketch_back(path: pathlib.Path) -> None:
    sketch = crivo.load(path)
    data = sketch.to_bytes()
    assert bytes(sketch) == data
    for same in (
        crivo.from_bytes(data),
        type(sketch).from_bytes(data),
        pickle.loads(pickle.dumps(sketch)),
        copy.copy(sketch),
        copy.deepcopy(sketch),
        sketch.copy(),
        crivo.from_bytes(sketch.to_compact_bytes()),
    ):
        assert type(same) is type(sketch)
        assert same == sketch and same.to_bytes() == data and repr(same) == repr(sketch)
    assert sketch != data and "\n" not in repr(sketch)
    assert sketch.memory_bytes() > 0 and isinstance(sketch.facts(), dict)


TEXTS, NUMBERS = [f"t{i}" for i in range(3000)], list(range(3000))
# Changes and questions; a kind takes those that it has, with the arguments that it takes.
CALLS: list[tuple[str, tuple[object, ...]]] = [
    ("update", (["a"],)),
    ("update", (TEXTS,)),
    ("update", (NUMBERS,)),
    ("update", ([number + 0.5 for number in NUMBERS],)),
    ("update", ([text.encode() for text in TEXTS],)),
    ("update", (NUMBERS, [1 + number % 7 for number in NUMBERS])),
    ("update", (TEXTS, [1 + number % 7 for number in NUMBERS])),
    ("update", ([0, 1, 2],)),
    ("update", ([0, 1, 2], [3, 4, 5])),
    ("update", (["GATTACAGATTACC", None],)),
    ("add", ("z",)),
    ("add", (7,)),
    ("add", (7, 2)),
    ("add", (7.5,)),
    ("insert", ("z", 2.5)),
    ("add_edge", ("a", "b")),
    ("add_edge", (0, 1)),
    ("add_edges", ([0, 1], [1, 2])),
    ("increment", (3,)),
    ("increment", (0, 3)),
    ("advance", (1,)),
    *[("remove", (item,)) for item in ("z", 7, 7.5, 0)],
    *[(name, ()) for name in ("estimate", "fpr", "total", "sample", "top", "f0", "f1", "f2", "edges", "fingerprint", "table", "candidate", "vertices")],
    *[(name, (item,)) for name in ("frequency", "value", "rank", "contains") for item in ("t5", 5, 5.5, ["t5", 5])],
    ("quantile", (0.5,)),
    ("quantiles", ([0.1, 0.9],)),
    ("has_edge", ("a", "b")),
    ("has_edges", ([0, 1], [1, 0])),
    *[(name, (0,)) for name in ("neighbours", "degree", "estimate")],
    *[(name, ("GATTACA",)) for name in ("after", "before", "walk")],
    ("range", (0, 5)),
    ("values", ([0, 1],)),
    ("estimates", ([0, 1],)),
    ("clear", ()),
    ("update", (TEXTS,)),
    ("update", (NUMBERS,)),
]


def outcome(sketch: crivo.Sketch, name: str, arguments: tuple[object, ...]) -> str:
    """What a call answers, or why it is refused."""
    try:
        return repr(getattr(sketch, name)(*arguments))
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_pickled_sketch_answers_later_calls_as_the_original(path: pathlib.Path) -> None:
    sketch, before = crivo.load(path), crivo.load(path)
    twin = pickle.loads(pickle.dumps(sketch))
    updates = []
    for name, arguments in CALLS:
        one, other = outcome(sketch, name, arguments), outcome(twin, name, arguments)
        assert one == other and sketch == twin, (name, arguments)
        updates += [one] * (name == "update")
    if hasattr(sketch, "update"):
        assert any(update == "None" or update.startswith("OverflowError") for update in updates), "a batch is taken"
    assert outcome(sketch, "merge", (before,)) == outcome(twin, "merge", (before,)) and sketch == twin


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cut_bytes_are_refused(path: pathlib.Path) -> None:
    data = path.read_bytes()
    for end in (0, 1, len(data) // 2, len(data) - 1):
        with pytest.raises(ValueError):
            crivo.from_bytes(data[:end])


def test_a_sketch_that_cannot_merge_says_so() -> None:
    one, other = crivo.ExaLogLog.for_error(0.01), crivo.HyperLogLog.for_error(0.01)
    with pytest.raises(ValueError, match="differ in kind"):
        one.merge(other)
    with pytest.raises(ValueError, match="seed"):
        one | crivo.ExaLogLog.for_error(0.01, seed=5)
    with pytest.raises(ValueError, match="nothing to merge"):
        crivo.merge([])


def test_merges_are_unions() -> None:
    one, other, both = (crivo.KMinValues.for_error(0.05) for _ in range(3))
    one.update(range(5000))
    other.update(range(4000, 9000))
    both.update(range(9000))
    assert one | other == both == crivo.merge([one, other.to_bytes()])
    one |= other
    assert one == both


def test_an_empty_sketch_takes_the_type_of_what_is_merged_into_it() -> None:
    words = crivo.MisraGries.for_error(0.01)
    words.update(["a", "b", "a"])
    empty = crivo.MisraGries.for_error(0.01)
    empty |= words
    assert empty == words
    numbers = crivo.MisraGries.for_error(0.01)
    numbers.update([1, 2])
    with pytest.raises(ValueError):
        numbers.merge(words)


def test_keyed_sketches() -> None:
    key = b"sixteen secrets!"
    keyed = crivo.BloomFilter.with_fpr(100, 0.01, key=key)
    keyed.add("x")
    with pytest.raises(TypeError, match="key is secret"):
        pickle.dumps(keyed)
    with pytest.raises(ValueError):
        crivo.from_bytes(keyed.to_bytes())
    assert "x" in crivo.from_bytes(keyed.to_bytes(), key=key)
    with pytest.raises(ValueError, match="16 bytes"):
        crivo.BloomFilter.with_fpr(100, 0.01, key=b"short")


def test_typed_values_and_texts_of_values_do_not_mix() -> None:
    typed, texts = crivo.BloomFilter.with_fpr(100, 0.01), crivo.BloomFilter.with_fpr(100, 0.01)
    typed.update([5, 6])
    texts.update([5, 6], text=True)
    for attempt in (
        lambda: typed | texts,
        lambda: typed.update([7], text=True),
        lambda: typed.add(7, text=True),
        lambda: texts.update([7], text=False),
        lambda: texts.add(7, text=False),
        lambda: texts.contains([7], text=False),
        lambda: typed.contains(["7"], text=True),
        lambda: crivo.merge([typed, texts]),
    ):
        before = typed.to_bytes(), texts.to_bytes()
        with pytest.raises(ValueError, match="text"):
            attempt()
        assert (typed.to_bytes(), texts.to_bytes()) == before
    # Without a choice, a sketch goes on as it began; texts are the same items in both.
    texts.update([7])
    assert 7 in texts and "7" in texts and "7" not in typed
    words = crivo.BloomFilter.with_fpr(100, 0.01)
    words.update(["a", None])
    assert "a" in (typed | words) and "a" in (texts | words)
    # A column without values leaves no mark.
    words.update([None])
    words.update([], text=False)
    assert "a" in (typed | words) and "a" in (texts | words)
