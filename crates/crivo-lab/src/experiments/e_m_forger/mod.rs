//! The forger of MPEI: other texts with the value of a given one.

mod texts;

use std::collections::HashSet;

use crivo::HashSpec;
use crivo::hash::classic::{djb31ma, forge_djb31ma, murmur3_32};
use crivo::rng::Rng;
use crivo::stats::{binomial_band, chi_squared_quantile};
use libm::exp2;

use self::texts::{BLOCKS, blocks, twin};
use super::prelude::*;
use crate::corpus::Corpus;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-m-forger",
    title: "A forger of signatures by the 31-polynomial hash",
    source: Source::Mpei,
    reference: "MPEI, section 3.1 and exercise 3.2.1; Lopes 2017, algorithm 1",
    question: "How much work is it to find another text with the 32-bit value of a given one?",
    theory: "\
DJB31MA, h = 31h + c from a seed, and Java's hash of strings, the same from 0, are polynomials, and can be solved. Where two \
neighbours (a, b) of a text become (a + 1, b − 31) its value stays, whatever the seed. And a text that begins as one likes gets any \
value with seven more characters: 31⁷ > 2³², so what is missing, written in base 31, has seven digits, and 31 neighbouring \
characters are the digits. Such blocks in a row give 2^j texts with one value.\n\n\
Without such a trick one tries texts until one has the value: a geometric number of trials with mean 2^b for b bits. It is measured on the \
lowest b bits, as the mean of many searches, with the band of their sum (a gamma law, 2·sum/2^b being χ² with two degrees of freedom a \
search). That forged pairs fool another hash too has the chance 2^(−32) each. A false-alarm probability of 10⁻⁶ is shared by all.",
    cost: Cost { quick: 0.3, full: 3.2 },
    timed: false,
    structures: &[],
    contradicts: false,
    faults: &[
        Fault {
            name: "a forger who takes 33 for 31",
            run: |settings, progress| measure(settings, progress, Planted { base: 33, ..Planted::NONE }),
        },
        Fault {
            name: "a forger who takes the next seed",
            run: |settings, progress| measure(settings, progress, Planted { other_seed: 1, ..Planted::NONE }),
        },
        Fault {
            name: "MurmurHash3 and SipHash replaced by the polynomial hash",
            run: |settings, progress| measure(settings, progress, Planted { weak: true, ..Planted::NONE }),
        },
        Fault {
            name: "a search for one bit fewer",
            run: |settings, progress| measure(settings, progress, Planted { fewer: 1, ..Planted::NONE }),
        },
    ],
    run: |settings, progress| measure(settings, progress, Planted::NONE),
};

const FALSE_ALARM: f64 = 1e-6;
const SEARCHES: u64 = 200;
/// The characters that a forger adds.
const DIGITS: u64 = 7;

/// What became of the words of the corpus.
#[derive(Default)]
struct Forged {
    /// Words with a pair of neighbours, and values of them that their twins should have.
    with_pairs: u64,
    twins_asked: u64,
    twins: u64,
    /// Words and seeds for which a text was forged, and with how many digits.
    asked: u64,
    found: u64,
    digits: u64,
    /// Forged pairs that another hash takes for one, too.
    murmur: u64,
    sip: u64,
}

/// Searches by trial for the lowest bits of a value.
struct Search {
    bits: u32,
    trials: u64,
}

/// A planted fault.
#[derive(Clone, Copy)]
struct Planted {
    /// The multiplier that the forger of twins assumes.
    base: u8,
    /// How far the seed that the forger assumes is from the right one.
    other_seed: u32,
    /// Whether the other functions are weak, too.
    weak: bool,
    /// The bits that a search leaves out.
    fewer: u32,
}

impl Planted {
    const NONE: Self = Self { base: 31, other_seed: 0, weak: false, fewer: 0 };
}

