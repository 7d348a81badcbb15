"""Sketches of the columns of a DataFrame, in one scan."""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.pandas.types import to_arrow_type

import crivo

from . import _ship
from ._partial import PLACE, Merged, Partials, Profiled, Sketched, kind_of

# The memory that the sketches of the groups of one task may take, by default.
MEMORY = 256 << 20

_LAWS = dict(zip(crivo.kinds()["name"], crivo.kinds()["merge"], strict=True))


def aggregate(
    df: Any,
    sketches: Mapping[str, tuple[Any, ...]],
    by: str | Sequence[str] = (),
    *,
    text: bool = False,
    estimates: bool = False,
    memory: int = MEMORY,
) -> Any:
    """Sketch columns of a DataFrame, all in one scan.

    Each task makes sketches of its own rows, one for each group, and only sketches are shuffled. A task that is run again makes the same
    sketches again.

    Parameters
    ----------
    df : DataFrame
        The rows.
    sketches : dict
        By the name of a column of the result: the name of a column and an empty sketch of the kind and size that is wanted,
        such as ``("user", crivo.ExaLogLog.for_error(0.01))``. A third element is the column of weights. A sketch of ``crivo.datasketches``
        gives bytes that Spark's own functions merge.
    by : str or list of str, optional
        The columns of the groups; by default all rows are one group. A missing value is a group, as in ``groupBy``.
    text : bool, optional
        Hash the texts of values, as the command does. Then the sketch equals the command's of the same values.
    estimates : bool, optional
        Add the columns ``…_value``, ``…_lower`` and ``…_upper`` for each counter of distinct items.
    memory : int, optional
        The bytes that the sketches of a task may take. Beyond it, the smallest go to the shuffle early.

    Returns
    -------
    DataFrame
        A row for each group: the columns ``by``, and a column of bytes for each sketch, which ``crivo.from_bytes`` and
        ``crivo.merge`` read. Without ``by`` it has one row, even if ``df`` has none.
    """
    keys = keys_of(df, by)
    made = sketched(df, sketches, text)
    estimated = tuple(name for name, it in made.items() if estimates and _counts_distinct(it.empty))
    if estimates and not estimated:
        raise ValueError("no sketch of these counts distinct items; leave estimates out, and ask them in SQL")
    return merged(df, made, keys, estimated, memory)


def merged(
    df: Any, made: Mapping[str, Sketched | Profiled], keys: tuple[str, ...], estimated: tuple[str, ...], memory: int
) -> Any:
    """The sketches of each group."""
    names, readers = tuple(made), tuple(it.reader() for it in made.values())
    results = [*names, *(f"{name}_{part}" for name in estimated for part in ("value", "lower", "upper"))]
    for name in results:
        if name in keys or results.count(name) > 1:
            raise ValueError(f"two columns of the result are named '{name}'; give the sketch another name")
    parts = partial(df, made, keys, memory)
    result = T.StructType([parts.schema[name] for name in keys])
    for name in names:
        result.add(name, T.BinaryType())
        if name in estimated:
            for part in ("value", "lower", "upper"):
                result.add(f"{name}_{part}", T.DoubleType())
    if keys:
        # Spark chooses the number of partitions by the size of the sketches.
        gathered = parts.repartition(*map(quoted, keys)).sortWithinPartitions(*map(quoted, (*keys, PLACE)))
        return gathered.mapInArrow(_ship.batches(Merged(names, keys, readers, estimated)), result)
    # One group is merged by a tree, so that no task reads the sketches of all.
    branch = _ship.batches(Merged(names, keys, readers, keeps_place=True))
    branches = parts.repartition(PLACE).sortWithinPartitions(PLACE).mapInArrow(branch, parts.schema)
    # The sketch of no rows: there may be none at all.
    none = [F.lit(bytearray(_empty(it, df))).alias(name) for name, it in made.items()]
    nothing = df.sparkSession.range(1).select(F.lit(-1).cast("long").alias(PLACE), *none)
    gathered = branches.unionByName(nothing).repartition(1).sortWithinPartitions(PLACE)
    return gathered.mapInArrow(_ship.batches(Merged(names, keys, readers, estimated)), result)


def partial(df: Any, made: Mapping[str, Sketched | Profiled], keys: tuple[str, ...], memory: int) -> Any:
    """The sketches of the groups of each task."""
    if memory <= 0:
        raise ValueError(f"memory must be a positive number of bytes, but is {memory}")
    work = Partials(tuple(made.values()), tuple(made), keys, memory, secrets.randbits(64))
    columns = dict.fromkeys([*keys, *(column for it in made.values() for column in it.columns())])
    rows = df.select(*(_group_key(df, name) if name in keys else quoted(name) for name in columns))
    schema = T.StructType([rows.schema[name] for name in keys]).add(PLACE, T.LongType())
    for name in made:
        schema.add(name, T.BinaryType())
    return rows.mapInArrow(_ship.batches(work), schema)


def _empty(made: Sketched | Profiled, df: Any) -> bytes:
    """The bytes of the sketch of no rows."""
    if isinstance(made, Sketched):
        no_rows: bytes = made.new(secrets.randbits(64)).to_bytes()
        return no_rows
    schema = pa.schema([(name, _arrow_type(df, name)) for name in made.names])
    profile: bytes = crivo.profile(schema.empty_table(), error=made.error, progress=False).to_bytes()
    return profile


