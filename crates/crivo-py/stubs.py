"""Writes the type stubs from the module itself: python stubs.py, or python stubs.py --check to compare them.

The module knows its classes, methods and parameters; the tables below know the types, by name. A name without a type
is an error, so that a new method gets one.
"""

from __future__ import annotations

import inspect
import pathlib
import sys

import crivo
from crivo import _crivo

FOLDER = pathlib.Path(__file__).parent / "python" / "crivo"

PARAMETERS = {
    "bits": "int", "by": "str", "chars": "int | None", "columns": "list[tuple[str, list[object]]]",
    "confidence": "float", "count": "int", "counters": "int", "data": "bytes", "delta": "float",
    "directed": "bool", "distance": "int", "edges": "int", "epsilon": "float", "error": "float",
    "fingerprint": "int", "fingerprints": "int", "fpr": "float", "guarantee": "str", "id": "int", "item": "Item",
    "items": "int", "k": "int", "key": "bytes | None", "keys": "Batch", "like": "Sketch", "low": "bool", "lower": "float",
    "most": "int", "name": "str", "has": "Callable[[Any], object]", "older": "TableProfile", "one": "Item", "path": "Path", "q": "float",
    "qs": "Sequence[float]", "rate": "float", "recall": "float", "requested_schema": "object",
    "seed": "int | None", "signature": "Sketch", "sketch": "Sketch",
    "sketches": "Iterable[Sketch | bytes] | ArrowArray | ArrowStream", "slots": "int", "text": "bool",
    "texts": "Batch", "generations": "int", "largest": "int", "limit": "int", "time": "int", "window": "int", "threshold": "float", "title": "str | None", "upper": "float", "value": "float",
    "value_bits": "int", "values": "Batch", "weight": "float", "weights": "Batch | None", "words": "int | None",
    "x": "Batch", "column": "str",
    "bases": "str | bytes", "degrees": "Batch", "factor": "float", "far": "float", "floor": "float", "fnr": "float",
    "index": "int", "logarithmic": "bool", "near": "float", "number": "int", "parents": "Batch", "sequence": "str | bytes",
    "hashes": "int", "lg_k": "int | None", "rows": "int", "width": "int",
    "share": "float", "sides": "Batch", "steps": "int", "universe": "int", "vertex": "int", "vertices": "int",
}  # fmt: skip

# By class and name, or by name alone.
EXCEPTIONS = {
    "Estimate.__new__.text": "str", "shingles.text": "str", "Kll.add.value": "Item", "Kll.rank.value": "Item",
    "ReqSketch.add.value": "Item", "ReqSketch.rank.value": "Item",
    "QuantileEstimate.__new__.value": "Any", "QuantileEstimate.__new__.lower": "Any",
    "QuantileEstimate.__new__.upper": "Any", "BloomierFilter.freeze.values": "Batch",
    "WeightedReservoir.update.weights": "Batch", "VarOpt.update.weights": "Batch", "WeightedMinHash.update.weights": "Batch",
    "compare.other": "Self", "intersect.other": "Self", "difference.other": "Self", "jaccard.other": "Self",
    "cosine.other": "Self", "inner_product.other": "Self", "merge.other": "Self", "__or__.other": "Self",
    "SlidingHyperLogLog.update.time": "int | Batch", "WindowedBloom.update.time": "int | Batch",
    "__ior__.other": "Self", "add_edge.other": "Item", "has_edge.other": "Item", "_profile.table": "object",
    "merge_attenuated.other": "Self", "VertexBlooms.for_degrees.vertices": "Batch", "VertexBlooms.degree.vertex": "Item",
    "DistanceBloom.add.item": "int | Sketch",
    "_Foreign.read.values": "str | None", "_Foreign.kll.values": "str", "_Foreign.kll.seed": "int", "_Foreign.theta.seed": "int",
    "_Foreign.theta.lg_k": "int", "_Foreign.hll.lg_k": "int", "_Foreign.bloom.seed": "int", "_Foreign.frequent.sketch": "MisraGries",
    "_Foreign.rank.value": "Item", "similarity.other": "Self", "intersection.other": "Self",
    **{f"{method}.{name}": "Batch" for method in ("add_edges", "has_edges", "freeze") for name in ("one", "other")},
}  # fmt: skip

