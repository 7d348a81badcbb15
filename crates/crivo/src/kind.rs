//! The table of all structures, which drives decoding, the command and the tests.

use crate::cardinality::ExaLogLog;
use crate::cardinality::HyperLogLog;
use crate::cardinality::Joint;
use crate::cardinality::KMinValues;
use crate::cardinality::LinearCounting;
use crate::cardinality::LogLog;
use crate::cardinality::Martingale;
use crate::cardinality::MinimumHash;
use crate::cardinality::ProbabilisticCounting;
use crate::cardinality::SlidingHyperLogLog;
use crate::codec::{DecodeOptions, element_tag, peek};
use crate::counting::{BinomialArray, BinomialCounter, MorrisArray, MorrisCounter};
use crate::frequency::CountMin;
use crate::frequency::CountSketch;
use crate::frequency::Majority;
use crate::frequency::MisraGries;
use crate::frequency::Moments;
use crate::frequency::SignedCountMin;
use crate::frequency::SpaceSaving;
use crate::graph::AdjacencyList;
use crate::graph::AdjacencyMatrix;
use crate::graph::BipartiteLabels;
use crate::graph::DeBruijn;
use crate::graph::EdgeBloom;
use crate::graph::ExactDeBruijn;
use crate::graph::IntersectionLabels;
use crate::graph::IntervalGraph;
use crate::graph::ParentTree;
use crate::graph::TreeLabels;
use crate::graph::VertexBlooms;
use crate::membership::CuckooTable;
use crate::membership::DirectTable;
use crate::membership::WindowedBloom;
#[cfg(target_has_atomic = "64")]
use crate::membership::{AtomicBloom, AtomicParams};
use crate::membership::{BinaryFuse, BinaryFuseParams};
use crate::membership::{BlockedBloom, BlockedParams};
use crate::membership::{BloomFilter, BloomParams};
use crate::membership::{CompressedBloom, CompressedParams};
use crate::membership::{CountingBloom, CountingParams};
use crate::membership::{CuckooFilter, CuckooParams};
use crate::membership::{DynamicBloom, DynamicParams};
use crate::membership::{HashCompaction, HashCompactionParams};
use crate::membership::{PartitionedBloom, PartitionedParams};
use crate::membership::{QuotientFilter, QuotientParams};
use crate::membership::{ScalableBloom, ScalableParams};
use crate::membership::{SpectralBloom, SpectralParams};
use crate::profile::TableProfile;
use crate::quantile::DyadicCountMin;
use crate::quantile::Kll;
use crate::sampling::Reservoir;
use crate::sampling::WeightedReservoir;
use crate::similarity::BBitMinHash;
use crate::similarity::DistanceBloom;
use crate::similarity::HammingIndex;
use crate::similarity::LshBloom;
use crate::similarity::LshIndex;
use crate::similarity::MinHash;
use crate::similarity::OnePermutation;
use crate::similarity::SimHash;
use crate::similarity::WeightedMinHash;
use crate::sketch::{AnySketch, Cardinality, Frequency, Insert, Membership, Merge, Remove, Similarity, Wire};
use crate::valued::BloomierFilter;
use crate::valued::DecayingBloom;
use crate::valued::{CellValue, LinearBloom};
use crate::valued::{Level, QuantisedBloom};
use crate::{Element, Error, Estimate, HashSpec, Number, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A structure. The number is its id in files: the family in the high byte; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u16)]
pub enum Kind {
    /// [`BloomFilter`]
    BloomFilter = 0x0101,
    /// [`BlockedBloom`]
    BlockedBloom = 0x0102,
    /// [`AtomicBloom`]
    #[cfg(target_has_atomic = "64")]
    AtomicBloom = 0x0103,
    /// [`CountingBloom`]
    CountingBloom = 0x0104,
    /// [`SpectralBloom`]
    SpectralBloom = 0x0105,
    /// [`DynamicBloom`]
    DynamicBloom = 0x0106,
    /// [`ScalableBloom`]
    ScalableBloom = 0x0107,
    /// [`PartitionedBloom`]
    PartitionedBloom = 0x0108,
    /// [`CompressedBloom`]
    CompressedBloom = 0x0109,
    /// [`CuckooFilter`]
    CuckooFilter = 0x010a,
    /// [`QuotientFilter`]
    QuotientFilter = 0x010b,
    /// [`HashCompaction`]
    HashCompaction = 0x010c,
    /// [`BinaryFuse`]
    BinaryFuse = 0x010d,
    /// [`CuckooTable`]
    CuckooTable = 0x010e,
    /// [`DirectTable`]
    DirectTable = 0x010f,
    /// [`WindowedBloom`]
    WindowedBloom = 0x0110,
    /// [`HyperLogLog`]
    HyperLogLog = 0x0201,
    /// [`ExaLogLog`]
    ExaLogLog = 0x0202,
    /// [`LinearCounting`]
    LinearCounting = 0x0203,
    /// [`MinimumHash`]
    MinimumHash = 0x0204,
    /// [`ProbabilisticCounting`]
    ProbabilisticCounting = 0x0205,
    /// [`LogLog`]
    LogLog = 0x0206,
    /// [`KMinValues`]
    KMinValues = 0x0207,
    /// [`SlidingHyperLogLog`]
    SlidingHyperLogLog = 0x0208,
    /// [`Joint`]
    Joint = 0x0209,
    /// [`Martingale`] of a [`HyperLogLog`]
    MartingaleHyperLogLog = 0x020a,
    /// [`Martingale`] of an [`ExaLogLog`]
    MartingaleExaLogLog = 0x020b,
    /// [`CountMin`]
    CountMin = 0x0301,
    /// [`SignedCountMin`]
    SignedCountMin = 0x0302,
    /// [`CountSketch`]
    CountSketch = 0x0303,
    /// [`SpaceSaving`]
    SpaceSaving = 0x0304,
    /// [`MisraGries`]
    MisraGries = 0x0305,
    /// [`Majority`]
    Majority = 0x0306,
    /// [`Moments`]
    Moments = 0x0307,
    /// [`Kll`]
    Kll = 0x0401,
    /// [`DyadicCountMin`]
    DyadicCountMin = 0x0402,
    /// [`Reservoir`]
    Reservoir = 0x0501,
    /// [`WeightedReservoir`]
    WeightedReservoir = 0x0502,
    /// [`BinomialCounter`]
    BinomialCounter = 0x0601,
    /// [`MorrisCounter`]
    MorrisCounter = 0x0602,
    /// [`BinomialArray`]
    BinomialArray = 0x0603,
    /// [`MorrisArray`]
    MorrisArray = 0x0604,
    /// [`MinHash`]
    MinHash = 0x0701,
    /// [`OnePermutation`]
    OnePermutation = 0x0702,
    /// [`BBitMinHash`]
    BBitMinHash = 0x0703,
    /// [`WeightedMinHash`]
    WeightedMinHash = 0x0704,
    /// [`SimHash`]
    SimHash = 0x0705,
    /// [`LshIndex`]
    LshIndex = 0x0706,
    /// [`HammingIndex`]
    HammingIndex = 0x0707,
    /// [`LshBloom`]
    LshBloom = 0x0708,
    /// [`DistanceBloom`]
    DistanceBloom = 0x0709,
    /// [`LinearBloom`]
    LinearBloom = 0x0801,
    /// [`QuantisedBloom`]
    QuantisedBloom = 0x0802,
    /// [`DecayingBloom`]
    DecayingBloom = 0x0803,
    /// [`BloomierFilter`]
    BloomierFilter = 0x0804,
    /// [`AdjacencyMatrix`]
    AdjacencyMatrix = 0x0901,
    /// [`AdjacencyList`]
    AdjacencyList = 0x0902,
    /// [`ParentTree`]
    ParentTree = 0x0903,
    /// [`IntervalGraph`]
    IntervalGraph = 0x0904,
    /// [`EdgeBloom`]
    EdgeBloom = 0x0905,
    /// [`VertexBlooms`]
    VertexBlooms = 0x0906,
    /// [`DeBruijn`]
    DeBruijn = 0x0907,
    /// [`ExactDeBruijn`]
    ExactDeBruijn = 0x0908,
    /// [`IntersectionLabels`]
    IntersectionLabels = 0x0909,
    /// [`TreeLabels`]
    TreeLabels = 0x090a,
    /// [`BipartiteLabels`]
    BipartiteLabels = 0x090b,
    /// [`TableProfile`]
    TableProfile = 0x0a01,
}

