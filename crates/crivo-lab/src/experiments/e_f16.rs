//! Errors of the inner products of Count-Min sketches of documents, against the bound.

use std::cmp::Ordering;
use std::collections::HashMap;

use crivo::frequency::CountMinParams;
use crivo::{CountMin, HashSpec};
use libm::exp;

use super::documents::{Document, works_and_copies};
use super::prelude::*;
use crate::summary::bernstein;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f16",
    title: "Error of Count-Min for the inner products of documents",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.2.6, figure 16",
    question: "By how much does the inner product of two Count-Min sketches exceed the inner product of the frequencies of two documents?",
    theory: "\
For 42 works and a changed copy of each, 3486 pairs (one in six of them when quick), the product of two sketches of three rows exceeds A·B by more than \
ε‖A‖₁‖B‖₁, ε = e/m, with probability below e^(−3) = 4.98 %, and never falls short (`CountMin::inner_product`). One row exceeds \
it by (‖A‖₁‖B‖₁ − A·B)/m on average over all hash functions: sketches of one row are measured, too, and the mean of their errors \
over all pairs and runs is compared with it. All pairs of a run share the hash, so a run is one measurement: \
its variance is at most the mean over all pairs of 2‖A‖₂²‖B‖₂²/(m‖A‖₁²‖B‖₁²), since two words collide or not almost independently of \
another two, and a collision of two words moves it by at most twice the product of the largest shares; Bernstein's bound for such sums has a \
false-alarm probability of 10⁻⁶ shared by all m.",
    cost: Cost { quick: 2.7, full: 38.5 },
    timed: false,
    structures: &["count-min"],
    contradicts: false,
    faults: &[
        Fault {
            name: "a quarter of the columns",
            run: |settings, progress| measure(settings, progress, 4, 0),
        },
        Fault {
            name: "a thirty-second of the columns",
            run: |settings, progress| measure(settings, progress, 32, 0),
        },
        Fault {
            name: "words that are not counted",
            run: |settings, progress| measure(settings, progress, 1, 100),
        },
    ],
    run: |settings, progress| measure(settings, progress, 1, 0),
};

const DEPTH: u32 = 3;
const WIDTHS: [u64; 6] = [128, 256, 512, 1024, 2048, 4096];
const WIDEST: u64 = WIDTHS[WIDTHS.len() - 1];
const FALSE_ALARM: f64 = 1e-6;

/// The numbers of distinct words, in order, each with its count.
type Counts = Vec<(u32, u64)>;

/// Two documents.
struct Pair {
    documents: (usize, usize),
    /// ‖A‖₁‖B‖₁.
    norms: f64,
    product: f64,
}

/// What all runs of one width gave, relative to ‖A‖₁‖B‖₁.
struct Seen {
    width: u64,
    /// e/m.
    bound: f64,
    /// The mean error of one row that theory expects, and how far it may stray.
    expected: (f64, f64),
    one_row: f64,
    mean: f64,
    percentile: f64,
    beyond: f64,
    asked: u64,
    too_low: u64,
}

/// A planted fault: the sketches have 1/`shrink` of the columns that theory assumes, and lack the first `lost` words.
fn measure(settings: &Settings, progress: &mut Progress, shrink: u64, lost: usize) -> Result<Outcome> {
    // Narrow sketches cost less, and get as many more runs.
    let (runs_of_widest, every) = match settings.size {
        Size::Quick => (1, 6),
        Size::Full => (8, 1),
    };
    let runs_of = |width: u64| runs_of_widest * WIDEST / width;
    let documents = works_and_copies(settings)?;
    let (words, counts) = numbered(&documents);
    let pairs = pairs_of(&counts, every);
    let moments = Moments::of(&counts, &pairs);
    let counted: Vec<Counts> =
        counts.iter().map(|counts| counts.iter().skip(lost).copied().collect()).collect();
    let mut rng = settings.rng("e-f16 hash seeds");
    progress.start(WIDTHS.into_iter().map(runs_of).sum());
    let mut widths = Vec::new();
    for width in WIDTHS {
        let (mut three, mut one) = (Vec::new(), Vec::new());
        let runs = runs_of(width);
        for _ in 0..runs {
            let spec = HashSpec::seeded(rng.next_u64());
            let hashes: Vec<u64> = words.iter().map(|word| spec.hash(*word)).collect();
            three.extend(errors(
                &counted,
                &hashes,
                &pairs,
                CountMinParams::exact(width / shrink, DEPTH)?,
                spec,
            )?);
            one.extend(errors(&counted, &hashes, &pairs, CountMinParams::exact(width / shrink, 1)?, spec)?);
            progress.step();
        }
        three.sort_by(f64::total_cmp);
        let bound = CountMinParams::exact(width, DEPTH)?.error_at(1.0 - exp(-f64::from(DEPTH)));
        let share = |of: usize| of as f64 / three.len() as f64;
        widths.push(Seen {
            width,
            bound,
            expected: moments.mean_of_runs(width as f64, runs as f64),
            one_row: one.iter().sum::<f64>() / one.len() as f64,
            mean: three.iter().sum::<f64>() / three.len() as f64,
            percentile: three[three.len() * 99 / 100],
            beyond: share(three.iter().filter(|&&error| error > bound).count()),
            asked: three.len() as u64,
            too_low: three.iter().filter(|&&error| error < 0.0).count() as u64,
        });
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&widths)],
        plots: vec![plot(&widths)],
        verdicts: judge(&widths),
        notes: vec![format!(
            "{}: {} documents, {} pairs of them. Every run has its own hash function.",
            settings.corpus_name(),
            documents.len(),
            pairs.len()
        )],
    })
}

