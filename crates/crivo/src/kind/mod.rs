//! The names and ids of all structures. Their abilities are in the [registry](crate::registry).

mod table;

pub(crate) use table::for_each_kind;

/// What a structure guarantees about its merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MergeLaw {
    /// The merged state equals the state after one pass over both streams.
    Exact,
    /// The merged answers stay within a stated error of one pass.
    Bounded,
    /// The merged state has the same distribution as one pass over both streams. This holds for randomised
    /// sketches whose parts have different random seeds.
    Distribution,
}

macro_rules! kinds {
    ($($module:ident: $family:ident {
        $($(#[$cfg:meta])* $kind:ident $(as $type:ty)? = $id:literal $name:literal $law:ident [$($can:tt)*] $summary:literal;)+
    })+) => {
        /// The kind of a structure. The number is its id in files, with the family in the high byte; ids are
        /// never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u16)]
        pub enum Kind {
            $($($(#[$cfg])* #[doc = $summary] $kind = $id,)+)+
        }

        impl Kind {
            /// All kinds, by id.
            pub const ALL: &[Self] = &[$($($(#[$cfg])* Self::$kind,)+)+];

            /// Returns the kind with this id.
            pub(crate) fn of_id(id: u16) -> Option<Self> {
                match id {
                    $($($(#[$cfg])* $id => Some(Self::$kind),)+)+
                    _ => None,
                }
            }

            /// Returns the name that the command and descriptions of files use.
            pub fn name(self) -> &'static str {
                match self {
                    $($($(#[$cfg])* Self::$kind => $name,)+)+
                }
            }

            /// Returns the family, that is, the question that the structure answers.
            pub fn family(self) -> Family {
                match self {
                    $($($(#[$cfg])* Self::$kind => Family::$family,)+)+
                }
            }

            /// Returns a one-line description.
            pub fn summary(self) -> &'static str {
                match self {
                    $($($(#[$cfg])* Self::$kind => $summary,)+)+
                }
            }

            /// Returns the strongest merge law of the structure;
            /// [`Sketch::merge_law`](crate::sketch::Sketch::merge_law) returns the law of a sketch with given
            /// parameters. `None` if the structure cannot merge.
            pub fn merge_law(self) -> Option<MergeLaw> {
                match self {
                    $($($(#[$cfg])* Self::$kind => kinds!(@law $law),)+)+
                }
            }
        }

        impl Family {
            /// Returns the name, which is also the name of the module.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$family => stringify!($module),)+
                }
            }
        }
    };
    (@law Never) => { None };
    (@law $law:ident) => { Some(MergeLaw::$law) };
}
for_each_kind!(kinds);

impl Kind {
    /// Returns the id in files.
    pub fn id(self) -> u16 {
        self as u16
    }
}

/// A family: the structures that answer one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Membership: is an item in a set?
    Membership,
    /// Cardinality: how many distinct items are there?
    Cardinality,
    /// Frequencies: how often does an item occur, and which items are the heavy hitters?
    Frequency,
    /// Quantiles, ranks and range counts.
    Quantile,
    /// Random samples.
    Sampling,
    /// Counting events in a few bits.
    Counting,
    /// Similarity of sets and documents.
    Similarity,
    /// Key–value lookup.
    Valued,
    /// Graphs: are two vertices adjacent?
    Graph,
    /// Profiles of tables.
    Profile,
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn ids_and_names_are_unique() {
        let ids: BTreeSet<u16> = Kind::ALL.iter().map(|kind| kind.id()).collect();
        let names: BTreeSet<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!((ids.len(), names.len()), (Kind::ALL.len(), Kind::ALL.len()));
        assert!(Kind::ALL.is_sorted_by_key(|kind| kind.id()));
        for &kind in Kind::ALL {
            assert_eq!(Kind::of_id(kind.id()), Some(kind));
            assert!(!kind.summary().is_empty(), "{}", kind.name());
        }
        assert_eq!(Kind::of_id(0), None);
    }
}