# Graphs whose vertices are numbers.
NUMBERED = (
    "AdjacencyList", "AdjacencyMatrix", "BipartiteLabels", "IntersectionLabels", "IntervalGraph", "ParentTree", "TreeLabels",
)  # fmt: skip
EXCEPTIONS |= {
    f"{owner}.{method}.{name}": "int" for owner in NUMBERED for method in ("add_edge", "has_edge") for name in ("one", "other")
}

RETURNS = {
    "add": "None", "add_edge": "None", "advance": "None", "contains_at": "Any", "increment": "None", "clear": "None", "column": "dict[str, Any]", "compare": "dict[str, Estimate]",
    "contains": "Any", "copy": "Self", "cosine": "Estimate", "difference": "Estimate", "edges": "Estimate",
    "empty": "Self", "estimate": "Estimate", "f0": "Estimate", "f1": "Estimate", "f2": "Estimate",
    "facts": "dict[str, Any]", "fingerprint": "int", "for_bits": "Self", "for_counters": "Self",
    "for_distance": "Self", "for_distortion": "Self", "for_error": "Self", "for_k": "Self", "for_recall": "Self",
    "for_slots": "Self", "fpr": "Estimate", "freeze": "Self", "frequencies": "Table",
    "frequency": "Estimate", "from_bytes": "Self", "has_edge": "bool", "inner_product": "Estimate",
    "insert": "None", "intersect": "Estimate", "is_exact": "bool", "jaccard": "Estimate", "memory_bytes": "int",
    "merge": "None", "of": "Self", "quantile": "QuantileEstimate", "quantiles": "Table",
    "rank": "Estimate", "rank_error": "float", "relative_error": "float", "remove": "None", "sample": "list[Any]",
    "save": "None", "share": "Estimate", "subset_sum": "Estimate", "table": "Table", "to_arrow": "Any", "to_bytes": "bytes", "to_compact_bytes": "bytes",
    "to_dict": "dict[str, list[Any]]", "to_html": "None", "to_pandas": "Any", "to_polars": "Any",
    "to_rows": "list[dict[str, Any]]", "top": "Table", "total": "int", "total_weight": "float", "update": "None", "value": "Any",
    "values": "list[int | None]", "with_fpr": "Self", "similar": "list[tuple[int, Estimate]]",
    "_repr_html_": "str", "__arrow_c_stream__": "object",
    "HammingIndex.similar": "list[tuple[int, int]]", "TableProfile.compare": "Drift",
    "BloomierFilter.value": "int | None",
    **{f"{owner}.value": "float | None" for owner in ("DecayingBloom", "LinearBloom", "QuantisedBloom")},
    **{f"{owner}.values": "list[float | None]" for owner in ("DecayingBloom", "LinearBloom", "QuantisedBloom")},
    **{f"{owner}.edges": "int" for owner in ("AdjacencyList", "AdjacencyMatrix", "IntervalGraph", "ParentTree")},
    "add_edges": "None", "after": "list[str]", "before": "list[str]", "candidate": "Any", "degree": "int", "estimates": "Table",
    "for_count": "Self", "for_degrees": "Self", "for_sets": "Self", "for_universe": "Self", "for_vertices": "Self", "has_edges": "Any",
    "merge_attenuated": "None", "neighbours": "list[int]", "range": "Estimate", "vertices": "int", "walk": "str",
    "VertexBlooms.degree": "Estimate", "_Foreign.fpr": "float", "_Foreign.difference": "Self", "intersection": "Self",
    **{f"_Foreign.{name}": "Self" for name in ("theta", "hll", "kll", "frequent", "t_digest", "count_min", "bloom", "read")},
    "has": "bool", "parts": "tuple[bytes, str | None, int | None, int | None]", "shown": "str", "similarity": "Estimate",
}  # fmt: skip

FUNCTIONS = {
    "from_bytes": "Any", "kinds": "Table", "load": "Any", "save": "None",
    "shingles": "list[str]",
}  # fmt: skip

