//! The names and numbers of all structures. What they can do is in the [registry](crate::registry).

mod table;

pub(crate) use table::for_each_kind;

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

macro_rules! kinds {
    ($($module:ident: $family:ident {
        $($(#[$cfg:meta])* $kind:ident $(as $type:ty)? = $id:literal $name:literal $law:ident [$($can:tt)*] $summary:literal;)+
    })+) => {
        /// A structure. The number is its id in files: the family in the high byte; never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u16)]
        pub enum Kind {
            $($($(#[$cfg])* #[doc = $summary] $kind = $id,)+)+
        }

        impl Kind {
            /// Every structure, by id.
            pub const ALL: &[Self] = &[$($($(#[$cfg])* Self::$kind,)+)+];

            /// The structure with this id.
            pub(crate) fn of_id(id: u16) -> Option<Self> {
                match id {
                    $($($(#[$cfg])* $id => Some(Self::$kind),)+)+
                    _ => None,
                }
            }

            /// Its name in the command and in files' descriptions.
            pub fn name(self) -> &'static str {
                match self {
                    $($($(#[$cfg])* Self::$kind => $name,)+)+
                }
            }

            /// The question it answers.
            pub fn family(self) -> Family {
                match self {
                    $($($(#[$cfg])* Self::$kind => Family::$family,)+)+
                }
            }

            /// One line about it.
            pub fn summary(self) -> &'static str {
                match self {
                    $($($(#[$cfg])* Self::$kind => $summary,)+)+
                }
            }

            /// What its merge promises at best; [`Sketch::merge_law`](crate::sketch::Sketch::merge_law) tells what a
            /// sketch promises under its parameters. `None` where it cannot merge.
            pub fn merge_law(self) -> Option<MergeLaw> {
                match self {
                    $($($(#[$cfg])* Self::$kind => kinds!(@law $law),)+)+
                }
            }
        }

        impl Family {
            /// The name, as in the module's path.
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
    /// The id in files.
    pub fn id(self) -> u16 {
        self as u16
    }
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
