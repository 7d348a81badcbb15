//! The registry of all structures, which drives the decoding of any sketch, the command and the tests. It
//! stands above all families and is the only module that knows them all.

mod compare;

pub use compare::compare_sets;

use crate::cardinality::{ExaLogLog, HyperLogLog, Martingale};
use crate::codec::{DecodeOptions, element_tag, peek};
use crate::frequency::{Majority, MisraGries, SpaceSaving};
use crate::kind::{Kind, for_each_kind};
use crate::membership::FilterPlan;
use crate::quantile::{DyadicCountMin, Kll, ReqSketch};
use crate::sampling::{Reservoir, VarOpt, WeightedReservoir};
use crate::sketch::{Cardinality, Empty, Fold, Insert, Membership, Remove, Sketch, other_kind};
use crate::valued::{CellValue, Level, LinearBloom, QuantisedBloom};
use crate::{Element, Error, Estimate, HashSpec, Number, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

type Decode = fn(&[u8], &DecodeOptions) -> Result<Box<dyn Sketch>>;
type View<T> = fn(&dyn Sketch) -> Option<&T>;
type ViewMut<T> = fn(&mut dyn Sketch) -> Option<&mut T>;
type MakeEmpty = fn(u64, f64, HashSpec) -> Result<Box<dyn Sketch>>;
type Freeze = fn(&[u64], f64, HashSpec) -> Result<Box<dyn Sketch>>;
type MakeCounter = fn(f64, Option<u64>, HashSpec) -> Result<Box<dyn Sketch>>;
type FoldTo = fn(&dyn Sketch, &dyn Sketch) -> Option<Box<dyn Sketch>>;
type Compare = fn(&dyn Sketch, &dyn Sketch) -> Result<Estimate>;

/// A row of [`KINDS`]: what can be done with a structure without knowing its type.
///
/// The last columns are functions that view a [`Sketch`] as one of its abilities; they return `None` for a
/// sketch of another kind.
#[derive(Clone, Copy, Debug)]
pub struct KindInfo {
    /// The kind of the structure.
    pub kind: Kind,
    /// Decodes the structure from bytes.
    pub decode: Decode,
    /// Computes the similarity of the sets of two sketches, from 0 to 1; `None` if the structure cannot.
    pub similarity: Option<Compare>,
    /// Returns the first sketch with the size of the second one, as if it had had that size from the start; `None`
    /// unless the second one is smaller and the first one folds to its size. Hashes are not compared.
    pub fold: Option<FoldTo>,
    /// True if inserting an item again adds a copy, which must be removed separately.
    pub copies: bool,
    /// Creates a filter from a target; `None` for other families and for tables of a fixed universe.
    pub filter: Option<FilterTarget>,
    /// Creates an empty counter of distinct items from the half-width of its 95 % interval as a share of the
    /// estimate, the number of items (only some kinds need it, and return an error without it), and the hash.
    pub counter: Option<MakeCounter>,
    /// Views the sketch as [`Insert`].
    pub insert: Option<ViewMut<dyn Insert>>,
    /// Views the sketch as [`Remove`].
    pub remove: Option<ViewMut<dyn Remove>>,
    /// Views the sketch as [`Membership`].
    pub membership: Option<View<dyn Membership>>,
    /// Views the sketch as [`Cardinality`].
    pub cardinality: Option<View<dyn Cardinality>>,
}

/// Functions that plan or create a filter from a number of items and a false-positive rate.
#[derive(Clone, Copy, Debug)]
pub struct FilterTarget {
    /// Computes the cost of the filter without creating it.
    pub plan: fn(items: u64, fpr: f64) -> Result<FilterPlan>,
    /// Creates the filter.
    pub make: MakeFilter,
}

/// The two ways to create a filter.
#[derive(Clone, Copy, Debug)]
pub enum MakeFilter {
    /// An empty filter, to insert into: from the number of items, the rate and the hash.
    Empty(MakeEmpty),
    /// A static filter: from the hashes of all its items, the rate, and the spec that the hashes were
    /// computed with.
    Frozen(Freeze),
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
            $(registry!(@$can row, $module, $kind $(, $($how)*)?);)*
            row
        },)+)+];
    };
    (@type $module:ident $kind:ident) => { crate::$module::$kind };
    (@type $module:ident $kind:ident $type:ty) => { $type };
    // The columns of a row for each word in the table of kinds.
    (@copies $row:ident, $module:ident, $kind:ident) => {
        $row.copies = true;
    };
    (@insert $row:ident, $module:ident, $kind:ident) => {
        $row.insert = Some(as_insert::<This>);
    };
    (@remove $row:ident, $module:ident, $kind:ident) => {
        $row.remove = Some(as_remove::<This>);
    };
    (@contains $row:ident, $module:ident, $kind:ident) => {
        $row.membership = Some(as_membership::<This>);
    };
    (@estimate $row:ident, $module:ident, $kind:ident) => {
        $row.cardinality = Some(as_cardinality::<This>);
    };
    (@similarity $row:ident, $module:ident, $kind:ident) => {
        $row.similarity = Some(|first, second| match (first.downcast_ref(), second.downcast_ref()) {
            (Some(first), Some(second)) => This::similarity(first, second),
            _ => Err(other_kind(first.kind(), second.kind())),
        });
    };
    (@fold $row:ident, $module:ident, $kind:ident) => {
        $row.fold = Some(|fine, coarse| Some(Box::new(This::fold_to(fine.downcast_ref()?, coarse.downcast_ref()?)?)));
    };
    // A filter whose params follow from the target, and from further values that are fixed here.
    (@filter $row:ident, $module:ident, $kind:ident, $params:ident $(, $more:expr)?) => {
        $row.filter = Some(FilterTarget {
            plan: |items, fpr| Ok(crate::$module::$params::for_fpr(items, fpr $(, $more)?)?.plan(items)),
            make: MakeFilter::Empty(|items, fpr, spec| {
                let params = crate::$module::$params::for_fpr(items, fpr $(, $more)?)?;
                Ok(Box::new(This::empty(params, spec)))
            }),
        });
    };
    // A filter that is built from all its items at once.
    (@freeze $row:ident, $module:ident, $kind:ident, $params:ident) => {
        $row.filter = Some(FilterTarget {
            plan: |items, fpr| crate::$module::$params::for_fpr(items, fpr)?.plan(items),
            make: MakeFilter::Frozen(|hashes, fpr, spec| {
                let params = crate::$module::$params::for_fpr(hashes.len().max(1) as u64, fpr)?;
                Ok(Box::new(This::freeze_hashes(hashes.iter().copied(), params, spec)?))
            }),
        });
    };
    (@counter $row:ident, $module:ident, $kind:ident) => {
        $row.counter = Some(|error, _, spec| Ok(Box::new(This::for_error(error)?.with_hash(spec))));
    };
    (@counter_of_items $row:ident, $module:ident, $kind:ident) => {
        $row.counter = Some(|error, items, spec| {
            let items = items.ok_or_else(|| {
                Error::invalid(
                    "the size of linear counting depends on the number of items; give it (--items in the command)",
                )
            })?;
            Ok(Box::new(This::for_error(items, error)?.with_hash(spec)))
        });
    };
    (@exact_counter $row:ident, $module:ident, $kind:ident) => {
        $row.counter = Some(|_, _, spec| Ok(Box::new(This::empty((), spec))));
    };
    // A sketch that keeps elements of one of these types, which the tag in its file names.
    (@elements $row:ident, $module:ident, $kind:ident, $tagged:ident: $($element:ty),+) => {
        $row.decode = |bytes, options| {
            let tag = element_tag(bytes)?;
            $(if tag == <$element as $tagged>::TAG {
                return decode_as::<$kind<$element>>(bytes, options);
            })+
            Err(Error::unsupported(format!(
                "a {} that keeps elements of the custom type with tag {tag}; read it with from_bytes of its own type",
                stringify!($kind)
            )))
        };
    };
}
for_each_kind!(registry);