fn measure(settings: &Settings, progress: &mut Progress, planted: Planted) -> Result<Outcome> {
    let Planted { base, fewer, .. } = planted;
    let (seeds, longest) = match settings.size {
        Size::Quick => (8, 14),
        Size::Full => (256, 20),
    };
    let corpus = Corpus::of(settings)?;
    let words = corpus.distinct();
    let mut rng = settings.rng("e-m-forger seeds");
    #[expect(clippy::cast_possible_truncation, reason = "32 random bits of 64 are wanted")]
    let seeds: Vec<u32> = std::iter::once(0).chain((1..seeds).map(|_| rng.next_u64() as u32)).collect();
    let sip = HashSpec::keyed(std::array::from_fn(|_| rng.below(256) as u8));
    let (mut forged, mut examples) = (Forged::default(), examples_table());
    progress.start(words.len() as u64);
    for (i, word) in words.iter().enumerate() {
        // The forger's own text is about another word.
        let start = format!("{} ", words[words.len() - 1 - i]);
        forged.add(word.as_bytes(), start.as_bytes(), &seeds, sip, planted);
        if i % (words.len() / 12).max(1) == 0 {
            let seed = seeds[1 + i % (seeds.len() - 1)];
            let value = djb31ma(word.as_bytes(), seed);
            let text = |bytes: &[u8]| Cell::from(String::from_utf8_lossy(bytes).as_ref());
            let other = twin(word.as_bytes(), base).unwrap_or_default();
            let own = forge_djb31ma(start.as_bytes(), seed, value);
            examples.push([
                text(word.as_bytes()),
                u64::from(seed).into(),
                u64::from(value).into(),
                text(&other),
                text(&own),
            ]);
        }
        progress.step();
    }
    let searches: Vec<Search> = (4..=longest).step_by(2).map(|bits| search(bits, fewer, &mut rng)).collect();
    Ok(Outcome {
        atlas: None,
        tables: vec![examples, searches_table(&searches)],
        plots: vec![plot(&searches)],
        verdicts: judge(&forged, &searches),
        notes: vec![
            format!(
                "{} words, {} seeds, of which the first is 0: Java's hash of strings.",
                words.len(),
                seeds.len()
            ),
            chains(&seeds),
        ],
    })
}

impl Forged {
    fn add(&mut self, word: &[u8], start: &[u8], seeds: &[u32], sip: HashSpec, planted: Planted) {
        let Planted { base, other_seed, weak, .. } = planted;
        let murmur = |text: &[u8], seed: u32| if weak { djb31ma(text, seed) } else { murmur3_32(text, seed) };
        let other = twin(word, base);
        self.with_pairs += u64::from(other.is_some());
        for &seed in seeds {
            let value = djb31ma(word, seed);
            let own = forge_djb31ma(start, seed.wrapping_add(other_seed), value);
            self.asked += 1;
            self.digits += (own.len() - start.len()) as u64;
            self.found += u64::from(own != word && djb31ma(&own, seed) == value);
            self.murmur += u64::from(murmur(&own, seed) == murmur(word, seed));
            if let Some(other) = &other {
                self.twins_asked += 1;
                self.twins += u64::from(other != word && djb31ma(other, seed) == value);
                self.murmur += u64::from(murmur(other, seed) == murmur(word, seed));
            }
        }
        let low = |bytes: &[u8]| {
            if weak { djb31ma(bytes, 0).into() } else { sip.hash_bytes(bytes) & u64::from(u32::MAX) }
        };
        self.sip += u64::from(other.is_some_and(|other| low(&other) == low(word)));
    }
}

/// How many random texts are tried until one has a value's lowest bits, over many searches. A planted fault: `fewer` bits are compared.
fn search(bits: u32, fewer: u32, rng: &mut Rng) -> Search {
    let mask = u32::MAX >> (32 - bits + fewer);
    let mut trials = 0;
    for _ in 0..SEARCHES {
        let value = djb31ma(&rng.next_u64().to_le_bytes(), 0) & mask;
        loop {
            trials += 1;
            if djb31ma(&rng.next_u64().to_le_bytes(), 0) & mask == value {
                break;
            }
        }
    }
    Search { bits, trials }
}

