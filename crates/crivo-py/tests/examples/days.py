"""Distinct users of several days, with types that a checker knows."""

from __future__ import annotations

import crivo


def users_of(days: list[list[str | None]]) -> crivo.Estimate:
    """The number of different users of all days."""
    sketches: list[crivo.ExaLogLog] = []
    for day in days:
        sketch = crivo.ExaLogLog.for_error(0.01)
        sketch.update(day)
        sketches.append(sketch)
    week = sketches[0].copy()
    for sketch in sketches[1:]:
        week |= sketch
    assert week == merged(sketches)
    return week.estimate()


def merged(days: list[crivo.ExaLogLog]) -> crivo.ExaLogLog:
    """The sketch of all days, in the class of each of them."""
    return crivo.merge(days)


def is_known(known: crivo.BloomFilter, user: str) -> bool:
    """Whether a user may be known."""
    return user in known


def slowest(times: list[float]) -> float:
    """The time that 99 of 100 requests do not exceed, at most."""
    return float(crivo.LogQuantiles.of(times).quantile(0.99).upper)


answer = users_of([["ada", "grace", None], ["ada"]])
assert answer.value == 2 and not answer.lower > 2
assert float(crivo.Kll.of([1.0, 2.0, 3.0]).quantile(0.5)) == 2.0
assert slowest([1.0, 2.0, 3.0]) <= 3.1
seen = crivo.BloomFilter.with_fpr(100, 0.01)
seen.add("ada")
assert is_known(seen, "ada")
top: list[object] = crivo.MisraGries.of(["a", "b", "a"]).top(1)["item"]
assert top == ["a"]


def shared(users: list[str]) -> bytes:
    """A sketch that Spark and others merge."""
    return crivo.datasketches.Theta.of(users, lg_k=12).to_bytes()


both = crivo.datasketches.Theta.from_bytes(shared(["ada"])) | crivo.datasketches.Theta.of(["grace"])
found: crivo.Foreign = crivo.read_foreign(both.to_bytes())
assert found.estimate().value == 2