/// All words, and the counts of each document by their places among them.
fn numbered(documents: &[Document]) -> (Vec<&str>, Vec<Counts>) {
    let (mut words, mut places) = (Vec::new(), HashMap::new());
    let mut place = |word| {
        *places.entry(word).or_insert_with(|| {
            words.push(word);
            words.len() as u32 - 1
        })
    };
    let counts = documents
        .iter()
        .map(|document| {
            let mut counts: Counts =
                document.words.iter().map(|(word, &count)| (place(word.as_str()), count)).collect();
            counts.sort_unstable();
            counts
        })
        .collect();
    (words, counts)
}

fn total(counts: &Counts) -> f64 {
    counts.iter().map(|&(_, count)| count as f64).sum()
}

/// Every pair of documents, or one in `every`.
fn pairs_of(counts: &[Counts], every: usize) -> Vec<Pair> {
    let all = (0..counts.len()).flat_map(|a| (a + 1..counts.len()).map(move |b| (a, b)));
    let pair = |(a, b): (usize, usize)| Pair {
        documents: (a, b),
        norms: total(&counts[a]) * total(&counts[b]),
        product: product(&counts[a], &counts[b]),
    };
    all.step_by(every).map(pair).collect()
}

/// Σ a(x)·b(x), exactly.
fn product(mut one: &[(u32, u64)], mut other: &[(u32, u64)]) -> f64 {
    let mut sum = 0;
    while let ([(x, a), rest @ ..], [(y, b), others @ ..]) = (one, other) {
        match x.cmp(y) {
            Ordering::Less => one = rest,
            Ordering::Greater => other = others,
            Ordering::Equal => {
                sum += a * b;
                (one, other) = (rest, others);
            }
        }
    }
    sum as f64
}

/// Of every pair, relative to the product of the numbers of words.
fn errors(
    counts: &[Counts],
    hashes: &[u64],
    pairs: &[Pair],
    params: CountMinParams,
    spec: HashSpec,
) -> Result<Vec<f64>> {
    let sketch = |counts: &Counts| {
        let mut sketch = CountMin::with_params(params).with_hash(spec);
        for &(word, count) in counts {
            sketch.add_hash(hashes[word as usize], count);
        }
        sketch
    };
    let sketches: Vec<CountMin> = counts.iter().map(sketch).collect();
    let mut errors = Vec::with_capacity(pairs.len());
    for &Pair { documents: (a, b), norms, product } in pairs {
        errors.push((sketches[a].inner_product(&sketches[b])?.value() - product) / norms);
    }
    Ok(errors)
}

/// Means over all pairs, of which the law of the error of one row is made.
struct Moments {
    /// 1 − A·B/(‖A‖₁‖B‖₁).
    others: f64,
    /// 2‖A‖₂²‖B‖₂²/(‖A‖₁²‖B‖₁²).
    squares: f64,
    /// Twice the product of the largest shares.
    jump: f64,
}

