//! The structures that can be drawn.

use super::drawing::Drawing;
use super::examples::{self, Example};
use super::setting::{Setting, printable};
use super::words::{Language, Words, say};
use super::{
    bloom, bottom_k, count_min, count_sketch, counting, cuckoo, dyadic, fuse, hash, heavy, hyperloglog, kll,
    linear_bloom, linear_counting, majority, matrix, min_hash, morris, quotient, reservoir, sim_hash,
    tree_labels,
};
use anyhow::{Result, anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A structure that can be drawn.
#[derive(Debug)]
pub(crate) struct KindInfo {
    pub(super) name: &'static str,
    /// Other names by which people look for it.
    aliases: &'static [&'static str],
    /// What --cells means.
    cells: Option<Size>,
    /// What --hashes means.
    hashes: Option<Size>,
    pub(super) amounts: Amounts,
    /// Whether items can be taken out.
    pub(super) removes: bool,
    /// Whether something can be asked of it.
    pub(super) answers: bool,
    /// The default seed of its random choices.
    pub(super) seed: u64,
    /// The first is the default.
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
    Four,
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
    aliases: &[],
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
        aliases: &["bloom-filter"],
        cells: Some(size("bits", 16, 1, 128, Step::One)),
        hashes: Some(size("positions per item", 2, 1, 16, Step::One)),
        examples: examples::BLOOM,
        ..BASE
    },
    KindInfo {
        name: "counting",
        aliases: &["counting-bloom"],
        cells: Some(size("counters", 16, 1, 128, Step::One)),
        hashes: Some(size("positions per item", 2, 1, 16, Step::One)),
        amounts: Amounts::Counts,
        removes: true,
        examples: examples::COUNTING,
        draw: counting::draw,
        ..BASE
    },
    KindInfo {
        name: "cuckoo",
        aliases: &["cuckoo-filter"],
        cells: Some(size("buckets", 4, 2, 64, Step::PowerOfTwo)),
        hashes: Some(size("places per bucket", 4, 1, 4, Step::One)),
        removes: true,
        examples: examples::CUCKOO,
        draw: cuckoo::draw,
        ..BASE
    },
    KindInfo {
        name: "quotient",
        aliases: &["quotient-filter"],
        cells: Some(size("quotients", 16, 4, 32, Step::One)),
        hashes: Some(size("bits per remainder", 4, 1, 16, Step::One)),
        removes: true,
        examples: examples::QUOTIENT,
        draw: quotient::draw,
        ..BASE
    },
    KindInfo {
        name: "fuse",
        aliases: &["binary-fuse", "xor", "peeling"],
        cells: Some(size("cells", 16, 12, 96, Step::Four)),
        examples: examples::FUSE,
        draw: fuse::draw,
        ..BASE
    },
    KindInfo {
        name: "linear-bloom",
        cells: Some(size("cells", 11, 1, 64, Step::One)),
        hashes: Some(size("positions per item", 3, 1, 16, Step::One)),
        amounts: Amounts::Values,
        examples: examples::LINEAR_BLOOM,
        draw: linear_bloom::draw,
        ..BASE
    },
    KindInfo {
        name: "count-min",
        aliases: &["count-min-sketch", "cms"],
        cells: Some(size("columns", 8, 1, 64, Step::One)),
        hashes: Some(size("rows", 2, 1, 8, Step::One)),
        amounts: Amounts::Counts,
        examples: examples::COUNT_MIN,
        draw: count_min::draw,
        ..BASE
    },
    KindInfo {
        name: "count-sketch",
        cells: Some(size("columns", 8, 1, 64, Step::One)),
        hashes: Some(size("rows", 3, 1, 8, Step::One)),
        amounts: Amounts::Counts,
        examples: examples::COUNT_SKETCH,
        draw: count_sketch::draw,
        ..BASE
    },
    KindInfo {
        name: "majority",
        aliases: &["boyer-moore"],
        amounts: Amounts::Counts,
        answers: false,
        examples: examples::MAJORITY,
        draw: majority::draw,
        ..BASE
    },
    KindInfo {
        name: "misra-gries",
        cells: Some(size("counters", 4, 2, 16, Step::One)),
        amounts: Amounts::Counts,
        examples: examples::HEAVY,
        draw: heavy::misra_gries,
        ..BASE
    },
    KindInfo {
        name: "space-saving",
        aliases: &["heavy-hitters", "top-k"],
        cells: Some(size("counters", 3, 1, 16, Step::One)),
        amounts: Amounts::Counts,
        examples: examples::HEAVY_3,
        draw: heavy::space_saving,
        ..BASE
    },
    KindInfo {
        name: "dyadic",
        aliases: &["dyadic-count-min"],
        cells: Some(size("numbers", 16, 4, 64, Step::PowerOfTwo)),
        amounts: Amounts::Counts,
        examples: examples::DYADIC,
        draw: dyadic::draw,
        ..BASE
    },
    KindInfo {
        name: "kll",
        aliases: &["quantiles", "quantile"],
        cells: Some(size("values in the highest level", 8, 8, 32, Step::One)),
        examples: examples::KLL,
        draw: kll::draw,
        ..BASE
    },
    KindInfo {
        name: "linear-counting",
        cells: Some(size("bits", 16, 1, 128, Step::One)),
        answers: false,
        examples: examples::LINEAR_COUNTING,
        draw: linear_counting::draw,
        ..BASE
    },
    KindInfo {
        name: "hyperloglog",
        aliases: &["hll"],
        cells: Some(size("registers", 16, 16, 64, Step::PowerOfTwo)),
        answers: false,
        examples: examples::HYPERLOGLOG,
        draw: hyperloglog::draw,
        ..BASE
    },
    KindInfo {
        name: "bottom-k",
        aliases: &["kmv", "k-min-values", "k-minimum-values"],
        cells: Some(size("hashes", 4, 2, 16, Step::One)),
        answers: false,
        examples: examples::BOTTOM_K,
        draw: bottom_k::draw,
        ..BASE
    },
    KindInfo {
        name: "matrix",
        aliases: &["characteristic-matrix"],
        hashes: Some(size("permutations", 2, 1, 32, Step::One)),
        answers: false,
        examples: examples::MATRIX,
        draw: matrix::draw,
        ..BASE
    },
    KindInfo {
        name: "minhash",
        aliases: &["min-hash", "lsh"],
        hashes: Some(size("functions", 8, 2, 32, Step::Two)),
        answers: false,
        examples: examples::MIN_HASH,
        draw: min_hash::draw,
        ..BASE
    },
    KindInfo {
        name: "simhash",
        aliases: &["sim-hash"],
        hashes: Some(size("directions", 8, 1, 32, Step::One)),
        answers: false,
        examples: examples::SIM_HASH,
        draw: sim_hash::draw,
        ..BASE
    },
    KindInfo {
        name: "reservoir",
        aliases: &["sample", "sampling"],
        cells: Some(size("places", 3, 1, 32, Step::One)),
        answers: false,
        seed: 1,
        examples: examples::RESERVOIR,
        draw: reservoir::draw,
        ..BASE
    },
    KindInfo {
        name: "morris",
        amounts: Amounts::Counts,
        answers: false,
        seed: 3,
        examples: examples::MORRIS,
        draw: morris::draw,
        ..BASE
    },
    KindInfo {
        name: "tree-labels",
        aliases: &["labels", "adjacency-labels"],
        cells: Some(size("slots per label", 16, 4, 32, Step::One)),
        examples: examples::TREE_LABELS,
        draw: tree_labels::draw,
        ..BASE
    },
    KindInfo {
        name: "hash",
        aliases: &["hashing", "hash-functions"],
        cells: Some(size("cells", 11, 1, 128, Step::One)),
        hashes: Some(size("positions per item", 4, 1, 16, Step::One)),
        // The seed of D. J. Bernstein's function, from which DJB31MA has its name.
        seed: 5381,
        examples: examples::HASH,
        draw: hash::draw,
        ..BASE
    },
];