/// The question that a structure answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Is it there?
    Membership,
    /// How many different?
    Cardinality,
    /// How often, and which most?
    Frequency,
    /// Which rank, and how many in a range?
    Quantile,
    /// A fair part of it.
    Sampling,
    /// How many, in a few bits?
    Counting,
    /// How alike?
    Similarity,
    /// Which value has it?
    Valued,
    /// Are u and v joined?
    Graph,
    /// What is in a table?
    Profile,
}

impl Family {
    /// The name, as in the module's path.
    pub fn name(self) -> &'static str {
        match self {
            Self::Membership => "membership",
            Self::Cardinality => "cardinality",
            Self::Frequency => "frequency",
            Self::Quantile => "quantile",
            Self::Sampling => "sampling",
            Self::Counting => "counting",
            Self::Similarity => "similarity",
            Self::Valued => "valued",
            Self::Graph => "graph",
            Self::Profile => "profile",
        }
    }
}

/// What a merge promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MergeLaw {
    /// The state equals that of one pass over both streams.
    Exact,
    /// The answers stay within a stated error of one pass.
    Bounded,
    /// The state has the probabilities of one pass over both streams: of sketches that draw random numbers, and whose
    /// parts drew them from different seeds.
    Distribution,
}

type Decode = fn(&[u8], &DecodeOptions) -> Result<Box<dyn AnySketch>>;
type View<T> = fn(&dyn AnySketch) -> Option<&T>;
type ViewMut<T> = fn(&mut dyn AnySketch) -> Option<&mut T>;
type MakeEmpty = fn(u64, f64, HashSpec) -> Result<Box<dyn AnySketch>>;
type Freeze = fn(&[u64], f64, HashSpec) -> Result<Box<dyn AnySketch>>;
type MakeCounter = fn(f64, Option<u64>, HashSpec) -> Result<Box<dyn AnySketch>>;
type MergeInto = fn(&mut dyn AnySketch, &dyn AnySketch) -> Result<()>;
type Compare = fn(&dyn AnySketch, &dyn AnySketch) -> Result<Estimate>;

/// One row of [`KINDS`]: what there is to know about a structure without holding one.
///
/// The columns that end the row are views of an [`AnySketch`] as what it can do; they give `None` for a
/// sketch of another kind.
#[derive(Clone, Copy, Debug)]
pub struct KindInfo {
    /// The structure.
    pub kind: Kind,
    /// Its name in the command and in files' descriptions.
    pub name: &'static str,
    /// The question it answers.
    pub family: Family,
    /// One line about it.
    pub summary: &'static str,
    /// What its merge promises at best; [`Sketch::merge_law`](crate::sketch::Sketch::merge_law) tells what a
    /// sketch promises under its parameters.
    pub merge_law: Option<MergeLaw>,
    /// Reads its bytes.
    pub decode: Decode,
    /// Merges the second into the first; `None` where the structure cannot merge.
    pub merge: Option<MergeInto>,
    /// How alike the sets of two are, from 0 to 1; `None` where the structure cannot tell.
    pub similarity: Option<Compare>,
    /// Whether inserting an item again adds a copy, to be removed as often.
    pub copies: bool,
    /// How a filter is made from a target; `None` for other families and for tables of a fixed universe.
    pub filter: Option<FilterTarget>,
    /// How an empty counter of different items is made: from the half-width of its 95 % interval as a share of the
    /// answer, the number of items (only some kinds need it, and say so), and the hash.
    pub counter: Option<MakeCounter>,
    /// As something to insert into.
    pub insert: Option<ViewMut<dyn Insert>>,
    /// As something to remove from.
    pub remove: Option<ViewMut<dyn Remove>>,
    /// As a filter.
    pub membership: Option<View<dyn Membership>>,
    /// As a counter of different items.
    pub cardinality: Option<View<dyn Cardinality>>,
    /// As a table of frequencies.
    pub frequency: Option<View<dyn Frequency>>,
    /// As a table of frequencies to add to.
    pub add: Option<ViewMut<dyn Frequency>>,
}