GETTERS = {
    "format": "str", "kind": "str", "rows": "int", "columns": "list[str]", "added": "list[str]", "gone": "list[str]",
    "changed": "list[str]", "value": "float", "lower": "float", "upper": "float", "guarantee": "str",
    "confidence": "float", "Drift.rows": "tuple[int, int]", "QuantileEstimate.value": "Any",
    "QuantileEstimate.lower": "Any", "QuantileEstimate.upper": "Any",
}  # fmt: skip

SPECIAL = {
    "__contains__": "def __contains__(self, item: object, /) -> bool: ...",
    "__len__": "def __len__(self) -> int: ...",
    "__bytes__": "def __bytes__(self) -> bytes: ...",
    "__float__": "def __float__(self) -> float: ...",
    "__int__": "def __int__(self) -> int: ...",
    "__bool__": "def __bool__(self) -> bool: ...",
    "__format__": "def __format__(self, form: str, /) -> str: ...",
    "__copy__": "def __copy__(self) -> Self: ...",
    "__deepcopy__": "def __deepcopy__(self, _memo: object) -> Self: ...",
    "__and__": "def __and__(self, other: Self, /) -> Self: ...",
    "__rand__": "def __rand__(self, other: Self, /) -> Self: ...",
    "__iand__": "def __iand__(self, other: Self, /) -> Self: ...",
    "__or__": "def __or__(self, other: Self, /) -> Self: ...",
    "__ror__": "def __ror__(self, other: Self, /) -> Self: ...",
    "__ior__": "def __ior__(self, other: Self, /) -> Self: ...",
    "__getitem__": "def __getitem__(self, column: str, /) -> list[Any]: ...",
}

HEAD = '''"""{what} Written by stubs.py."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, Protocol, Self, TypeAlias, TypeVar, final, overload

from typing_extensions import disjoint_base

class ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

class ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

Item: TypeAlias = Any
Batch: TypeAlias = Iterable[Any] | ArrowArray | ArrowStream
Path: TypeAlias = str | PathLike[str]
AnySketch = TypeVar("AnySketch", bound="Sketch")
'''

# The class of what is merged is known, if it is not bytes.
MERGE = [
    "@overload",
    "def merge(sketches: Iterable[AnySketch]) -> AnySketch: ...",
    "@overload",
    "def merge(sketches: Iterable[Sketch | bytes] | ArrowArray | ArrowStream) -> Any: ...",
]

PRIVATE = """def _band_keys(texts: Batch, threshold: float, recall: float, words: int | None, chars: int | None) -> Table: ...
def _command(arguments: Sequence[str]) -> int: ...
def _group(name: str, by: Batch, items: Batch, make: Any, text: bool) -> Table: ...
def _near_duplicates(texts: Batch, threshold: float, recall: float, words: int | None, chars: int | None, most: int, tell: Any = None) -> Table: ...
def _plan_counters(error: float, items: int | None = None) -> Table: ...
def _plan_filters(items: int, fpr: float) -> Table: ...
def _profile(table: Any, error: float, tell: Any = None) -> TableProfile: ...
def _similarities(first: Batch, second: Batch, words: int | None, chars: int | None) -> Table: ...
def _table(columns: Any) -> Table: ..."""


def typed(owner: str, method: str, name: str) -> str:
    for key in (f"{owner}.{method}.{name}", f"{method}.{name}"):
        if key in EXCEPTIONS:
            return EXCEPTIONS[key]
    return PARAMETERS[name]


def parameters(signature: inspect.Signature, owner: str, method: str) -> str:
    parts, is_open = [], False
    for parameter in signature.parameters.values():
        if parameter.name in ("self", "cls"):
            parts.append(parameter.name)
            if parameter.kind is parameter.POSITIONAL_ONLY:
                parts.append("/")
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not is_open:
            parts.append("*")
            is_open = True
        text = f"{parameter.name}: {typed(owner, method, parameter.name)}"
        if parameter.default is None and "None" not in text:
            text += " | None"
        if parameter.default is not parameter.empty:
            text += f" = {parameter.default!r}"
        parts.append(text)
    return ", ".join(part for part in parts if part != "/")


