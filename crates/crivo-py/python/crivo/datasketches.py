"""Sketches of Apache DataSketches, which Spark, Druid, Trino, Iceberg and others read, write and merge.

>>> from crivo.datasketches import Theta
>>> users = Theta.of(["ada", "grace", "ada"], lg_k=12)
>>> print(int(users.estimate()), len(users.to_bytes()))
2 32
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Self

from ._crivo import Estimate, MisraGries, _Foreign
from .foreign import Foreign

if TYPE_CHECKING:
    from ._crivo import Batch

__all__ = ["Bloom", "CountMin", "FrequentItems", "Hll", "Kll", "TDigest", "Theta"]

_SEED = 9001


class Theta(Foreign):
    """A theta sketch: how many distinct items, also of unions, intersections and differences. Threads may share it.

    Parameters
    ----------
    lg_k : int, optional
        The logarithm to base 2 of the number of hashes that it keeps at least, 5 to 26; 12 gives an error of about 3 % (95 %).
    seed : int, optional
        The seed of the hashes. Sketches with different seeds do not combine, and other programs use the default.
    """

    __slots__ = ()
    _FORMAT = "datasketches-theta"

    def __init__(self, lg_k: int = 12, *, seed: int = _SEED) -> None:
        self._sketch = _Foreign.theta(lg_k, seed)

    @classmethod
    def of(cls, x: Batch, lg_k: int = 12, *, seed: int = _SEED) -> Self:
        """A sketch of a batch of items, made and updated in one call.

        Parameters
        ----------
        x : iterable or array
            The items. Missing values are left out.
        lg_k, seed : int, optional
            As of the class.
        """
        made = cls(lg_k, seed=seed)
        made.update(x)
        return made

    @classmethod
    def from_bytes(cls, data: bytes, *, seed: int | None = None) -> Self:
        """Read a sketch from its bytes.

        Parameters
        ----------
        data : bytes
            What another library has written: a compact sketch.
        seed : int, optional
            The seed that it was made with, if it is another than the default.
        """
        return cls._read(data, seed=seed)

    def intersection(self, other: Theta) -> Theta:
        """The sketch of the items of both.

        Parameters
        ----------
        other : Theta
            A sketch with the same seed.
        """
        return self._of(self._sketch.intersection(other._sketch))

    def __and__(self, other: Theta) -> Theta:
        return self.intersection(other)

    def difference(self, other: Theta) -> Theta:
        """The sketch of the items of this one that the other does not have.

        Parameters
        ----------
        other : Theta
            A sketch with the same seed.
        """
        return self._of(self._sketch.difference(other._sketch))

    def jaccard(self, other: Theta) -> Estimate:
        """The Jaccard similarity: the share of the common items among all.

        Parameters
        ----------
        other : Theta
            A sketch with the same seed.
        """
        return self._sketch.similarity(other._sketch)


class Hll(Foreign):
    """A HyperLogLog sketch: how many distinct items, in the fewest bytes that other engines merge. Threads may share it.

    Parameters
    ----------
    lg_k : int, optional
        The logarithm to base 2 of the number of registers, 4 to 21; 12 gives an error of about 3 % (95 %).
    bits : {4, 6, 8}, optional
        The width of a register in the bytes. The answers do not depend on it.
    """

    __slots__ = ()
    _FORMAT = "datasketches-hll"

    def __init__(self, lg_k: int = 12, *, bits: int = 4) -> None:
        self._sketch = _Foreign.hll(lg_k, bits)

    @classmethod
    def of(cls, x: Batch, lg_k: int = 12, *, bits: int = 4) -> Self:
        """A sketch of a batch of items, made and updated in one call.

        Parameters
        ----------
        x : iterable or array
            The items. Missing values are left out.
        lg_k, bits : int, optional
            As of the class.
        """
        made = cls(lg_k, bits=bits)
        made.update(x)
        return made


class Kll(Foreign):
    """A KLL sketch: which value has a rank, with proven intervals. Threads may share it.

    Parameters
    ----------
    k : int, optional
        The number of values of the highest level, 8 to 65535; 200 gives an error of the rank of about 1.7 % of all values.
    values : {'float64', 'float32', 'int64', 'str'}, optional
        The type of the values. The bytes do not name it, so a reader has to know it.
    seed : int, optional
        The seed of the random choices; by default a random one. Sketches that are merged must have different seeds.
    """

    __slots__ = ()
    _FORMAT = "datasketches-kll"

    def __init__(self, k: int = 200, *, values: str = "float64", seed: int | None = None) -> None:
        self._sketch = _Foreign.kll(k, values, secrets.randbits(64) if seed is None else seed)

    @classmethod
    def of(cls, x: Batch, k: int = 200, *, values: str = "float64", seed: int | None = None) -> Self:
        """A sketch of a batch of values, made and updated in one call.

        Parameters
        ----------
        x : iterable or array
            The values. Missing values are left out.
        k, values, seed : optional
            As of the class.
        """
        made = cls(k, values=values, seed=seed)
        made.update(x)
        return made

    @classmethod
    def from_bytes(cls, data: bytes, *, values: str | None = None) -> Self:
        """Read a sketch from its bytes.

        Parameters
        ----------
        data : bytes
            What another library has written: a compact sketch.
        values : {'float32', 'float64', 'int64', 'str'}, optional
            The type of the values. By default it is guessed, as the guide says.
        """
        return cls._read(data, values)

    @property
    def values(self) -> str:
        """The type of the values, such as ``'float64'``."""
        return str(self._sketch.parts()[1])


class FrequentItems(Foreign):
    """A sketch of frequent items: which items occur most, with certain bounds. Threads may share it.

    Parameters
    ----------
    sketch : MisraGries
        A sketch of texts or of integers, whose items and bounds it takes over. It takes no items itself.
    """

    __slots__ = ()
    _FORMAT = "datasketches-frequent-items"

    def __init__(self, sketch: MisraGries) -> None:
        self._sketch = _Foreign.frequent(sketch)

    @classmethod
    def from_bytes(cls, data: bytes, *, values: str | None = None) -> Self:
        """Read a sketch from its bytes.

        Parameters
        ----------
        data : bytes
            What another library has written.
        values : {'int64', 'str'}, optional
            The type of the items, which the bytes do not name. By default it is guessed, as the guide says.
        """
        return cls._read(data, None if values is None else f"frequent {values}")


class TDigest(Foreign):
    """A t-digest: which value has a rank. Its errors are small for values in no particular order, and unlimited for others.

    Threads may share it.

    Parameters
    ----------
    k : int, optional
        About the number of means that it keeps, at least 10.
    """

    __slots__ = ()
    _FORMAT = "datasketches-tdigest"

    def __init__(self, k: int = 200) -> None:
        self._sketch = _Foreign.t_digest(k)

    @classmethod
    def of(cls, x: Batch, k: int = 200) -> Self:
        """A digest of a batch of values, made and updated in one call.

        Parameters
        ----------
        x : iterable or array
            The values. Missing values are left out.
        k : int, optional
            As of the class.
        """
        made = cls(k)
        made.update(x)
        return made


class CountMin(Foreign):
    """A Count-Min sketch: how often an item occurs. Threads may share it.

    Parameters
    ----------
    rows : int, optional
        The number of rows, each with a hash of its own.
    width : int, optional
        The number of counters in a row, at least 3.
    """

    __slots__ = ()
    _FORMAT = "datasketches-count-min"
    _COUNTS = True

    def __init__(self, rows: int = 5, width: int = 2719) -> None:
        self._sketch = _Foreign.count_min(rows, width)

    @classmethod
    def of(cls, x: Batch, weights: Batch | None = None, *, rows: int = 5, width: int = 2719) -> Self:
        """A sketch of a batch of items, made and updated in one call.

        Parameters
        ----------
        x : iterable or array
            The items. Missing values are left out.
        weights : iterable or array, optional
            How often each item occurs.
        rows, width : int, optional
            As of the class.
        """
        made = cls(rows, width)
        made.update(x, weights)
        return made


class Bloom(Foreign):
    """A Bloom filter: is an item there? Threads may share it.

    Parameters
    ----------
    bits : int
        The number of bits.
    hashes : int
        The number of hashes of an item.
    seed : int, optional
        The seed of the hashes. Filters that are merged need equal seeds, sizes and numbers of hashes.
    """

    __slots__ = ()
    _FORMAT = "datasketches-bloom"

    def __init__(self, bits: int, hashes: int, *, seed: int = _SEED) -> None:
        self._sketch = _Foreign.bloom(bits, hashes, seed)
