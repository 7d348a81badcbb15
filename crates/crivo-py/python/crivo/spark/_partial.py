"""What a task does: sketches of the groups of its rows, and merges of the sketches of a group."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import crivo

# Rows of a task that are grouped at once: enough that a group costs little, few enough to stay small.
_ROWS = 1 << 16
_BYTES = 64 << 20
# Rows, and about how many bytes, of a batch that leaves a task.
_SENT_ROWS = 4096
_SENT_BYTES = 16 << 20
# What Python itself takes for a group and for a sketch, as measured with a million groups.
_GROUP_BYTES = 512
_SKETCH_BYTES = 192
# The order in which the sketches of a group are merged: the number of the task and of the sketch in it.
PLACE = "crivo_place"

Row = tuple[Any, ...]

# The kinds that draw random choices: the same sketch with other choices.
_RESEEDED: dict[str, Callable[[Any, int], Any]] = {
    "kll": lambda empty, seed: crivo.Kll.for_k(empty.facts()["k"], seed),
    "req-sketch": lambda empty, seed: crivo.ReqSketch.for_k(empty.facts()["k"], empty.facts()["tail"] == "low", seed),
    "reservoir": lambda empty, seed: crivo.Reservoir(empty.facts()["k"], seed),
    "weighted-reservoir": lambda empty, seed: crivo.WeightedReservoir(empty.facts()["k"], seed),
    "var-opt": lambda empty, seed: crivo.VarOpt(empty.facts()["k"], seed),
    "datasketches-kll": lambda empty, seed: crivo.datasketches.Kll(empty.facts()["k"], values=empty.values, seed=seed),
}


def kind_of(sketch: Any) -> str:
    """The name of the kind, or of the format of a sketch of another library."""
    return str(sketch.format if isinstance(sketch, crivo.Foreign) else sketch.kind)


def _bytes_of(sketch: Any) -> int:
    return len(sketch.to_bytes()) if isinstance(sketch, crivo.Foreign) else int(sketch.memory_bytes())


def whole(parts: Iterable[bytes], read: Callable[[bytes], Any]) -> Any:
    """The sketch of all parts, of which there is at least one."""
    sketches = map(read, parts)
    merged = next(sketches)
    for sketch in sketches:
        merged.merge(sketch)
    return merged


@dataclass(frozen=True)
class Sketched:
    """An empty sketch, and the columns that it is made of."""

    empty: Any
    column: str
    weights: str | None
    text: bool

    def new(self, *place: int) -> Any:
        """An empty sketch. If it draws random choices, they are those of its place, which a task that runs again draws again."""
        reseed = _RESEEDED.get(kind_of(self.empty))
        if reseed is None:
            return self.empty.copy()
        seed = hashlib.blake2b(repr(place).encode(), digest_size=8).digest()
        return reseed(self.empty, int.from_bytes(seed, "little"))

    def update(self, sketch: Any, rows: pa.RecordBatch) -> Any:
        """Put rows into a sketch; returns it."""
        named: dict[str, Any] = {}
        if self.text and _takes_text(sketch):
            named["text"] = True
        if self.weights is not None:
            rows = rows.filter(pc.is_valid(rows.column(self.weights)))
            named["weights"] = rows.column(self.weights)
        sketch.update(rows.column(self.column), **named)
        return sketch

    def columns(self) -> list[str]:
        """The columns that it reads."""
        return [self.column] if self.weights is None else [self.column, self.weights]

    def reader(self) -> Callable[[bytes], Any]:
        """What reads the sketch from its bytes."""
        return self.empty.reader() if isinstance(self.empty, crivo.Foreign) else crivo.from_bytes


def _takes_text(sketch: Any) -> bool:
    return "text" in (getattr(type(sketch).update, "__text_signature__", None) or "")


@dataclass(frozen=True)
class Profiled:
    """The profile of all columns."""

    names: tuple[str, ...]
    error: float

    def new(self, *place: int) -> Any:
        """No profile yet: a profile has the columns of the first rows."""
        return None

    def update(self, sketch: Any, rows: pa.RecordBatch) -> Any:
        """Put rows into a profile; returns it."""
        table = pa.Table.from_batches([rows.select(self.names)])
        found = crivo.profile(table, error=self.error, progress=False)
        if sketch is None:
            return found
        sketch.merge(found)
        return sketch

    def columns(self) -> list[str]:
        """The columns that it reads."""
        return list(self.names)

    def reader(self) -> Callable[[bytes], Any]:
        """What reads the profile from its bytes."""
        return crivo.from_bytes


@dataclass
class _Group:
    sketches: list[Any]
    bytes: int = 0


@dataclass(frozen=True)
class Partials:
    """The first step of an aggregate: a task's rows become a sketch for each group and name."""

    made: tuple[Any, ...]
    names: tuple[str, ...]
    keys: tuple[str, ...]
    memory: int
    seed: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        task = context.partitionId() if context else 0
        return _Task(self, task).run(batches)