impl Moments {
    fn of(counts: &[Counts], pairs: &[Pair]) -> Self {
        let shares = |counts: &Counts| {
            let most = counts.iter().map(|&(_, count)| count).max().unwrap_or(0);
            (product(counts, counts), most as f64)
        };
        let shares: Vec<(f64, f64)> = counts.iter().map(shares).collect();
        let mean = |of: &dyn Fn(&Pair) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
        let each = |pair: &Pair| (shares[pair.documents.0], shares[pair.documents.1]);
        Self {
            others: mean(&|pair| 1.0 - pair.product / pair.norms),
            squares: mean(&|pair| {
                let ((a, _), (b, _)) = each(pair);
                2.0 * a * b / (pair.norms * pair.norms)
            }),
            jump: mean(&|pair| {
                let ((_, a), (_, b)) = each(pair);
                2.0 * a * b / pair.norms
            }),
        }
    }

    /// The mean error of one row over the runs, and its tolerance.
    fn mean_of_runs(&self, width: f64, runs: f64) -> (f64, f64) {
        let chance = FALSE_ALARM / WIDTHS.len() as f64;
        (self.others / width, bernstein(self.squares / width, self.jump, runs, chance))
    }
}

fn table(widths: &[Seen]) -> Table {
    let columns =
        ["columns m", "bound e/m (%)", "mean error (%)", "99th percentile (%)", "pairs beyond the bound (%)"];
    let one = ["one row: mean error (%)", "one row: theory (%)", "one row: may stray (%)"];
    let mut table = Table::new("data", columns.into_iter().chain(one));
    for seen in widths {
        let (expected, stray) = seen.expected;
        let numbers = [seen.bound, seen.mean, seen.percentile, seen.beyond, seen.one_row, expected, stray];
        table.push([seen.width.into()].into_iter().chain(numbers.map(|share| Cell::from(100.0 * share))));
    }
    table
}

/// Figure 16.
fn plot(widths: &[Seen]) -> Plot {
    let line =
        |of: fn(&Seen) -> f64| widths.iter().map(move |seen| Point::new(seen.width as f64, 100.0 * of(seen)));
    Plot::new("errors", "Count-Min with three rows: error of the inner products of documents")
        .axes("columns m (count)", "error (% of ‖A‖₁‖B‖₁)")
        .log_x()
        .log_y()
        .with([
            Series::new("bound: e/m", Style::Theory, line(|seen| seen.bound)),
            Series::new("one row, theory", Style::Curve, line(|seen| seen.expected.0)).coloured(0),
            Series::new("one row, mean", Style::Points, line(|seen| seen.one_row)).coloured(0),
            Series::new("99th percentile", Style::Joined, line(|seen| seen.percentile)).coloured(1),
            Series::new("mean", Style::Joined, line(|seen| seen.mean)).coloured(2),
        ])
}

fn judge(widths: &[Seen]) -> Vec<Verdict> {
    let too_low: u64 = widths.iter().map(|seen| seen.too_low).sum();
    let check = |seen: &Seen, value: f64, expected: f64, lower: f64, upper: f64| {
        let [value, expected, lower, upper] = [value, expected, lower, upper].map(|share| 100.0 * share);
        Check { place: format!("m = {}", seen.width), value, expected, lower, upper }
    };
    let rows = widths.iter().map(|seen| {
        let (expected, stray) = seen.expected;
        check(seen, seen.one_row, expected, expected - stray, expected + stray)
    });
    let promised = exp(-f64::from(DEPTH));
    let beyond = widths.iter().map(|seen| check(seen, seen.beyond, promised, f64::NEG_INFINITY, promised));
    let ratios = || widths.iter().map(|seen| seen.bound / seen.percentile);
    let (least, most) = (ratios().fold(f64::INFINITY, f64::min), ratios().fold(0.0, f64::max));
    vec![
        Verdict::new(
            "No product is too low.",
            too_low == 0,
            format!("{too_low} of {} answers.", widths.iter().map(|seen| seen.asked).sum::<u64>()),
        ),
        Verdict::within(
            "One row exceeds the product by 1/m of all other pairs of words on average.",
            " %",
            rows,
        ),
        Verdict::within("At most e^(−3) of the products exceed the bound.", " %", beyond),
        Verdict::new(
            "The bound is conservative: the 99th percentile lies below it at every m.",
            least > 1.0,
            format!("The bound is {least:.2} to {most:.2} times the percentile."),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_exact() {
        assert_eq!(product(&[(1, 2), (3, 4), (7, 1)], &[(0, 9), (3, 5), (7, 2)]), 22.0);
    }
}
