//! The structures that can be drawn.

use super::drawing::{Drawing, list};
use super::examples::{self, Example};
use super::setting::{Setting, printable};
use super::{bloom, count_min, counting, cuckoo, dyadic, hyperloglog, linear_bloom, min_hash, morris};
use anyhow::{Result, anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A structure that can be drawn.
#[derive(Debug)]
pub(crate) struct KindInfo {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    /// What --cells means.
    cells: Option<Size>,
    /// What --hashes means.
    hashes: Option<Size>,
    pub(super) amounts: Amounts,
    /// Whether items can be taken out.
    pub(super) removes: bool,
    /// Whether something can be asked of it.
    pub(super) answers: bool,
    /// The seed of what it draws, unless told.
    pub(super) seed: u64,
    /// The first is drawn unless told.
    pub(super) examples: &'static [Example],
    pub(super) draw: fn(&Setting) -> Result<Drawing>,
}

/// A size that the user may choose.
#[derive(Debug)]
struct Size {
    /// What is counted.
    what: &'static str,
    usual: u64,
    least: u64,
    most: u64,
    /// Only such numbers will do.
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    One,
    Two,
    PowerOfTwo,
}

/// What stands behind the colon of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amounts {
    /// Nothing: a colon is part of the name.
    None,
    /// How often.
    Counts,
    /// Which value.
    Values,
}

const BASE: KindInfo = KindInfo {
    name: "",
    summary: "",
    cells: None,
    hashes: None,
    amounts: Amounts::None,
    removes: false,
    answers: true,
    seed: 0,
    examples: &[],
    draw: bloom::draw,
};

const fn size(what: &'static str, usual: u64, least: u64, most: u64, step: Step) -> Size {
    Size { what, usual, least, most, step }
}

pub(super) const KINDS: &[KindInfo] = &[
    KindInfo {
        name: "bloom",
        summary: "is it there? Bits that every item sets",
        cells: Some(size("bits", 16, 1, 128, Step::One)),
        hashes: Some(size("positions an item", 2, 1, 16, Step::One)),
        examples: examples::BLOOM,
        ..BASE
    },
    KindInfo {
        name: "counting",
        summary: "is it there? Counters, so that items can leave",
        cells: Some(size("counters", 16, 1, 128, Step::One)),
        hashes: Some(size("positions an item", 2, 1, 16, Step::One)),
        amounts: Amounts::Counts,
        removes: true,
        examples: examples::COUNTING,
        draw: counting::draw,
        ..BASE
    },
    KindInfo {
        name: "cuckoo",
        summary: "is it there? Fingerprints that make room",
        cells: Some(size("buckets", 8, 2, 64, Step::PowerOfTwo)),
        hashes: Some(size("places a bucket", 1, 1, 4, Step::One)),
        removes: true,
        examples: examples::CUCKOO,
        draw: cuckoo::draw,
        ..BASE
    },
    KindInfo {
        name: "linear-bloom",
        summary: "which value? Cells that keep the largest",
        cells: Some(size("cells", 11, 1, 64, Step::One)),
        hashes: Some(size("positions an item", 3, 1, 16, Step::One)),
        amounts: Amounts::Values,
        examples: examples::LINEAR_BLOOM,
        draw: linear_bloom::draw,
        ..BASE
    },
    KindInfo {
        name: "count-min",
        summary: "how often? The smallest of a few counters",
        cells: Some(size("columns", 8, 1, 64, Step::One)),
        hashes: Some(size("rows", 2, 1, 8, Step::One)),
        amounts: Amounts::Counts,
        examples: examples::COUNT_MIN,
        draw: count_min::draw,
        ..BASE
    },
    KindInfo {
        name: "dyadic",
        summary: "how many in a range? Blocks of 1, 2, 4, 8, …",
        cells: Some(size("numbers", 16, 4, 64, Step::PowerOfTwo)),
        amounts: Amounts::Counts,
        examples: examples::DYADIC,
        draw: dyadic::draw,
        ..BASE
    },
    KindInfo {
        name: "hyperloglog",
        summary: "how many different? The rarest patterns seen",
        cells: Some(size("registers", 16, 16, 64, Step::PowerOfTwo)),
        answers: false,
        examples: examples::HYPERLOGLOG,
        draw: hyperloglog::draw,
        ..BASE
    },
    KindInfo {
        name: "minhash",
        summary: "how alike? The smallest value of each function",
        hashes: Some(size("functions", 8, 2, 32, Step::Two)),
        answers: false,
        examples: examples::MIN_HASH,
        draw: min_hash::draw,
        ..BASE
    },
    KindInfo {
        name: "morris",
        summary: "how many, in 4 bits? A register that rises rarely",
        amounts: Amounts::Counts,
        answers: false,
        seed: 3,
        examples: examples::MORRIS,
        draw: morris::draw,
        ..BASE
    },
];

pub(super) fn kind_parser() -> impl TypedValueParser<Value = &'static KindInfo> {
    let value = |kind: &KindInfo| PossibleValue::new(kind.name).help(kind.summary);
    PossibleValuesParser::new(KINDS.iter().map(value).collect::<Vec<_>>())
        .map(|name| KINDS.iter().find(|kind| kind.name == name).expect("clap has checked the name"))
}

/// The kinds of which something holds.
pub(super) fn names(has: impl Fn(&KindInfo) -> bool) -> String {
    list(&KINDS.iter().filter(|kind| has(kind)).map(|kind| kind.name).collect::<Vec<_>>())
}

impl KindInfo {
    /// The example of this name, or the first.
    pub(super) fn example(&self, name: Option<&str>) -> Result<&'static Example> {
        let found = self.examples.iter().find(|example| name.is_none_or(|name| example.name == name));
        let names: Vec<&str> = self.examples.iter().map(|example| example.name).collect();
        let name = printable(name.unwrap_or_default());
        found.ok_or_else(|| anyhow!("{} has no example '{name}'; it has {}", self.name, list(&names)))
    }

    /// How many cells, if the user's wish will do.
    pub(super) fn cells(&self, wish: Option<u64>) -> Result<u64> {
        match &self.cells {
            Some(size) => size.check("--cells", wish, self.name),
            None if wish.is_none() => Ok(0),
            None => bail!("{} has no cells; --cells is for {}", self.name, names(|it| it.cells.is_some())),
        }
    }

    /// How many functions, if the user's wish will do.
    pub(super) fn hashes(&self, wish: Option<u32>) -> Result<u32> {
        match &self.hashes {
            Some(size) => Ok(size.check("--hashes", wish.map(u64::from), self.name)? as u32),
            None if wish.is_none() => Ok(0),
            None => {
                bail!("{} has no functions; --hashes is for {}", self.name, names(|it| it.hashes.is_some()))
            }
        }
    }
}

impl Size {
    /// The wish if it will do, or the usual size.
    fn check(&self, flag: &str, wish: Option<u64>, kind: &str) -> Result<u64> {
        let &Self { what, usual, least, most, step } = self;
        let wish = wish.unwrap_or(usual);
        let (fits, step) = match step {
            Step::One => (true, ""),
            Step::Two => (wish.is_multiple_of(2), ", an even number"),
            Step::PowerOfTwo => (wish.is_power_of_two(), ", a power of two"),
        };
        if !fits || !(least..=most).contains(&wish) {
            bail!("{flag} {wish}: {kind} is drawn with {least} to {most} {what}{step}; {usual} are usual");
        }
        Ok(wish)
    }
}