pub(super) fn kind_parser() -> impl TypedValueParser<Value = &'static KindInfo> {
    let value = |kind: &'static KindInfo| {
        PossibleValue::new(kind.name).aliases(kind.aliases).help(kind.summary(Language::En))
    };
    PossibleValuesParser::new(KINDS.iter().map(value).collect::<Vec<_>>()).map(|name| {
        let is_it = |kind: &&KindInfo| kind.name == name || kind.aliases.contains(&name.as_str());
        KINDS.iter().find(is_it).expect("clap has checked the name")
    })
}

/// The kinds of which something holds.
pub(super) fn names(has: impl Fn(&KindInfo) -> bool) -> String {
    list(KINDS.iter().filter(|kind| has(kind)).map(|kind| kind.name))
}

/// Messages about wrong arguments are in English, as all messages of the command are.
fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    Words { language: Language::En, kind: "" }.list(&names.collect::<Vec<_>>())
}

impl KindInfo {
    /// The question that it answers, and how.
    pub(super) fn summary(&self, language: Language) -> String {
        let words = Words { language, kind: self.name };
        say!(words, "summary")
    }

    /// The example of this name, or the first.
    pub(super) fn example(&self, name: Option<&str>) -> Result<&'static Example> {
        let found = self.examples.iter().find(|example| name.is_none_or(|name| example.name == name));
        let names = list(self.examples.iter().map(|example| example.name));
        let name = printable(name.unwrap_or_default());
        found.ok_or_else(|| anyhow!("{} has no example '{name}'; it has {names}", self.name))
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
            Step::Four => (wish.is_multiple_of(4), ", a multiple of 4"),
            Step::PowerOfTwo => (wish.is_power_of_two(), ", a power of two"),
        };
        if !fits || !(least..=most).contains(&wish) {
            bail!(
                "{flag} {wish}: {kind} is drawn with {least} to {most} {what}{step}; {usual} is the default"
            );
        }
        Ok(wish)
    }
}