/// How a kind of filter is made from a number of items and a false positive rate.
#[derive(Clone, Copy, Debug)]
pub struct FilterTarget {
    /// What it would cost, without making it.
    pub plan: fn(items: u64, fpr: f64) -> Result<FilterPlan>,
    /// The filter.
    pub make: MakeFilter,
}

/// The two ways to a filter.
#[derive(Clone, Copy, Debug)]
pub enum MakeFilter {
    /// An empty one, to insert into: from the number of items, the rate and the hash.
    Empty(MakeEmpty),
    /// A static one, from the hashes of all its items, the rate and the hash that they were made with.
    Frozen(Freeze),
}

/// What a filter for a target costs.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterPlan {
    /// The memory of the filter, in bytes: what
    /// [`memory_bytes`](crate::sketch::Sketch::memory_bytes) says of it when it is made.
    pub memory_bytes: u64,
    /// The false positive rate with all the items inside.
    pub fpr: f64,
    /// The cache lines that a query of an item inside touches, on average.
    pub cache_lines: f64,
    /// The parameters, by name.
    pub parameters: Vec<(&'static str, u64)>,
}

/// The target of a filter whose params follow from it.
macro_rules! made_by {
    ($filter:ident, $params:ident) => {
        Some(FilterTarget {
            plan: |items, fpr| Ok($params::for_fpr(items, fpr)?.plan(items)),
            make: MakeFilter::Empty(|items, fpr, spec| {
                Ok(Box::new($filter::with_spec($params::for_fpr(items, fpr)?, spec)))
            }),
        })
    };
}

/// Reads a sketch that keeps elements, by their tag.
macro_rules! decode_elements {
    ($sketch:ident: $($element:ty),+) => {
        decode_elements!($sketch, Element: $($element),+)
    };
    ($sketch:ident, $tagged:ident: $($element:ty),+) => {
        |bytes, options| {
            let tag = element_tag(bytes)?;
            $(if tag == <$element as $tagged>::TAG {
                return decode_as::<$sketch<$element>>(bytes, options);
            })+
            Err(Error::unsupported(format!(
                "a {} that keeps elements with the tag {tag}: read it as what it is, with from_bytes",
                stringify!($sketch)
            )))
        }
    };
}

/// Merges sketches that keep elements of one of these types.
macro_rules! merge_elements {
    ($sketch:ident: $($element:ty),+) => {
        Some(|into, from| {
            $(if into.as_any().is::<$sketch<$element>>() {
                return merge::<$sketch<$element>>(into, from);
            })+
            if into.kind() != from.kind() {
                return Err(other_kind(into.kind(), from.kind()));
            }
            Err(Error::unsupported("elements of a type of one's own: merge the sketches as what they are"))
        })
    };
}