/// Returns the row of a structure that can only be decoded.
const fn row<S: Sketch>(kind: Kind) -> KindInfo {
    KindInfo {
        kind,
        decode: decode_as::<S>,
        similarity: None,
        fold: None,
        copies: false,
        filter: None,
        counter: None,
        insert: None,
        remove: None,
        membership: None,
        cardinality: None,
    }
}

fn as_insert<S: Insert>(sketch: &mut dyn Sketch) -> Option<&mut (dyn Insert + 'static)> {
    sketch.downcast_mut::<S>().map(|sketch| sketch as _)
}

fn as_remove<S: Remove>(sketch: &mut dyn Sketch) -> Option<&mut (dyn Remove + 'static)> {
    sketch.downcast_mut::<S>().map(|sketch| sketch as _)
}

fn as_membership<S: Membership>(sketch: &dyn Sketch) -> Option<&(dyn Membership + 'static)> {
    sketch.downcast_ref::<S>().map(|sketch| sketch as _)
}

fn as_cardinality<S: Cardinality>(sketch: &dyn Sketch) -> Option<&(dyn Cardinality + 'static)> {
    sketch.downcast_ref::<S>().map(|sketch| sketch as _)
}

fn decode_as<S: Sketch>(bytes: &[u8], options: &DecodeOptions) -> Result<Box<dyn Sketch>> {
    Ok(Box::new(S::from_bytes_with(bytes, options)?))
}

impl Kind {
    /// Returns the row of [`KINDS`] for this kind.
    ///
    /// # Panics
    /// Never panics: both come from one table.
    pub fn info(self) -> &'static KindInfo {
        /// The place of each kind in the table, by the family and the number within it.
        const PLACES: [[u8; 32]; 16] = {
            let (mut places, mut place) = ([[0; 32]; 16], 0);
            while place < Kind::ALL.len() {
                let id = Kind::ALL[place] as usize;
                places[id >> 8][id & 0xff] = place as u8;
                place += 1;
            }
            places
        };
        let id = usize::from(self.id());
        &KINDS[usize::from(PLACES[id >> 8][id & 0xff])]
    }
}

/// Decodes a sketch of any kind.
///
/// ```
/// use crivo::{CountMin, DecodeOptions, decode};
/// use crivo::frequency::CountMinParams;
/// let bytes = CountMin::with_params(CountMinParams::exact(100, 4)?).to_bytes();
/// let sketch = decode(&bytes, &DecodeOptions::default())?;
/// assert_eq!(sketch.kind().name(), "count-min");
/// assert_eq!(sketch.to_bytes(), bytes);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// As [`Sketch::from_bytes_with`].
pub fn decode(bytes: &[u8], options: &DecodeOptions) -> Result<Box<dyn Sketch>> {
    (peek(bytes)?.kind.info().decode)(bytes, options)
}