fn judge(forged: &Forged, searches: &[Search]) -> Vec<Verdict> {
    let tests = searches.len() as f64 + 2.0;
    let trials = searches.iter().map(|search| {
        let expected = exp2(search.bits.into());
        let bound = |p| chi_squared_quantile(2.0 * SEARCHES as f64, p) * expected / (2.0 * SEARCHES as f64);
        let half = FALSE_ALARM / tests / 2.0;
        let value = search.trials as f64 / SEARCHES as f64;
        Check {
            place: format!("{} bits", search.bits),
            value,
            expected,
            lower: bound(half),
            upper: bound(1.0 - half),
        }
    });
    let pairs = forged.asked + forged.twins_asked;
    let most = |pairs: u64| binomial_band(pairs, exp2(-32.0), 2.0 * FALSE_ALARM / tests).1;
    vec![
        Verdict::new(
            "Every word of two or more letters has a partner with an equal value for every seed, found at the first attempt.",
            forged.twins == forged.twins_asked && forged.with_pairs > 0,
            format!("{} words, {} of {} values.", forged.with_pairs, forged.twins, forged.twins_asked),
        ),
        Verdict::new(
            "For every word and every seed, seven characters give a text with another beginning the same value.",
            forged.found == forged.asked && forged.asked > 0,
            format!(
                "{} of {}, with {} digits each, in place of {:.3e} trials.",
                forged.found,
                forged.asked,
                forged.digits / forged.asked.max(1),
                exp2(32.0)
            ),
        ),
        Verdict::within(
            "Without this property, a search tries 2^b texts on average for b bits.",
            " trials",
            trials,
        ),
        Verdict::new(
            "Forged texts collide under MurmurHash3 and SipHash (its lowest 32 bits) no more often than random texts.",
            forged.murmur as f64 <= most(pairs) && forged.sip as f64 <= most(forged.with_pairs),
            format!("{} of {pairs} pairs and {} of {}.", forged.murmur, forged.sip, forged.with_pairs),
        ),
    ]
}

/// An identity of the polynomial, for the notes: each block of a text may be "Aa" or "BB".
fn chains(seeds: &[u32]) -> String {
    let distinct: HashSet<Vec<u8>> = blocks().collect();
    let values: HashSet<u32> =
        seeds.iter().flat_map(|&seed| blocks().map(move |text| djb31ma(&text, seed))).collect();
    format!(
        "A chain of {BLOCKS} blocks gives {} texts; they have {} values under {} seeds.",
        distinct.len(),
        values.len(),
        seeds.len()
    )
}

fn examples_table() -> Table {
    Table::new("forged", ["word", "seed", "value", "twin, from any seed", "another text, from this seed"])
}

fn searches_table(searches: &[Search]) -> Table {
    let mut table = Table::new(
        "searches",
        ["bits b", "searches", "trials each (mean)", "expected 2^b", "digits of the forger"],
    );
    for search in searches {
        let mean = search.trials as f64 / SEARCHES as f64;
        table.push([
            u64::from(search.bits).into(),
            SEARCHES.into(),
            mean.into(),
            exp2(search.bits.into()).into(),
            DIGITS.into(),
        ]);
    }
    table
}

fn plot(searches: &[Search]) -> Plot {
    let theory = [4.0, 32.0].map(|bits| Point::new(bits, exp2(bits)));
    let forger = [4.0, 32.0].map(|bits| Point::new(bits, DIGITS as f64));
    let measured = searches.iter().map(|search| {
        let mean = search.trials as f64 / SEARCHES as f64;
        let bound = |p| 2.0 * search.trials as f64 / chi_squared_quantile(2.0 * SEARCHES as f64, p);
        Point::new(search.bits.into(), mean).with_bounds(bound(0.975), bound(0.025))
    });
    Plot::new("trials", "Work to find another text with a given value")
        .axes("bits of the value b", "texts tried, or digits computed (count)")
        .log_y()
        .with([
            Series::new("by trial: 2^b", Style::Theory, theory),
            Series::new("by the polynomial: seven digits", Style::Curve, forger),
            Series::new("by trial, measured (95 % interval)", Style::Points, measured),
        ])
}