def quoted(name: str) -> Any:
    """A column by its exact name, which may contain dots."""
    return F.col("`" + name.replace("`", "``") + "`")


def column_of(df: Any, name: Any) -> str:
    """The name of a column that exists."""
    if not isinstance(name, str):
        raise TypeError(f"a column is given by its name, but found {name!r}; select the expression as a column first")
    if name not in df.columns:
        close = difflib.get_close_matches(name, df.columns, 3) or df.columns
        raise ValueError(f"there is no column '{name}'; did you mean {', '.join(close)}?")
    if df.columns.count(name) > 1:
        raise ValueError(f"two columns are named '{name}'; rename one of them")
    return name


def keys_of(df: Any, by: str | Sequence[str]) -> tuple[str, ...]:
    """The columns of groups."""
    keys = (by,) if isinstance(by, str) else tuple(by)
    for name in keys:
        kind = df.schema[column_of(df, name)].dataType
        if isinstance(kind, (T.ArrayType, T.MapType, T.StructType, T.VariantType, T.NullType)):
            raise TypeError(f"column '{name}' is of type {kind.simpleString()}, which has no groups; select a part of it")
        if isinstance(kind, T.StringType) and getattr(kind, "collation", "UTF8_BINARY") != "UTF8_BINARY":
            raise TypeError(f"column '{name}' has a collation; group by a column of plain strings")
    if len(set(keys)) < len(keys):
        raise ValueError(f"a column is in by twice: {', '.join(keys)}; name each once")
    return keys


def _group_key(df: Any, name: str) -> Any:
    """A column of groups, in which 0 and −0 are one value, as in Spark's groups."""
    kind = df.schema[name].dataType
    if isinstance(kind, (T.FloatType, T.DoubleType)):
        return (quoted(name) + F.lit(0.0)).cast(kind).alias(name)
    return quoted(name)


def _arrow_type(df: Any, name: str) -> Any:
    """The type that a task gets a column in."""
    kind = df.schema[name].dataType
    if isinstance(kind, T.TimestampType):
        return pa.timestamp("us", "UTC")
    if isinstance(kind, (T.ArrayType, T.MapType, T.StructType)):
        # No sketch takes them, whatever is in them.
        return pa.list_(pa.null())
    return to_arrow_type(kind)


def sketched(df: Any, sketches: Mapping[str, tuple[Any, ...]], text: bool) -> dict[str, Sketched]:
    """The sketches that are wanted, or why they cannot be made."""
    if not isinstance(sketches, Mapping) or not sketches:
        raise TypeError(f"sketches must be a dict that names at least one sketch, but is {sketches!r}")
    return {name: _sketched(df, name, wanted, text) for name, wanted in sketches.items()}


def _sketched(df: Any, name: str, wanted: Any, text: bool) -> Sketched:
    """What a sketch is made of, or why it cannot be made."""
    if not isinstance(wanted, tuple) or len(wanted) not in (2, 3) or not isinstance(wanted[1], crivo.Sketch | crivo.Foreign):
        raise TypeError(
            f"'{name}' must be a column and an empty sketch, as in ('user', crivo.ExaLogLog.for_error(0.01)), "
            f"but is {wanted!r}"
        )
    column, sketch = column_of(df, wanted[0]), wanted[1]
    weights = column_of(df, wanted[2]) if len(wanted) == 3 else None
    kind = kind_of(sketch)
    if isinstance(sketch, crivo.Foreign):
        if text:
            raise TypeError(f"'{name}': a {kind} hashes values as its library does, not their texts; leave text out")
    elif _LAWS[kind] is None or not hasattr(sketch, "update"):
        raise TypeError(f"'{name}': a {kind} cannot be made from parts; take a kind that takes batches and merges")
    if _has_items(sketch):
        raise ValueError(f"'{name}': the sketch has items, which every task would count; give an empty one")
    made = Sketched(sketch.copy(), column, weights, text)
    try:
        # Without values: only the type is judged, and a sketch of texts is marked.
        nothing = {it: pa.nulls(1, _arrow_type(df, it)) for it in dict.fromkeys(made.columns())}
        made.update(made.empty, pa.RecordBatch.from_pydict(nothing))
    except (TypeError, ValueError) as error:
        found = df.schema[column].dataType.simpleString()
        raise TypeError(f"'{name}': a {kind} cannot take column '{column}' of type {found}: {error}") from None
    return made


def _counts_distinct(sketch: Any) -> bool:
    if isinstance(sketch, crivo.Foreign):
        return bool(_answers(sketch.estimate))
    return hasattr(sketch, "estimate")


def _answers(ask: Callable[[], Any]) -> list[Any]:
    """The answer of a sketch of another library, if it has this one."""
    try:
        return [ask()]
    except TypeError:
        return []


def _has_items(sketch: Any) -> bool:
    if isinstance(sketch, crivo.Foreign):
        asked = (lambda: sketch.estimate().value, sketch.total, sketch.fpr)
        return any(answer > 0 for ask in asked for answer in _answers(ask))
    if hasattr(sketch, "clear"):
        cleared = sketch.copy()
        cleared.clear()
        return bool(cleared != sketch)
    return bool(hasattr(sketch, "total") and sketch.total())
