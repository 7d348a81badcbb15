//! The registry of all structures, which drives decoding of any sketch, the command and the tests. It stands above all
//! families and is the only module that knows them.

mod compare;

pub use compare::compare_sets;

use crate::cardinality::{ExaLogLog, HyperLogLog, Martingale};
use crate::codec::{DecodeOptions, element_tag, peek};
use crate::frequency::{Majority, MisraGries, SpaceSaving};
use crate::kind::{Kind, for_each_kind};
use crate::membership::FilterPlan;
use crate::quantile::{DyadicCountMin, Kll};
use crate::sampling::{Reservoir, WeightedReservoir};
use crate::sketch::{AnySketch, Cardinality, Empty, Insert, Membership, Merge, Remove, Similarity, Wire};
use crate::valued::{CellValue, Level, LinearBloom, QuantisedBloom};
use crate::{Element, Error, Estimate, HashSpec, Number, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

type Decode = fn(&[u8], &DecodeOptions) -> Result<Box<dyn AnySketch>>;
type View<T> = fn(&dyn AnySketch) -> Option<&T>;
type ViewMut<T> = fn(&mut dyn AnySketch) -> Option<&mut T>;
type MakeEmpty = fn(u64, f64, HashSpec) -> Result<Box<dyn AnySketch>>;
type Freeze = fn(&[u64], f64, HashSpec) -> Result<Box<dyn AnySketch>>;
type MakeCounter = fn(f64, Option<u64>, HashSpec) -> Result<Box<dyn AnySketch>>;
type MergeInto = fn(&mut dyn AnySketch, &dyn AnySketch) -> Result<()>;
type Compare = fn(&dyn AnySketch, &dyn AnySketch) -> Result<Estimate>;

/// One row of [`KINDS`]: what can be done with a structure without knowing which it is.
///
/// The columns that end the row are views of an [`AnySketch`] as what it can do; they give `None` for a
/// sketch of another kind.
#[derive(Clone, Copy, Debug)]
pub struct KindInfo {
    /// The structure.
    pub kind: Kind,
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

/// Sets the columns of a row for one of the words in the table of kinds.
macro_rules! able {
    ($row:ident, $module:ident, $kind:ident, copies) => {
        $row.copies = true;
    };
    ($row:ident, $module:ident, $kind:ident, insert) => {
        $row.insert = Some(as_insert::<This>);
    };
    ($row:ident, $module:ident, $kind:ident, remove) => {
        $row.remove = Some(as_remove::<This>);
    };
    ($row:ident, $module:ident, $kind:ident, contains) => {
        $row.membership = Some(as_membership::<This>);
    };
    ($row:ident, $module:ident, $kind:ident, estimate) => {
        $row.cardinality = Some(as_cardinality::<This>);
    };
    ($row:ident, $module:ident, $kind:ident, similarity) => {
        $row.similarity = Some(similarity::<This>);
    };
    // A filter whose params follow from the target, and from more that is fixed here.
    ($row:ident, $module:ident, $kind:ident, filter($params:ident $(, $more:expr)?)) => {
        $row.filter = Some(FilterTarget {
            plan: |items, fpr| Ok(crate::$module::$params::for_fpr(items, fpr $(, $more)?)?.plan(items)),
            make: MakeFilter::Empty(|items, fpr, spec| {
                let params = crate::$module::$params::for_fpr(items, fpr $(, $more)?)?;
                Ok(Box::new(This::empty(params, spec)))
            }),
        });
    };
    // A filter that is made of all its items at once.
    ($row:ident, $module:ident, $kind:ident, freeze($params:ident)) => {
        $row.filter = Some(FilterTarget {
            plan: |items, fpr| crate::$module::$params::for_fpr(items, fpr)?.plan(items),
            make: MakeFilter::Frozen(|hashes, fpr, spec| {
                let params = crate::$module::$params::for_fpr(hashes.len().max(1) as u64, fpr)?;
                Ok(Box::new(This::freeze_hashes(hashes.iter().copied(), params, spec)?))
            }),
        });
    };
    ($row:ident, $module:ident, $kind:ident, counter) => {
        $row.counter = Some(|error, _, spec| Ok(Box::new(This::for_error(error)?.with_hash(spec))));
    };
    ($row:ident, $module:ident, $kind:ident, counter_of_items) => {
        $row.counter = Some(|error, items, spec| {
            let items = items.ok_or_else(|| {
                Error::invalid(
                    "the size of linear counting follows from how many there are; give the number of items (--items in the command)",
                )
            })?;
            Ok(Box::new(This::for_error(items, error)?.with_hash(spec)))
        });
    };
    ($row:ident, $module:ident, $kind:ident, exact_counter) => {
        $row.counter = Some(|_, _, spec| Ok(Box::new(This::empty((), spec))));
    };
    // A sketch that keeps elements of one of these types, told by the tag in its file.
    ($row:ident, $module:ident, $kind:ident, elements($tagged:ident: $($element:ty),+)) => {
        $row.decode = |bytes, options| {
            let tag = element_tag(bytes)?;
            $(if tag == <$element as $tagged>::TAG {
                return decode_as::<$kind<$element>>(bytes, options);
            })+
            Err(Error::unsupported(format!(
                "a {} that keeps elements with the tag {tag}: read it as what it is, with from_bytes",
                stringify!($kind)
            )))
        };
        $row.merge = Some(|into, from| {
            $(if into.as_any().is::<$kind<$element>>() {
                return merge::<$kind<$element>>(into, from);
            })+
            if into.kind() != from.kind() {
                return Err(other_kind(into.kind(), from.kind()));
            }
            Err(Error::unsupported("elements of a type of one's own: merge the sketches as what they are"))
        });
    };
}

macro_rules! registry {
    ($($module:ident: $family:ident {
        $($(#[$cfg:meta])* $kind:ident $(as $type:ty)? = $id:literal $name:literal $law:ident
            [$($can:ident $(($($how:tt)*))?),*] $summary:literal;)+
    })+) => {
        /// Every structure of the library, by id.
        ///
        /// ```
        /// for info in crivo::KINDS {
        ///     println!("{:15} {:12} {}", info.kind.name(), info.kind.family().name(), info.kind.summary());
        /// }
        /// ```
        pub static KINDS: &[KindInfo] = &[$($($(#[$cfg])* {
            type This = registry!(@type $module $kind $($type)?);
            #[allow(unused_mut, reason = "some can do nothing else")]
            let mut row = row::<This>(Kind::$kind);
            registry!(@merge row, $law);
            $(able!(row, $module, $kind, $can $(($($how)*))?);)*
            row
        },)+)+];
    };
    (@type $module:ident $kind:ident) => { crate::$module::$kind };
    (@type $module:ident $kind:ident $type:ty) => { $type };
    (@merge $row:ident, Never) => {};
    (@merge $row:ident, $law:ident) => { $row.merge = Some(merge::<This>); };
}
for_each_kind!(registry);

/// A row of a structure that can only be read.
const fn row<S: AnySketch + Wire>(kind: Kind) -> KindInfo {
    KindInfo {
        kind,
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
    Error::incompatible("kind", ours.name(), theirs.name(), "only sketches of the same kind go together")
}

impl Kind {
    /// The structure's row of [`KINDS`].
    ///
    /// # Panics
    /// Never: both are made of one table.
    pub fn info(self) -> &'static KindInfo {
        let place = KINDS.binary_search_by_key(&self.id(), |info| info.kind.id());
        &KINDS[place.expect("every kind has its row")]
    }
}

/// Reads any sketch.
///
/// ```
/// use crivo::{CountMin, DecodeOptions, decode};
/// use crivo::frequency::CountMinParams;
/// let bytes = CountMin::with_params(CountMinParams::exact(100, 4)?).to_bytes();
/// let sketch = decode(&bytes, &DecodeOptions::default())?;
/// assert_eq!(sketch.kind().name(), "count-min");
/// assert_eq!(sketch.encode(), bytes);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// As [`Wire::from_bytes_with`].
pub fn decode(bytes: &[u8], options: &DecodeOptions) -> Result<Box<dyn AnySketch>> {
    (peek(bytes)?.kind.info().decode)(bytes, options)
}