/// Every structure of the library, by id.
///
/// ```
/// for info in crivo::KINDS {
///     println!("{:15} {:12} {}", info.name, info.family.name(), info.summary);
/// }
/// ```
pub static KINDS: &[KindInfo] = &[
    KindInfo {
        summary: "is it there? no false negatives, a chosen rate of false positives",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<BloomFilter>),
        filter: made_by!(BloomFilter, BloomParams),
        insert: Some(as_insert::<BloomFilter>),
        membership: Some(as_membership::<BloomFilter>),
        ..row::<BloomFilter>(Kind::BloomFilter, "bloom-filter", Family::Membership)
    },
    KindInfo {
        summary: "is it there? one cache line an answer, for a tenth more bits at 1 %; Parquet's layout",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<BlockedBloom>),
        filter: made_by!(BlockedBloom, BlockedParams),
        insert: Some(as_insert::<BlockedBloom>),
        membership: Some(as_membership::<BlockedBloom>),
        ..row::<BlockedBloom>(Kind::BlockedBloom, "blocked-bloom", Family::Membership)
    },
    #[cfg(target_has_atomic = "64")]
    KindInfo {
        summary: "is it there? many threads insert and ask at once, without a lock",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<AtomicBloom>),
        filter: made_by!(AtomicBloom, AtomicParams),
        insert: Some(as_insert::<AtomicBloom>),
        membership: Some(as_membership::<AtomicBloom>),
        ..row::<AtomicBloom>(Kind::AtomicBloom, "atomic-bloom", Family::Membership)
    },
    KindInfo {
        summary: "is it there? a Bloom filter with counters, from which items can be removed",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<CountingBloom>),
        copies: true,
        filter: made_by!(CountingBloom, CountingParams),
        insert: Some(as_insert::<CountingBloom>),
        remove: Some(as_remove::<CountingBloom>),
        membership: Some(as_membership::<CountingBloom>),
        ..row::<CountingBloom>(Kind::CountingBloom, "counting-bloom", Family::Membership)
    },
    KindInfo {
        summary: "how often is it there? a Bloom filter of a multiset, most answers exact",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<SpectralBloom>),
        copies: true,
        filter: made_by!(SpectralBloom, SpectralParams),
        insert: Some(as_insert::<SpectralBloom>),
        remove: Some(as_remove::<SpectralBloom>),
        membership: Some(as_membership::<SpectralBloom>),
        frequency: Some(as_frequency::<SpectralBloom>),
        add: Some(as_add::<SpectralBloom>),
        ..row::<SpectralBloom>(Kind::SpectralBloom, "spectral-bloom", Family::Membership)
    },
    KindInfo {
        summary: "is it there? equal filters in a row: it grows, and so does the rate",
        merge_law: Some(MergeLaw::Bounded),
        merge: Some(merge::<DynamicBloom>),
        filter: made_by!(DynamicBloom, DynamicParams),
        insert: Some(as_insert::<DynamicBloom>),
        membership: Some(as_membership::<DynamicBloom>),
        ..row::<DynamicBloom>(Kind::DynamicBloom, "dynamic-bloom", Family::Membership)
    },
    KindInfo {
        summary: "is it there? it grows without limit and keeps its rate of false positives",
        merge_law: Some(MergeLaw::Bounded),
        merge: Some(merge::<ScalableBloom>),
        filter: made_by!(ScalableBloom, ScalableParams),
        insert: Some(as_insert::<ScalableBloom>),
        membership: Some(as_membership::<ScalableBloom>),
        ..row::<ScalableBloom>(Kind::ScalableBloom, "scalable-bloom", Family::Membership)
    },
    KindInfo {
        summary: "is it there? a Bloom filter in blocks, any number of which is a filter too",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<PartitionedBloom>),
        filter: made_by!(PartitionedBloom, PartitionedParams),
        insert: Some(as_insert::<PartitionedBloom>),
        membership: Some(as_membership::<PartitionedBloom>),
        ..row::<PartitionedBloom>(Kind::PartitionedBloom, "partitioned-bloom", Family::Membership)
    },
    KindInfo {
        summary: "is it there? a Bloom filter with a smaller file, for more memory",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<CompressedBloom>),
        filter: Some(FilterTarget {
            plan: |items, fpr| Ok(CompressedParams::for_fpr(items, fpr, 2.0)?.plan(items)),
            make: MakeFilter::Empty(|items, fpr, spec| {
                Ok(Box::new(CompressedBloom::with_spec(CompressedParams::for_fpr(items, fpr, 2.0)?, spec)))
            }),
        }),
        insert: Some(as_insert::<CompressedBloom>),
        membership: Some(as_membership::<CompressedBloom>),
        ..row::<CompressedBloom>(Kind::CompressedBloom, "compressed-bloom", Family::Membership)
    },
    KindInfo {
        summary: "is it there? items can be removed again; smaller than a Bloom filter from 1 % down",
        merge_law: Some(MergeLaw::Bounded),
        merge: Some(merge::<CuckooFilter>),
        copies: true,
        filter: made_by!(CuckooFilter, CuckooParams),
        insert: Some(as_insert::<CuckooFilter>),
        remove: Some(as_remove::<CuckooFilter>),
        membership: Some(as_membership::<CuckooFilter>),
        ..row::<CuckooFilter>(Kind::CuckooFilter, "cuckoo-filter", Family::Membership)
    },
    KindInfo {
        summary: "is it there? a table of fingerprints that gives items back, counts copies and grows",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<QuotientFilter>),
        copies: true,
        filter: made_by!(QuotientFilter, QuotientParams),
        insert: Some(as_insert::<QuotientFilter>),
        remove: Some(as_remove::<QuotientFilter>),
        membership: Some(as_membership::<QuotientFilter>),
        ..row::<QuotientFilter>(Kind::QuotientFilter, "quotient-filter", Family::Membership)
    },
    KindInfo {
        summary: "is it there? a plain table of short hashes, longer the more items there are; grows by itself",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<HashCompaction>),
        filter: made_by!(HashCompaction, HashCompactionParams),
        insert: Some(as_insert::<HashCompaction>),
        membership: Some(as_membership::<HashCompaction>),
        ..row::<HashCompaction>(Kind::HashCompaction, "hash-compaction", Family::Membership)
    },
    KindInfo {
        summary: "is it there? a set that never changes, in the fewest bits",
        filter: Some(FilterTarget {
            plan: |items, fpr| BinaryFuseParams::for_fpr(items, fpr)?.plan(items),
            make: MakeFilter::Frozen(|hashes, fpr, spec| {
                let params = BinaryFuseParams::for_fpr(hashes.len().max(1) as u64, fpr)?;
                Ok(Box::new(BinaryFuse::freeze_hashes(hashes.iter().copied(), params, spec)?))
            }),
        }),
        membership: Some(as_membership::<BinaryFuse>),
        ..row::<BinaryFuse>(Kind::BinaryFuse, "binary-fuse", Family::Membership)
    },
    KindInfo {
        summary: "is it there, and how many? a table of whole hashes, exact for integers: the yardstick of sketches",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<CuckooTable>),
        counter: Some(|_, _, spec| Ok(Box::new(CuckooTable::with_spec(spec)))),
        insert: Some(as_insert::<CuckooTable>),
        remove: Some(as_remove::<CuckooTable>),
        membership: Some(as_membership::<CuckooTable>),
        cardinality: Some(as_cardinality::<CuckooTable>),
        ..row::<CuckooTable>(Kind::CuckooTable, "cuckoo-table", Family::Membership)
    },
    KindInfo {
        summary: "is it there? the exact set of numbers below a bound, a bit for each that could be",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<DirectTable>),
        ..row::<DirectTable>(Kind::DirectTable, "direct-table", Family::Membership)
    },
    KindInfo {
        summary: "was it there lately? it forgets what is older than a window, and keeps its rate of false positives",
        merge_law: Some(MergeLaw::Bounded),
        merge: Some(merge::<WindowedBloom>),
        membership: Some(as_membership::<WindowedBloom>),
        ..row::<WindowedBloom>(Kind::WindowedBloom, "windowed-bloom", Family::Membership)
    },
    KindInfo {
        summary: "how many different? a fixed relative error whatever the number, exact while few",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<HyperLogLog>),
        counter: Some(|error, _, spec| {
            Ok(Box::new(HyperLogLog::with_spec(HyperLogLog::for_error(error)?.precision(), spec)?))
        }),
        insert: Some(as_insert::<HyperLogLog>),
        cardinality: Some(as_cardinality::<HyperLogLog>),
        ..row::<HyperLogLog>(Kind::HyperLogLog, "hyperloglog", Family::Cardinality)
    },
    KindInfo {
        summary: "how many different? the same error as HyperLogLog in half the memory, exact while few",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<ExaLogLog>),
        counter: Some(|error, _, spec| {
            Ok(Box::new(ExaLogLog::with_spec(ExaLogLog::for_error(error)?.precision(), spec)?))
        }),
        insert: Some(as_insert::<ExaLogLog>),
        cardinality: Some(as_cardinality::<ExaLogLog>),
        ..row::<ExaLogLog>(Kind::ExaLogLog, "exaloglog", Family::Cardinality)
    },
    KindInfo {
        summary: "how many different? a bit for each: the most exact while the bits last, then a lower bound",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<LinearCounting>),
        counter: Some(|error, items, spec| {
            let items = items.ok_or_else(|| {
                Error::invalid(
                    "the size of linear counting follows from how many there are; give the number of items (--items in the command)",
                )
            })?;
            Ok(Box::new(LinearCounting::with_spec(LinearCounting::for_error(items, error)?.bits(), spec)?))
        }),
        insert: Some(as_insert::<LinearCounting>),
        cardinality: Some(as_cardinality::<LinearCounting>),
        ..row::<LinearCounting>(Kind::LinearCounting, "linear-counting", Family::Cardinality)
    },
    KindInfo {
        summary: "how many different? the smallest hash of each cell: the idea at its simplest",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<MinimumHash>),
        counter: Some(|error, _, spec| {
            Ok(Box::new(MinimumHash::with_spec(MinimumHash::for_error(error)?.cells(), spec)?))
        }),
        insert: Some(as_insert::<MinimumHash>),
        cardinality: Some(as_cardinality::<MinimumHash>),
        ..row::<MinimumHash>(Kind::MinimumHash, "minimum-hash", Family::Cardinality)
    },
    KindInfo {
        summary: "how many different? a bitmap of ranks for each cell: the first of the sketches",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<ProbabilisticCounting>),
        counter: Some(|error, _, spec| {
            let precision = ProbabilisticCounting::for_error(error)?.precision();
            Ok(Box::new(ProbabilisticCounting::with_spec(precision, spec)?))
        }),
        insert: Some(as_insert::<ProbabilisticCounting>),
        cardinality: Some(as_cardinality::<ProbabilisticCounting>),
        ..row::<ProbabilisticCounting>(
            Kind::ProbabilisticCounting,
            "probabilistic-counting",
            Family::Cardinality,
        )
    },
    KindInfo {
        summary: "how many different? the mean of HyperLogLog's registers: its forerunner",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<LogLog>),
        counter: Some(|error, _, spec| {
            Ok(Box::new(LogLog::with_spec(LogLog::for_error(error)?.precision(), spec)?))
        }),
        insert: Some(as_insert::<LogLog>),
        cardinality: Some(as_cardinality::<LogLog>),
        ..row::<LogLog>(Kind::LogLog, "loglog", Family::Cardinality)
    },
    KindInfo {
        summary: "how many different, and how many shared? the k smallest hashes, with proven error bars",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<KMinValues>),
        similarity: Some(similarity::<KMinValues>),
        counter: Some(|error, _, spec| {
            Ok(Box::new(KMinValues::with_spec(KMinValues::for_error(error)?.k(), spec)?))
        }),
        insert: Some(as_insert::<KMinValues>),
        cardinality: Some(as_cardinality::<KMinValues>),
        ..row::<KMinValues>(Kind::KMinValues, "k-min-values", Family::Cardinality)
    },
    KindInfo {
        summary: "how many different lately? in the last w time units, for any w up to a limit",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<SlidingHyperLogLog>),
        ..row::<SlidingHyperLogLog>(Kind::SlidingHyperLogLog, "sliding-hyperloglog", Family::Cardinality)
    },
    KindInfo {
        summary: "how many different, shared and alike? a hyperloglog with the k smallest hashes beside it",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<Joint>),
        similarity: Some(similarity::<Joint>),
        counter: Some(|error, _, spec| {
            let sized = Joint::for_error(error)?;
            Ok(Box::new(Joint::with_spec(sized.precision(), sized.k(), spec)?))
        }),
        insert: Some(as_insert::<Joint>),
        cardinality: Some(as_cardinality::<Joint>),
        ..row::<Joint>(Kind::Joint, "joint", Family::Cardinality)
    },
    KindInfo {
        summary: "how many different? a HyperLogLog of one stream, a fifth more accurate, not to be merged",
        counter: Some(|error, _, spec| {
            Ok(Box::new(Martingale::<HyperLogLog>::for_error(error)?.emptied_with(spec)?))
        }),
        insert: Some(as_insert::<Martingale<HyperLogLog>>),
        cardinality: Some(as_cardinality::<Martingale<HyperLogLog>>),
        ..row::<Martingale<HyperLogLog>>(
            Kind::MartingaleHyperLogLog,
            "martingale-hyperloglog",
            Family::Cardinality,
        )
    },
    KindInfo {
        summary: "how many different? an ExaLogLog of one stream, an eighth more accurate, not to be merged",
        counter: Some(|error, _, spec| {
            Ok(Box::new(Martingale::<ExaLogLog>::for_error(error)?.emptied_with(spec)?))
        }),
        insert: Some(as_insert::<Martingale<ExaLogLog>>),
        cardinality: Some(as_cardinality::<Martingale<ExaLogLog>>),
        ..row::<Martingale<ExaLogLog>>(Kind::MartingaleExaLogLog, "martingale-exaloglog", Family::Cardinality)
    },
    KindInfo {
        summary: "how often? never too low, too high by a bounded share of the total",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<CountMin>),
        frequency: Some(as_frequency::<CountMin>),
        add: Some(as_add::<CountMin>),
        ..row::<CountMin>(Kind::CountMin, "count-min", Family::Frequency)
    },
    KindInfo {
        summary: "how often? counts that go up and down, wrong by a bounded share of all that was added or taken away",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<SignedCountMin>),
        frequency: Some(as_frequency::<SignedCountMin>),
        add: Some(as_add::<SignedCountMin>),
        ..row::<SignedCountMin>(Kind::SignedCountMin, "signed-count-min", Family::Frequency)
    },
    KindInfo {
        summary: "how often? right on average, up and down, best where few items make up most of the stream",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<CountSketch>),
        frequency: Some(as_frequency::<CountSketch>),
        add: Some(as_add::<CountSketch>),
        ..row::<CountSketch>(Kind::CountSketch, "count-sketch", Family::Frequency)
    },
    KindInfo {
        summary: "which most, and how often? certain bounds in the least memory",
        merge_law: Some(MergeLaw::Bounded),
        decode: decode_elements!(SpaceSaving: u64, i64, String, Vec<u8>),
        merge: merge_elements!(SpaceSaving: u64, i64, String, Vec<u8>),
        ..row::<SpaceSaving<u64>>(Kind::SpaceSaving, "space-saving", Family::Frequency)
    },
    KindInfo {
        summary: "which most, and how often? certain bounds, the fastest",
        merge_law: Some(MergeLaw::Bounded),
        decode: decode_elements!(MisraGries: u64, i64, String, Vec<u8>),
        merge: merge_elements!(MisraGries: u64, i64, String, Vec<u8>),
        ..row::<MisraGries<u64>>(Kind::MisraGries, "misra-gries", Family::Frequency)
    },
    KindInfo {
        summary: "which more than half? the only candidate, in the memory of one item",
        merge_law: Some(MergeLaw::Bounded),
        decode: decode_elements!(Majority: u64, i64, String, Vec<u8>),
        merge: merge_elements!(Majority: u64, i64, String, Vec<u8>),
        ..row::<Majority<u64>>(Kind::Majority, "majority", Family::Frequency)
    },
    KindInfo {
        summary: "how many different, how many, how uneven? the first three frequency moments",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<Moments>),
        ..row::<Moments>(Kind::Moments, "moments", Family::Frequency)
    },
    KindInfo {
        summary: "which rank, which quantile? a few values of each weight, with proven error bars; insert only",
        merge_law: Some(MergeLaw::Bounded),
        decode: decode_elements!(Kll: u64, i64, f64, String, Vec<u8>, Number),
        merge: merge_elements!(Kll: u64, i64, f64, String, Vec<u8>, Number),
        ..row::<Kll<u64>>(Kind::Kll, "kll", Family::Quantile)
    },
    KindInfo {
        summary: "how many in a range, which quantile? counts of numbers that can be removed again, certain bounds",
        merge_law: Some(MergeLaw::Exact),
        decode: decode_elements!(DyadicCountMin: u64, i64, f64),
        merge: merge_elements!(DyadicCountMin: u64, i64, f64),
        ..row::<DyadicCountMin<u64>>(Kind::DyadicCountMin, "dyadic-count-min", Family::Quantile)
    },
    KindInfo {
        summary: "which are typical? k items of the stream, each set of k equally likely",
        merge_law: Some(MergeLaw::Distribution),
        decode: decode_elements!(Reservoir: u64, i64, f64, String, Vec<u8>),
        merge: merge_elements!(Reservoir: u64, i64, f64, String, Vec<u8>),
        ..row::<Reservoir<u64>>(Kind::Reservoir, "reservoir", Family::Sampling)
    },
    KindInfo {
        summary: "which are typical, by weight? k items of the stream, the heavier the likelier",
        merge_law: Some(MergeLaw::Distribution),
        decode: decode_elements!(WeightedReservoir: u64, i64, f64, String, Vec<u8>),
        merge: merge_elements!(WeightedReservoir: u64, i64, f64, String, Vec<u8>),
        ..row::<WeightedReservoir<u64>>(Kind::WeightedReservoir, "weighted-reservoir", Family::Sampling)
    },
    KindInfo {
        summary: "how many? a share of them is counted, for counts a few times too large for the bits",
        merge_law: Some(MergeLaw::Distribution),
        merge: Some(merge::<BinomialCounter>),
        ..row::<BinomialCounter>(Kind::BinomialCounter, "binomial-counter", Family::Counting)
    },
    KindInfo {
        summary: "how many? the logarithm of the count, in log log n bits",
        merge_law: Some(MergeLaw::Distribution),
        merge: Some(merge::<MorrisCounter>),
        ..row::<MorrisCounter>(Kind::MorrisCounter, "morris-counter", Family::Counting)
    },
    KindInfo {
        summary: "how many of each? numbered counters that count a share, a few bits each",
        merge_law: Some(MergeLaw::Distribution),
        merge: Some(merge::<BinomialArray>),
        ..row::<BinomialArray>(Kind::BinomialArray, "binomial-array", Family::Counting)
    },
    KindInfo {
        summary: "how many of each? a million counts of any size in a megabyte",
        merge_law: Some(MergeLaw::Distribution),
        merge: Some(merge::<MorrisArray>),
        ..row::<MorrisArray>(Kind::MorrisArray, "morris-array", Family::Counting)
    },
    KindInfo {
        summary: "how alike? the smallest value of each of k functions: the classic signature",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<MinHash>),
        similarity: Some(similarity::<MinHash>),
        insert: Some(as_insert::<MinHash>),
        ..row::<MinHash>(Kind::MinHash, "min-hash", Family::Similarity)
    },
    KindInfo {
        summary: "how alike? the smallest hash in each of k bins: one step an item, however many bins",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<OnePermutation>),
        similarity: Some(similarity::<OnePermutation>),
        insert: Some(as_insert::<OnePermutation>),
        ..row::<OnePermutation>(Kind::OnePermutation, "one-permutation", Family::Similarity)
    },
    KindInfo {
        summary: "how alike? a few bits of each slot of a signature: for many sets that change no more",
        similarity: Some(similarity::<BBitMinHash>),
        ..row::<BBitMinHash>(Kind::BBitMinHash, "b-bit-min-hash", Family::Similarity)
    },
    KindInfo {
        summary: "how alike are weighted sets? the weight in common, in k slots",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<WeightedMinHash>),
        similarity: Some(similarity::<WeightedMinHash>),
        ..row::<WeightedMinHash>(Kind::WeightedMinHash, "weighted-min-hash", Family::Similarity)
    },
    KindInfo {
        summary: "how alike in direction? the angle of weighted sets or vectors, in 64 bits or more",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<SimHash>),
        similarity: Some(similarity::<SimHash>),
        ..row::<SimHash>(Kind::SimHash, "sim-hash", Family::Similarity)
    },
    KindInfo {
        summary: "which are like this, and which like each other? signatures, found by the bands they share",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<LshIndex>),
        ..row::<LshIndex>(Kind::LshIndex, "lsh-index", Family::Similarity)
    },
    KindInfo {
        summary: "which fingerprints are within a few bits? all of them, exactly",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<HammingIndex>),
        ..row::<HammingIndex>(Kind::HammingIndex, "hamming-index", Family::Similarity)
    },
    KindInfo {
        summary: "has something like this come before? a filter of the bands of signatures, in a fixed memory",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<LshBloom>),
        ..row::<LshBloom>(Kind::LshBloom, "lsh-bloom", Family::Similarity)
    },
    KindInfo {
        summary: "is anything within a distance of this in the set? bit strings and sets, both errors chosen",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<DistanceBloom>),
        ..row::<DistanceBloom>(Kind::DistanceBloom, "distance-bloom", Family::Similarity)
    },
    KindInfo {
        summary: "which value has it? never too small a one, too large at a chosen rate; any ordered numbers",
        merge_law: Some(MergeLaw::Exact),
        decode: decode_elements!(LinearBloom, CellValue: f64, f32, u64, i64, u32, i32, u16, i16, u8, i8),
        merge: merge_elements!(LinearBloom: f64, f32, u64, i64, u32, i32, u16, i16, u8, i8),
        ..row::<LinearBloom<f64>>(Kind::LinearBloom, "linear-bloom", Family::Valued)
    },
    KindInfo {
        summary: "which value has it? rounded up to a scale, in one byte a cell or two",
        merge_law: Some(MergeLaw::Exact),
        decode: decode_elements!(QuantisedBloom, Level: u8, u16),
        merge: merge_elements!(QuantisedBloom: u8, u16),
        ..row::<QuantisedBloom<u8>>(Kind::QuantisedBloom, "quantised-bloom", Family::Valued)
    },
    KindInfo {
        summary: "which value has it, by now and from here? values fade with time and distance: a routing table",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<DecayingBloom>),
        ..row::<DecayingBloom>(Kind::DecayingBloom, "decaying-bloom", Family::Valued)
    },
    KindInfo {
        summary: "which value has it? keys that never change with values of a few bits, hardly more than the bits",
        ..row::<BloomierFilter>(Kind::BloomierFilter, "bloomier-filter", Family::Valued)
    },
    KindInfo {
        summary: "are u and v joined? a Bloom filter of the edges: none is lost, a chosen share of others seems joined",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<EdgeBloom>),
        ..row::<EdgeBloom>(Kind::EdgeBloom, "edge-bloom", Family::Graph)
    },
    KindInfo {
        summary: "are u and v joined? a Bloom filter for each vertex, as large as it has neighbours: two of them tell",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<VertexBlooms>),
        ..row::<VertexBlooms>(Kind::VertexBlooms, "vertex-blooms", Family::Graph)
    },
    KindInfo {
        summary: "which k-mers, and what follows what? a genome's graph in a few bits a k-mer",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<DeBruijn>),
        ..row::<DeBruijn>(Kind::DeBruijn, "de-bruijn", Family::Graph)
    },
    KindInfo {
        summary: "what follows what? a genome's graph that never changes, every path right, in five bits a k-mer",
        ..row::<ExactDeBruijn>(Kind::ExactDeBruijn, "exact-de-bruijn", Family::Graph)
    },
    KindInfo {
        summary: "are u and v joined? a bit for each pair of vertices, exact",
        merge_law: Some(MergeLaw::Exact),
        merge: Some(merge::<AdjacencyMatrix>),
        ..row::<AdjacencyMatrix>(Kind::AdjacencyMatrix, "adjacency-matrix", Family::Graph)
    },
    KindInfo {
        summary: "are u and v joined? the neighbours of each vertex in a row, exact",
        ..row::<AdjacencyList>(Kind::AdjacencyList, "adjacency-list", Family::Graph)
    },
    KindInfo {
        summary: "are u and v joined? the parent of each vertex of a tree, exact",
        ..row::<ParentTree>(Kind::ParentTree, "parent-tree", Family::Graph)
    },
    KindInfo {
        summary: "do u and v meet? the order of the ends of intervals, exact",
        ..row::<IntervalGraph>(Kind::IntervalGraph, "interval-graph", Family::Graph)
    },
    KindInfo {
        summary: "are u and v joined? labels of any graph that tell it alone, both errors chosen",
        ..row::<IntersectionLabels>(Kind::IntersectionLabels, "intersection-labels", Family::Graph)
    },
    KindInfo {
        summary: "are u and v joined? labels of a tree that tell it alone, of a size that does not grow",
        ..row::<TreeLabels>(Kind::TreeLabels, "tree-labels", Family::Graph)
    },
    KindInfo {
        summary: "are u and v joined? labels of a graph of two sides, which one bit tells",
        ..row::<BipartiteLabels>(Kind::BipartiteLabels, "bipartite-labels", Family::Graph)
    },
    KindInfo {
        summary: "what is in a table? types, different values, ends, quantiles and top values of all columns",
        merge_law: Some(MergeLaw::Bounded),
        merge: Some(merge::<TableProfile>),
        ..row::<TableProfile>(Kind::TableProfile, "table-profile", Family::Profile)
    },
];

