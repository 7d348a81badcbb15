//! Which structure.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use crivo::sketch::Sketch;
use crivo::{FilterTarget, HashSpec, KINDS, KindInfo};

/// A kind that can be made from a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindWith<T> {
    pub(crate) info: &'static KindInfo,
    pub(crate) target: T,
}

/// A kind of filter that can be made from a number of items and a rate.
pub(crate) type FilterKind = KindWith<FilterTarget>;

impl FilterKind {
    /// Returns every kind, by id.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().filter_map(|info| Some(Self { info, target: info.filter? }))
    }

    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        parser(Self::all().collect())
    }
}

/// A kind of filter, or none at all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilterOrNone(pub(crate) Option<FilterKind>);

impl FilterOrNone {
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        let none = PossibleValue::new("none").help("No filter");
        parser_or(FilterKind::all().collect(), none).map(Self)
    }
}

/// From an error, a number of items and the hash.
type MakeCounter = fn(f64, Option<u64>, HashSpec) -> crivo::Result<Box<dyn Sketch>>;

/// A kind of counter of distinct items that can be made from a relative error.
pub(crate) type CounterKind = KindWith<MakeCounter>;

impl CounterKind {
    /// Returns every kind, by id.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().filter_map(|info| Some(Self { info, target: info.counter? }))
    }

    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        parser(Self::all().collect())
    }
}

/// A kind of counter, or the items themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CounterOrExact(pub(crate) Option<CounterKind>);

impl CounterOrExact {
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        let exact = PossibleValue::new("exact")
            .help("distinct items: keeps the items themselves; no error, and cannot be saved");
        parser_or(CounterKind::all().collect(), exact).map(Self)
    }
}

/// Like [`parser`], with one more name that is not a kind.
fn parser_or<T: Copy + Send + Sync + 'static>(
    all: Vec<KindWith<T>>,
    other: PossibleValue,
) -> impl TypedValueParser<Value = Option<KindWith<T>>> {
    let values: Vec<PossibleValue> = all.iter().map(possible_value).chain([other]).collect();
    PossibleValuesParser::new(values).map(move |name| named(&all, &name))
}

/// Accepts short names and the names in files; the help lists the short ones.
fn parser<T: Copy + Send + Sync + 'static>(
    all: Vec<KindWith<T>>,
) -> impl TypedValueParser<Value = KindWith<T>> {
    let values: Vec<PossibleValue> = all.iter().map(possible_value).collect();
    PossibleValuesParser::new(values).map(move |name| named(&all, &name).expect("clap has checked the name"))
}

fn possible_value<T>(kind: &KindWith<T>) -> PossibleValue {
    PossibleValue::new(short_name(kind.info)).alias(kind.info.kind.name()).help(kind.info.kind.summary())
}

/// The kind that is called so, in short or in files.
fn named<T: Copy>(all: &[KindWith<T>], name: &str) -> Option<KindWith<T>> {
    all.iter().find(|kind| [short_name(kind.info), kind.info.kind.name()].contains(&name)).copied()
}

/// What a kind is called where only filters are meant: `cuckoo` for `cuckoo-filter`.
pub(crate) fn short_name(info: &KindInfo) -> &'static str {
    let name = info.kind.name();
    let short = name.strip_prefix("binary-").or_else(|| name.strip_suffix("-bloom"));
    short.or_else(|| name.strip_suffix("-filter")).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = FilterKind::all().map(|kind| short_name(kind.info)).collect();
        names.extend(
            KINDS
                .iter()
                .map(|info| info.kind.name())
                .filter(|name| !names.contains(name))
                .collect::<Vec<_>>(),
        );
        let number = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), number);
        assert_eq!(short_name(crivo::Kind::BloomFilter.info()), "bloom");
    }
}
