//! Which filter.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use crivo::{FilterTarget, KINDS, KindInfo};

/// A kind of filter that can be made from a number of items and a rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilterKind {
    pub(crate) info: &'static KindInfo,
    pub(crate) target: FilterTarget,
}

impl FilterKind {
    /// Every one, by id.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().filter_map(|info| Some(Self { info, target: info.filter? }))
    }

    /// Takes short names and those of files; help lists the short ones.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        let value = |kind: Self| {
            PossibleValue::new(short_name(kind.info)).alias(kind.info.name).help(kind.info.summary)
        };
        PossibleValuesParser::new(Self::all().map(value)).map(|name| {
            let named = |kind: &Self| [short_name(kind.info), kind.info.name].contains(&name.as_str());
            Self::all().find(named).expect("clap has checked the name")
        })
    }
}

/// What a kind is called where only filters are meant: `cuckoo` for `cuckoo-filter`.
pub(crate) fn short_name(info: &KindInfo) -> &'static str {
    let name = info.name;
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
            KINDS.iter().map(|info| info.name).filter(|name| !names.contains(name)).collect::<Vec<_>>(),
        );
        let number = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), number);
        assert_eq!(short_name(crivo::Kind::BloomFilter.info()), "bloom");
    }
}