/// The columns that every row fills the same way; the others say "cannot".
const fn row<S: AnySketch + Wire>(kind: Kind, name: &'static str, family: Family) -> KindInfo {
    KindInfo {
        kind,
        name,
        family,
        summary: "",
        merge_law: None,
        decode: decode_as::<S>,
        merge: None,
        similarity: None,
        copies: false,
        filter: None,
        counter: None,
        insert: None,
        remove: None,
        membership: None,
        cardinality: None,
        frequency: None,
        add: None,
    }
}

fn as_insert<S: AnySketch + Insert>(sketch: &mut dyn AnySketch) -> Option<&mut (dyn Insert + 'static)> {
    sketch.as_any_mut().downcast_mut::<S>().map(|sketch| sketch as _)
}

fn as_remove<S: AnySketch + Remove>(sketch: &mut dyn AnySketch) -> Option<&mut (dyn Remove + 'static)> {
    sketch.as_any_mut().downcast_mut::<S>().map(|sketch| sketch as _)
}

fn as_membership<S: AnySketch + Membership>(sketch: &dyn AnySketch) -> Option<&(dyn Membership + 'static)> {
    sketch.as_any().downcast_ref::<S>().map(|sketch| sketch as _)
}

fn as_cardinality<S: AnySketch + Cardinality>(
    sketch: &dyn AnySketch,
) -> Option<&(dyn Cardinality + 'static)> {
    sketch.as_any().downcast_ref::<S>().map(|sketch| sketch as _)
}

