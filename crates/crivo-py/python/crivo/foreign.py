"""Sketches that other libraries and databases write: Apache DataSketches, Redis, PostgreSQL and Spark.

``crivo.read_foreign`` reads them; ``crivo.datasketches`` also makes those of DataSketches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ._crivo import Estimate, QuantileEstimate, Table, _Foreign

if TYPE_CHECKING:
    from ._crivo import Batch, Item, Path

__all__ = ["Foreign", "read"]


class Foreign:
    """A sketch of another library.

    Every format answers some questions, and refuses the others with a ``TypeError``. Items are hashed as the other library hashes them:
    integers as 64 bits, texts as UTF-8. An empty text is no item.

    Notes
    -----
    Threads may share it: each call waits for the one before, and batches run without the interpreter lock. ``pickle`` and ``copy`` use its
    bytes. Sketches of other libraries and those of Crivo do not merge.
    """

    __slots__ = ("_sketch",)
    __hash__ = None  # type: ignore[assignment]

    _CLASSES: ClassVar[dict[str, type[Foreign]]] = {}
    _FORMAT: ClassVar[str] = ""
    # Whether items have weights.
    _COUNTS: ClassVar[bool] = False

    _sketch: _Foreign

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        Foreign._CLASSES[cls._FORMAT] = cls

    def __init__(self) -> None:
        raise TypeError("a sketch of another library is read with crivo.read_foreign, or made by a class of crivo.datasketches")

    @classmethod
    def _of(cls, sketch: _Foreign) -> Self:
        made = object.__new__(cls)
        made._sketch = sketch
        return made

    @classmethod
    def _read(cls, data: bytes, values: str | None = None, lg_k: int | None = None, seed: int | None = None) -> Self:
        found = _Foreign.read(data, values, lg_k, seed)
        if cls._FORMAT not in ("", found.format):
            raise ValueError(f"the bytes are a {found.format}, expected a {cls._FORMAT}; read them with crivo.read_foreign")
        return cls._of(found)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a sketch of this class from its bytes.

        Parameters
        ----------
        data : bytes
            What the other library has written.
        """
        return cls._read(data)

    def reader(self) -> Callable[[bytes], Self]:
        """What reads sketches like this one from their bytes, which do not say everything: the type of values, k and the seed."""
        _, values, lg_k, seed = self._sketch.parts()
        return partial(type(self)._read, values=values, lg_k=lg_k, seed=seed)

    @property
    def format(self) -> str:
        """The name of the format, such as ``'datasketches-theta'``."""
        return self._sketch.format

    def to_bytes(self) -> bytes:
        """The bytes that the other library reads."""
        return self._sketch.to_bytes()

    def save(self, path: Path) -> None:
        """Write the bytes to a file, which appears complete or not at all.

        Parameters
        ----------
        path : path
            The file.
        """
        self._sketch.save(path)

    def facts(self) -> dict[str, Any]:
        """The parameters and the state as a few named values, as ``crivo info`` prints them."""
        return self._sketch.facts()

    def copy(self) -> Self:
        """An independent copy."""
        return self._of(self._sketch.copy())

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, _memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return type(self)._read, self._sketch.parts()

    def __bytes__(self) -> bytes:
        return self.to_bytes()

    def __eq__(self, other: object) -> bool:
        # Whether a theta sketch still remembers its k makes no difference.
        return isinstance(other, Foreign) and self._sketch.parts()[:2] == other._sketch.parts()[:2]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._sketch.shown()}>"

    def add(self, item: Item, count: int = 1) -> None:
        """Put one item in.

        Parameters
        ----------
        item : str, bytes, int or float
            The item.
        count : int, optional
            How often it occurs, for sketches that count occurrences.
        """
        self._check_counts(count == 1)
        self._sketch.add(item, count)

    def update(self, x: Batch, weights: Batch | None = None) -> None:
        """Put many items in.

        Parameters
        ----------
        x : iterable or array
            The items. Missing values are left out.
        weights : iterable or array, optional
            How often each item occurs, for sketches that count occurrences.
        """
        self._check_counts(weights is None)
        self._sketch.update(x, weights)

    def _check_counts(self, is_once: bool) -> None:
        if not is_once and not self._COUNTS:
            raise TypeError(f"a {self.format} does not count how often an item occurs; put each in once, without a count or weights")

    def merge(self, other: Self) -> None:
        """Merge another sketch into this one, which becomes the sketch of both streams.

        Parameters
        ----------
        other : Foreign
            A sketch of the same format.

        Raises
        ------
        ValueError
            If format, type of values, size or seed differ. Nothing has changed then.
        """
        self._sketch.merge(other._sketch)

    def __or__(self, other: Self) -> Self:
        both = self.copy()
        both.merge(other)
        return both

    def __ior__(self, other: Self) -> Self:
        self.merge(other)
        return self

    def estimate(self, confidence: float = 0.95) -> Estimate:
        """The number of distinct items.

        Parameters
        ----------
        confidence : float, optional
            The probability that the interval contains the true number.
        """
        return self._sketch.estimate(confidence)

    def total(self) -> int:
        """The number of all values or occurrences."""
        return self._sketch.total()

    def quantile(self, q: float) -> QuantileEstimate:
        """The value of a rank.

        Parameters
        ----------
        q : float
            The rank as a share of all values, from 0 to 1.
        """
        return self._sketch.quantile(q)

    def quantiles(self, qs: Sequence[float]) -> Table:
        """The values of several ranks.

        Parameters
        ----------
        qs : list of float
            The ranks as shares of all values, from 0 to 1.

        Returns
        -------
        Table
            The columns ``q``, ``value``, ``lower``, ``upper`` and ``guarantee``.
        """
        return self._sketch.quantiles(qs)

    def rank(self, value: Item) -> Estimate:
        """The number of values that are at most this one.

        Parameters
        ----------
        value : int, float or str
            The value.
        """
        return self._sketch.rank(value)

    def frequency(self, item: Item) -> Estimate:
        """How often an item occurred.

        Parameters
        ----------
        item : str, bytes or int
            The item.
        """
        return self._sketch.frequency(item)

    def top(self, most: int = 10) -> Table:
        """The most frequent items. No other item occurred more often than ``facts()["error"]``.

        Parameters
        ----------
        most : int, optional
            How many items to return.

        Returns
        -------
        Table
            The columns ``item``, ``count``, ``lower`` and ``upper``.
        """
        return self._sketch.top(most)

    def contains(self, x: Batch) -> Any:
        """Which items may have been inserted. The others were not.

        Parameters
        ----------
        x : iterable or array
            The items. A missing value is not in the filter.

        Returns
        -------
        numpy array of bool, or list without numpy
        """
        return self._sketch.contains(x)

    def __contains__(self, item: object) -> bool:
        return self._sketch.has(item)

    def fpr(self) -> float:
        """The false-positive rate of a filter, from its fill."""
        return self._sketch.fpr()


def read(data: bytes, *, values: str | None = None) -> Foreign:
    """Read a sketch of another library, recognised by its bytes.

    Parameters
    ----------
    data : bytes
        What Apache DataSketches, Spark, Redis or PostgreSQL has written.
    values : {'float32', 'float64', 'int64', 'str'}, optional
        The type of the values of a KLL sketch, which its bytes do not name. By default it is guessed, as the guide says.

    Returns
    -------
    Foreign
        An object of the class of ``crivo.datasketches`` that the format has, if it has one.
    """
    found = _Foreign.read(data, values)
    return Foreign._CLASSES.get(found.format, Foreign)._of(found)
