"""Sketches of the windows of a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import functions as F
from pyspark.sql import types as T

from . import _ship
from ._aggregate import MEMORY, column_of, keys_of, partial, quoted, sketched
from ._partial import PLACE, whole

# The column of the result.
END = "window_end"
_MILLIS = "crivo_millis"


@dataclass(frozen=True)
class _Window:
    """Merges what arrives for a window into its state, and sends it on when the watermark has passed its end."""

    names: tuple[str, ...]
    keys: tuple[str, ...]
    readers: tuple[Callable[[bytes], Any], ...]

    def __call__(self, key: tuple[Any, ...], frames: Iterable[Any], state: Any) -> Iterator[Any]:
        import pandas as pd

        if state.hasTimedOut:
            done = [bytes(data) for data in state.get]
            state.remove()
            yield pd.DataFrame([[*key[:-1], *done]], columns=[*self.keys, *self.names])
            return
        if key[-1] <= state.getCurrentWatermarkMs():
            # The window was sent on, and these rows are later than promised.
            return
        parts: list[list[bytes]] = [[bytes(data)] for data in state.get] if state.exists else [[] for _ in self.names]
        for frame in frames:
            for at, name in enumerate(self.names):
                parts[at] += map(bytes, frame[name])
        state.update(tuple(whole(of, read).to_bytes() for of, read in zip(parts, self.readers, strict=True)))
        state.setTimeoutTimestamp(int(key[-1]))


def windows(
    df: Any,
    sketches: Mapping[str, tuple[Any, ...]],
    at: str,
    window: str,
    late: str,
    by: str | Sequence[str] = (),
    *,
    text: bool = False,
    memory: int = MEMORY,
) -> Any:
    """Sketch the windows of a stream; each is sent on when rows may no longer be late for it.

    The state of a window is its sketches. Rows are not shuffled: each task of a micro-batch sends its sketches of each window. The workers
    need pandas.

    Parameters
    ----------
    df : DataFrame
        A stream.
    sketches : dict
        As in ``aggregate``.
    at : str
        The column of the times of the rows.
    window : str
        The length of a window, such as ``'1 hour'``.
    late : str
        How far the time of a row may lie behind the newest one, such as ``'10 minutes'``. Such rows are counted; those beyond it may not be.
    by : str or list of str, optional
        The columns of groups in a window.
    text, memory : optional
        As in ``aggregate``.

    Returns
    -------
    DataFrame
        A stream, for the output mode ``append``: a row for each window and group with ``window_end``, the columns ``by`` and the sketches.
    """
    if not df.isStreaming:
        raise TypeError("df is not a stream; group a table by its windows, with aggregate(df, ..., by=[...])")
    if not isinstance(df.schema[column_of(df, at)].dataType, T.TimestampType):
        raise TypeError(f"column '{at}' is of type {df.schema[at].dataType.simpleString()}; expected timestamps")
    df = df.withColumn(END, F.window(quoted(at), window).end)
    keys = keys_of(df, (END, *((by,) if isinstance(by, str) else by)))
    made = sketched(df, sketches, text)
    parts = partial(df, made, keys, memory).drop(PLACE).withColumn(_MILLIS, F.unix_millis(END))
    result = T.StructType([df.schema[name] for name in keys])
    state = T.StructType()
    for name in made:
        result.add(name, T.BinaryType())
        state.add(name, T.BinaryType())
    # The ends of windows lie ahead of their rows, by the length of a window at most.
    grouped = parts.withWatermark(END, f"{window} {late}").groupBy(*map(quoted, keys), _MILLIS)
    work = _ship.stateful(_Window(tuple(made), keys, tuple(it.reader() for it in made.values())))
    return grouped.applyInPandasWithState(work, result, state, "append", "EventTimeTimeout")