fn as_frequency<S: AnySketch + Frequency>(sketch: &dyn AnySketch) -> Option<&(dyn Frequency + 'static)> {
    sketch.as_any().downcast_ref::<S>().map(|sketch| sketch as _)
}

fn as_add<S: AnySketch + Frequency>(sketch: &mut dyn AnySketch) -> Option<&mut (dyn Frequency + 'static)> {
    sketch.as_any_mut().downcast_mut::<S>().map(|sketch| sketch as _)
}

fn decode_as<S: AnySketch + Wire>(bytes: &[u8], options: &DecodeOptions) -> Result<Box<dyn AnySketch>> {
    Ok(Box::new(S::from_bytes_with(bytes, options)?))
}

fn merge<S: AnySketch + Merge>(into: &mut dyn AnySketch, from: &dyn AnySketch) -> Result<()> {
    let (ours, theirs) = (into.kind(), from.kind());
    match (into.as_any_mut().downcast_mut::<S>(), from.as_any().downcast_ref::<S>()) {
        (Some(into), Some(from)) => into.merge(from),
        _ if ours == theirs => Err(Error::incompatible(
            "elements",
            "one type",
            "another",
            "only sketches that keep elements of the same type merge",
        )),
        _ => Err(other_kind(ours, theirs)),
    }
}