def method(owner: type, name: str, raw: object) -> list[str]:
    if name in SPECIAL:
        return [SPECIAL[name]]
    if inspect.isgetsetdescriptor(raw) or inspect.ismemberdescriptor(raw):
        found = GETTERS.get(f"{owner.__name__}.{name}") or GETTERS[name]
        return ["@property", f"def {name}(self) -> {found}: ..."]
    if name.startswith("__") and name != "__arrow_c_stream__":
        return []
    found = RETURNS.get(f"{owner.__name__}.{name}") or RETURNS[name]
    signature = parameters(inspect.signature(getattr(owner, name)), owner.__name__, name)
    if isinstance(raw, staticmethod):
        # It returns an object of this very class.
        return ["@staticmethod", f"def {name}({signature}) -> {found.replace('Self', owner.__name__)}: ..."]
    if isinstance(raw, classmethod) or type(raw).__name__ == "classmethod_descriptor":
        return ["@classmethod", f"def {name}(cls, {signature.removeprefix('cls, ')}) -> {found}: ..."]
    return [f"def {name}({signature}) -> {found}: ..."]


def class_of(owner: type) -> list[str]:
    base = "" if owner.__base__ is object else f"({owner.__base__.__name__})"
    lines = ["@disjoint_base" if owner is crivo.Sketch else "@final"]
    lines.append(f"class {owner.__name__}{base}:")
    if "__new__" in vars(owner) and owner.__text_signature__ and "_arguments" not in owner.__text_signature__:
        signature = parameters(inspect.signature(owner), owner.__name__, "__new__")
        lines.append(f"    def __new__(cls, {signature}) -> Self: ...")
    for name, raw in sorted(vars(owner).items()):
        lines += [f"    {line}" for line in method(owner, name, raw)]
    return lines if not lines[-1].endswith(":") else [*lines[:-1], lines[-1] + " ..."]


def written() -> dict[str, str]:
    public = sorted(name for name in vars(_crivo) if not name.startswith("_"))
    classes = [vars(_crivo)[name] for name in [*public, "_Foreign"] if isinstance(vars(_crivo)[name], type)]
    classes.sort(key=lambda owner: (owner is not crivo.Sketch, owner.__name__))
    lines = [HEAD.format(what="Sketches with error bars.")]
    for owner in classes:
        lines += [*class_of(owner), ""]
    functions = [name for name in public if not isinstance(vars(_crivo)[name], type)]
    for name in functions:
        if name == "merge":
            lines += MERGE
            continue
        signature = parameters(inspect.signature(vars(_crivo)[name]), "", name)
        lines.append(f"def {name}({signature}) -> {FUNCTIONS[name]}: ...")
    lines += ["", f"__all__ = {sorted(_crivo.__all__)!r}"]
    module = "\n".join([*lines, PRIVATE]) + "\n"
    lines = ['"""Sketches with error bars. Written by stubs.py."""', "", "from collections.abc import Sequence", ""]
    lines += [f"from ._crivo import {name} as {name}" for name in ("ArrowStream", "Batch", "Path")]
    lines += [f"from ._crivo import {name} as {name}" for name in public]
    lines += ["from . import datasketches as datasketches", "from .foreign import Foreign as Foreign, read as read_foreign"]
    lines += [
        "",
        f"__all__ = {crivo.__all__!r}",
        "",
        "def profile(table: Path | Sequence[Path] | ArrowStream, *, error: float = 0.02, progress: bool | None = None)"
        " -> TableProfile: ...",
        "def near_duplicates(texts: Batch, threshold: float = 0.8, *, recall: float = 0.99, words: int | None = None,"
        " chars: int | None = None, progress: bool | None = None) -> Table: ...",
        "def group(table: object, *, by: str, item: str, kind: type[Sketch] | None = None, error: float = 0.02,"
        " text: bool = False) -> Table: ...",
        "def plan(question: str, *, items: int | None = None, fpr: float | None = None, error: float | None = None)"
        " -> Table: ...",
    ]
    return {"_crivo.pyi": module, "__init__.pyi": "\n".join(lines) + "\n"}


def main() -> None:
    for name, text in written().items():
        path = FOLDER / name
        if "--check" in sys.argv[1:]:
            if path.read_text() != text:
                sys.exit(f"{path} is not what the module has; run python stubs.py")
        else:
            path.write_text(text)


if __name__ == "__main__":
    main()