class _Task:
    """The groups of one task."""

    def __init__(self, plan: Partials, task: int) -> None:
        self._plan = plan
        self._task = task
        self._groups: dict[Row, _Group] = {}
        self._bytes = 0
        self._made = 0
        self._sent = 0
        self._schema: pa.Schema | None = None

    def run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for rows in pieces(batches):
            if self._schema is None:
                keys = [rows.schema.field(name) for name in self._plan.keys]
                own = [pa.field(PLACE, pa.int64())]
                sketches = [pa.field(name, pa.binary()) for name in self._plan.names]
                self._schema = pa.schema([*keys, *own, *sketches])
            for key, group in split(rows, self._plan.keys):
                self._take(key, group)
            if self._bytes > self._plan.memory:
                yield from self._spill()
        yield from self._send(self._groups)

    def _take(self, key: Row, rows: pa.RecordBatch) -> None:
        group = self._groups.get(key)
        if group is None:
            place = (self._plan.seed, self._task, self._made)
            group = self._groups[key] = _Group([made.new(*place, at) for at, made in enumerate(self._plan.made)])
            self._made += 1
        for at, made in enumerate(self._plan.made):
            group.sketches[at] = made.update(group.sketches[at], rows)
        now = _GROUP_BYTES + sum(_SKETCH_BYTES + _bytes_of(sketch) for sketch in group.sketches)
        self._bytes += now - group.bytes
        group.bytes = now

    def _spill(self) -> Iterator[pa.RecordBatch]:
        """Sends the smallest sketches on, until half of the memory is free: they cost the shuffle least."""
        by_size = sorted(self._groups, key=lambda key: self._groups[key].bytes)
        leaving: dict[Row, _Group] = {}
        for key in by_size:
            if self._bytes <= self._plan.memory // 2:
                break
            leaving[key] = self._groups.pop(key)
            self._bytes -= leaving[key].bytes
        yield from self._send(leaving)

    def _send(self, groups: dict[Row, _Group]) -> Iterator[pa.RecordBatch]:
        rows: list[Row] = []
        size = 0
        while groups:
            key, group = groups.popitem()
            data = [sketch.to_bytes() for sketch in group.sketches]
            rows.append((*key, self._task << 40 | self._sent, *data))
            self._sent += 1
            size += sum(map(len, data))
            if len(rows) == _SENT_ROWS or size > _SENT_BYTES or not groups:
                yield _batch(rows, self._schema)
                rows, size = [], 0


def pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows of several batches at once; none that are empty."""
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        if batch.num_rows:
            waiting.append(batch)
            rows += batch.num_rows
            size += batch.nbytes
        if rows >= _ROWS or size >= _BYTES:
            yield pa.concat_batches(waiting)
            waiting, rows, size = [], 0, 0
    if waiting:
        yield pa.concat_batches(waiting)


def split(rows: pa.RecordBatch, keys: Sequence[str]) -> Iterator[tuple[Row, pa.RecordBatch]]:
    """The rows of each group, in their order."""
    if not keys:
        yield (), rows
        return
    # A name that no column has.
    place = "place" + "_" * max(map(len, rows.schema.names))
    columns = {name: rows.column(name) for name in keys}
    numbered = pa.table({**columns, place: pa.array(range(rows.num_rows), pa.int32())})
    groups = numbered.group_by(list(keys), use_threads=False).aggregate([(place, "list")])
    places = groups[f"{place}_list"].combine_chunks()
    ordered = rows.take(places.flatten())
    ends = places.offsets.to_pylist()
    found = zip(*(groups[name].to_pylist() for name in keys), strict=True)
    for key, start, end in zip(found, ends, ends[1:], strict=False):
        yield key, ordered.slice(start, end - start)


def _batch(rows: Sequence[Row], schema: pa.Schema | None) -> pa.RecordBatch:
    assert schema is not None
    columns = [pa.array(column, field.type) for column, field in zip(zip(*rows, strict=True), schema, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


@dataclass(frozen=True)
class Merged:
    """A later step: the sketches of each group, which arrive one after the other, become one."""

    names: tuple[str, ...]
    keys: tuple[str, ...]
    readers: tuple[Callable[[bytes], Any], ...]
    estimated: tuple[str, ...] = ()
    keeps_place: bool = False

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        schema: pa.Schema | None = None
        key: Row | None = None
        place = 0
        whole: list[Any] = []
        rows: list[Row] = []
        size = 0
        for batch in batches:
            schema = schema or self._schema(batch.schema)
            theirs = [batch.column(name).to_pylist() for name in (*self.keys, PLACE, *self.names)]
            for row in zip(*theirs, strict=True):
                parts = [read(data) for read, data in zip(self.readers, row[len(self.keys) + 1 :], strict=True)]
                if key is None or not _is_same(key, row):
                    if key is not None:
                        rows.append(self._row(key, place, whole))
                        size += sum(len(cell) for cell in rows[-1] if isinstance(cell, bytes))
                    if len(rows) == _SENT_ROWS or size > _SENT_BYTES:
                        yield _batch(rows, schema)
                        rows, size = [], 0
                    key, place, whole = row[: len(self.keys)], row[len(self.keys)], parts
                    continue
                for sketch, part in zip(whole, parts, strict=True):
                    sketch.merge(part)
        if key is not None:
            rows.append(self._row(key, place, whole))
        if rows:
            yield _batch(rows, schema)

    def _schema(self, found: pa.Schema) -> pa.Schema:
        fields = [found.field(name) for name in self.keys]
        if self.keeps_place:
            fields.append(found.field(PLACE))
        for name in self.names:
            fields.append(pa.field(name, pa.binary()))
            if name in self.estimated:
                fields += [pa.field(f"{name}_{part}", pa.float64()) for part in ("value", "lower", "upper")]
        return pa.schema(fields)

    def _row(self, key: Row, place: int, whole: list[Any]) -> Row:
        row: list[Any] = [*key, place] if self.keeps_place else [*key]
        for name, sketch in zip(self.names, whole, strict=True):
            row.append(sketch.to_bytes())
            if name in self.estimated:
                answer = sketch.estimate()
                row += [answer.value, answer.lower, answer.upper]
        return tuple(row)


def _is_same(key: Row, row: Row) -> bool:
    """Whether a row belongs to the group. NaN is a group, as in Spark."""
    return all(one == other or (one != one and other != other) for one, other in zip(key, row, strict=False))
