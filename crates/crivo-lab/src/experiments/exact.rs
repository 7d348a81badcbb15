//! One measurement for all structures that never err: they are asked, and weighed.

use crivo::rng::Rng;

use super::prelude::*;
use crate::significant;

/// An answer: whether it is right, and how many times it says yes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) right: bool,
    pub(super) yes: u64,
}

impl Answer {
    /// To a question of yes or no.
    pub(super) fn new(said: bool, truth: bool) -> Self {
        Self { right: said == truth, yes: u64::from(said) }
    }
}

/// One structure, asked and weighed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weighed {
    pub(super) asked: u64,
    /// How many answers were yes: what tells one random structure from another.
    pub(super) yes: u64,
    pub(super) wrong: u64,
    /// Bits in memory, of the structure as a whole.
    pub(super) memory: f64,
    /// Bits in a file.
    pub(super) file: f64,
}

impl Weighed {
    pub(super) fn new(answers: impl IntoIterator<Item = Answer>, sketch: &dyn crivo::sketch::Sketch) -> Self {
        let [memory, file] = [sketch.memory_bytes(), sketch.to_bytes().len()].map(|bytes| 8.0 * bytes as f64);
        let mut weighed = Self { memory, file, ..Self::default() };
        for answer in answers {
            weighed.asked += 1;
            weighed.yes += answer.yes;
            weighed.wrong += u64::from(!answer.right);
        }
        weighed
    }
}

/// A structure that never errs.
pub(super) trait Exact {
    /// `c-` and the name of the kind.
    const ID: &'static str;
    const TITLE: &'static str;
    const REFERENCE: &'static str;
    /// What its size is by theory.
    const THEORY: &'static str;
    const COST: Cost;
    /// What n counts: "items", "vertices".
    const UNIT: &'static str;
    /// Sizes, for a quick look and in full.
    const SIZES: [&'static [u64]; 2];

    /// A structure of size n with random contents, and as many random questions as it answers in a moment; each answer is
    /// compared with what went in.
    fn weigh(n: u64, rng: &mut Rng) -> Result<Weighed>;

    /// The least and the most bits in memory that theory gives it at this size, the structure itself included.
    fn bits(n: u64) -> (f64, f64);
}

/// Structures of each size.
const RUNS: u64 = 5;

/// The experiment on a structure that never errs.
pub(super) const fn experiment<E: Exact>() -> Experiment {
    Experiment {
        id: E::ID,
        title: E::TITLE,
        source: Source::Crivo,
        reference: E::REFERENCE,
        question: "Is every answer correct, and how many bits does the structure take as it grows?",
        theory: E::THEORY,
        cost: E::COST,
        timed: false,
        structures: const { &[E::ID.split_at(2).1] },
        contradicts: false,
        faults: const {
            &[
                Fault {
                    name: "one wrong answer",
                    run: |settings, progress| measure::<E>(settings, progress, 1, 1.0),
                },
                Fault {
                    name: "twice the memory",
                    run: |settings, progress| measure::<E>(settings, progress, 0, 2.0),
                },
            ]
        },
        run: |settings, progress| measure::<E>(settings, progress, 0, 1.0),
    }
}

/// Two planted faults: `wrong` answers of the first structure are turned around, and it takes `grown` times its memory.
fn measure<E: Exact>(
    settings: &Settings,
    progress: &mut Progress,
    wrong: u64,
    grown: f64,
) -> Result<Outcome> {
    let sizes = E::SIZES[usize::from(settings.size == Size::Full)];
    let mut rng = settings.rng(E::ID);
    progress.start(sizes.len() as u64 * RUNS);
    let mut measured: Vec<(u64, Weighed)> = Vec::new();
    for &n in sizes {
        for _ in 0..RUNS {
            measured.push((n, E::weigh(n, &mut rng)?));
            progress.step();
        }
    }
    let mut atlas = None;
    if let Some((_, first)) = measured.first_mut() {
        first.wrong += wrong;
        first.memory *= grown;
    }
    if let Some((n, last)) = measured.last() {
        atlas = Some(Entry {
            setting: format!("{n} {}", E::UNIT),
            error: "none: exact".to_owned(),
            size: format!("{} bits per item", significant(last.memory / *n as f64, 3)),
            coverage: "exact".to_owned(),
        });
    }
    Ok(Outcome {
        atlas,
        tables: vec![table::<E>(&measured)],
        plots: vec![plot::<E>(&measured)],
        verdicts: judge::<E>(&measured),
        notes: vec![format!("{RUNS} structures of each size, with random contents and random questions.")],
    })
}

fn table<E: Exact>(measured: &[(u64, Weighed)]) -> Table {
    let columns = [
        E::UNIT,
        "asked",
        "yes",
        "wrong",
        "memory (bits/n)",
        "least by theory (bits/n)",
        "most by theory (bits/n)",
        "file (bits/n)",
    ];
    let mut table = Table::new("sizes", columns);
    for &(n, Weighed { asked, yes, wrong, memory, file }) in measured {
        let (least, most) = E::bits(n);
        let bits = [memory, least, most, file].map(|bits| Cell::from(bits / n as f64));
        table.push([n, asked, yes, wrong].map(Cell::from).into_iter().chain(bits));
    }
    table
}

fn plot<E: Exact>(measured: &[(u64, Weighed)]) -> Plot {
    let first = || measured.iter().step_by(RUNS as usize);
    let seen = |bits: fn(&Weighed) -> f64| {
        first().map(move |(n, seen)| Point::new(*n as f64, bits(seen) / *n as f64))
    };
    let band = first().map(|&(n, _)| {
        let (least, most) = E::bits(n);
        Point::new(n as f64, least / n as f64).with_bounds(least / n as f64, most / n as f64)
    });
    Plot::new("sizes", "Bits in memory and in a file")
        .axes(format!("{} n (count)", E::UNIT), "size (bits/n)")
        .log_x()
        .with([Series::new("memory by theory", Style::Band, band)])
        .with([Series::new("in memory", Style::Joined, seen(|weighed| weighed.memory))])
        .with([Series::new("in a file", Style::Joined, seen(|weighed| weighed.file))])
}

fn judge<E: Exact>(measured: &[(u64, Weighed)]) -> Vec<Verdict> {
    let asked: u64 = measured.iter().map(|(_, weighed)| weighed.asked).sum();
    let wrong: u64 = measured.iter().map(|(_, weighed)| weighed.wrong).sum();
    let bits = measured.iter().map(|&(n, weighed)| {
        let (lower, upper) = E::bits(n);
        let expected = f64::midpoint(lower, upper);
        Check { place: format!("{n} {}", E::UNIT), value: weighed.memory, expected, lower, upper }
    });
    vec![
        Verdict::new(
            "Every answer is correct.",
            wrong == 0 && asked > 0,
            format!("{wrong} of {asked} answers were wrong."),
        ),
        Verdict::within("The memory is that of theory.", " bits", bits),
    ]
}
