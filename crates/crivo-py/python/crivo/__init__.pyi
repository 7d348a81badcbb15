"""Sketches with error bars. Written by stubs.py."""

from collections.abc import Sequence

from ._crivo import ArrowStream as ArrowStream
from ._crivo import Batch as Batch
from ._crivo import Path as Path
from ._crivo import AdjacencyList as AdjacencyList
from ._crivo import AdjacencyMatrix as AdjacencyMatrix
from ._crivo import AtomicBloom as AtomicBloom
from ._crivo import BBitMinHash as BBitMinHash
from ._crivo import BinaryFuse as BinaryFuse
from ._crivo import BinomialArray as BinomialArray
from ._crivo import BinomialCounter as BinomialCounter
from ._crivo import BipartiteLabels as BipartiteLabels
from ._crivo import BlockedBloom as BlockedBloom
from ._crivo import BloomFilter as BloomFilter
from ._crivo import BloomierFilter as BloomierFilter
from ._crivo import CompressedBloom as CompressedBloom
from ._crivo import CountMin as CountMin
from ._crivo import CountSketch as CountSketch
from ._crivo import CountingBloom as CountingBloom
from ._crivo import CuckooFilter as CuckooFilter
from ._crivo import CuckooTable as CuckooTable
from ._crivo import DeBruijn as DeBruijn
from ._crivo import DecayingBloom as DecayingBloom
from ._crivo import DirectTable as DirectTable
from ._crivo import DistanceBloom as DistanceBloom
from ._crivo import Drift as Drift
from ._crivo import DyadicCountMin as DyadicCountMin
from ._crivo import DynamicBloom as DynamicBloom
from ._crivo import EdgeBloom as EdgeBloom
from ._crivo import Estimate as Estimate
from ._crivo import ExaLogLog as ExaLogLog
from ._crivo import ExactDeBruijn as ExactDeBruijn
from ._crivo import HammingIndex as HammingIndex
from ._crivo import HashCompaction as HashCompaction
from ._crivo import HyperLogLog as HyperLogLog
from ._crivo import IntersectionLabels as IntersectionLabels
from ._crivo import IntervalGraph as IntervalGraph
from ._crivo import Joint as Joint
from ._crivo import KMinValues as KMinValues
from ._crivo import Kll as Kll
from ._crivo import LinearBloom as LinearBloom
from ._crivo import LinearCounting as LinearCounting
from ._crivo import LogLog as LogLog
from ._crivo import LogQuantiles as LogQuantiles
from ._crivo import LshBloom as LshBloom
from ._crivo import LshIndex as LshIndex
from ._crivo import Majority as Majority
from ._crivo import MartingaleExaLogLog as MartingaleExaLogLog
from ._crivo import MartingaleHyperLogLog as MartingaleHyperLogLog
from ._crivo import MinHash as MinHash
from ._crivo import MinimumHash as MinimumHash
from ._crivo import MisraGries as MisraGries
from ._crivo import Moments as Moments
from ._crivo import MorrisArray as MorrisArray
from ._crivo import MorrisCounter as MorrisCounter
from ._crivo import OnePermutation as OnePermutation
from ._crivo import ParentTree as ParentTree
from ._crivo import PartitionedBloom as PartitionedBloom
from ._crivo import ProbabilisticCounting as ProbabilisticCounting
from ._crivo import QuantileEstimate as QuantileEstimate
from ._crivo import QuantisedBloom as QuantisedBloom
from ._crivo import QuotientFilter as QuotientFilter
from ._crivo import ReqSketch as ReqSketch
from ._crivo import Reservoir as Reservoir
from ._crivo import ScalableBloom as ScalableBloom
from ._crivo import SignedCountMin as SignedCountMin
from ._crivo import SimHash as SimHash
from ._crivo import Sketch as Sketch
from ._crivo import SlidingHyperLogLog as SlidingHyperLogLog
from ._crivo import SpaceSaving as SpaceSaving
from ._crivo import SpectralBloom as SpectralBloom
from ._crivo import Table as Table
from ._crivo import TableProfile as TableProfile
from ._crivo import TreeLabels as TreeLabels
from ._crivo import VarOpt as VarOpt
from ._crivo import VertexBlooms as VertexBlooms
from ._crivo import WeightedMinHash as WeightedMinHash
from ._crivo import WeightedReservoir as WeightedReservoir
from ._crivo import WindowedBloom as WindowedBloom
from ._crivo import from_bytes as from_bytes
from ._crivo import kinds as kinds
from ._crivo import load as load
from ._crivo import merge as merge
from ._crivo import save as save
from ._crivo import shingles as shingles
from . import datasketches as datasketches
from .foreign import Foreign as Foreign, read as read_foreign

__all__ = ['AdjacencyList', 'AdjacencyMatrix', 'AtomicBloom', 'BBitMinHash', 'BinaryFuse', 'BinomialArray', 'BinomialCounter', 'BipartiteLabels', 'BlockedBloom', 'BloomFilter', 'BloomierFilter', 'CompressedBloom', 'CountMin', 'CountSketch', 'CountingBloom', 'CuckooFilter', 'CuckooTable', 'DeBruijn', 'DecayingBloom', 'DirectTable', 'DistanceBloom', 'Drift', 'DyadicCountMin', 'DynamicBloom', 'EdgeBloom', 'Estimate', 'ExaLogLog', 'ExactDeBruijn', 'Foreign', 'HammingIndex', 'HashCompaction', 'HyperLogLog', 'IntersectionLabels', 'IntervalGraph', 'Joint', 'KMinValues', 'Kll', 'LinearBloom', 'LinearCounting', 'LogLog', 'LogQuantiles', 'LshBloom', 'LshIndex', 'Majority', 'MartingaleExaLogLog', 'MartingaleHyperLogLog', 'MinHash', 'MinimumHash', 'MisraGries', 'Moments', 'MorrisArray', 'MorrisCounter', 'OnePermutation', 'ParentTree', 'PartitionedBloom', 'ProbabilisticCounting', 'QuantileEstimate', 'QuantisedBloom', 'QuotientFilter', 'ReqSketch', 'Reservoir', 'ScalableBloom', 'SignedCountMin', 'SimHash', 'Sketch', 'SlidingHyperLogLog', 'SpaceSaving', 'SpectralBloom', 'Table', 'TableProfile', 'TreeLabels', 'VarOpt', 'VertexBlooms', 'WeightedMinHash', 'WeightedReservoir', 'WindowedBloom', 'datasketches', 'from_bytes', 'group', 'kinds', 'load', 'merge', 'near_duplicates', 'plan', 'profile', 'read_foreign', 'save', 'shingles']

def profile(table: Path | Sequence[Path] | ArrowStream, *, error: float = 0.02, progress: bool | None = None) -> TableProfile: ...
def near_duplicates(texts: Batch, threshold: float = 0.8, *, recall: float = 0.99, words: int | None = None, chars: int | None = None, progress: bool | None = None) -> Table: ...
def group(table: object, *, by: str, item: str, kind: type[Sketch] | None = None, error: float = 0.02, text: bool = False) -> Table: ...
def plan(question: str, *, items: int | None = None, fpr: float | None = None, error: float | None = None) -> Table: ...