fn similarity<S: AnySketch + Similarity>(first: &dyn AnySketch, second: &dyn AnySketch) -> Result<Estimate> {
    match (first.as_any().downcast_ref::<S>(), second.as_any().downcast_ref::<S>()) {
        (Some(first), Some(second)) => first.similarity(second),
        _ => Err(other_kind(first.kind(), second.kind())),
    }
}

fn other_kind(ours: Kind, theirs: Kind) -> Error {
    let (ours, theirs) = (ours.info().name, theirs.info().name);
    Error::incompatible("kind", ours, theirs, "only sketches of the same kind go together")
}

impl Kind {
    /// The id in files.
    pub fn id(self) -> u16 {
        self as u16
    }

    /// The structure's row of [`KINDS`].
    ///
    /// # Panics
    /// Never: a test holds the table to one row for every kind.
    pub fn info(self) -> &'static KindInfo {
        KINDS.iter().find(|info| info.kind == self).expect("every kind has its row")
    }
}

pub(crate) fn kind_of_id(id: u16) -> Option<Kind> {
    KINDS.iter().map(|info| info.kind).find(|kind| kind.id() == id)
}

/// Reads any sketch.
///
/// ```
/// use crivo::{CountMin, CountMinParams, DecodeOptions, decode};
/// let bytes = CountMin::new(CountMinParams::exact(100, 4)?).to_bytes();
/// let sketch = decode(&bytes, &DecodeOptions::default())?;
/// assert_eq!(sketch.kind().info().name, "count-min");
/// assert_eq!(sketch.encode(), bytes);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// As [`Wire::from_bytes_with`].
pub fn decode(bytes: &[u8], options: &DecodeOptions) -> Result<Box<dyn AnySketch>> {
    (peek(bytes)?.kind.info().decode)(bytes, options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn ids_and_names_are_unique_and_rows_complete() {
        let ids: BTreeSet<u16> = KINDS.iter().map(|info| info.kind.id()).collect();
        let names: BTreeSet<&str> = KINDS.iter().map(|info| info.name).collect();
        assert_eq!((ids.len(), names.len()), (KINDS.len(), KINDS.len()));
        for info in KINDS {
            assert!(!info.summary.is_empty(), "{}", info.name);
            assert_eq!(info.kind.info().name, info.name);
            assert_eq!(info.merge.is_some(), info.merge_law.is_some(), "{}", info.name);
        }
    }
}
