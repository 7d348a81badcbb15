//! Observed and expected false positives of a Bloom filter as it fills.

use crivo::hash::classic::murmur3_32;
use crivo::stats::{binomial_band, clopper_pearson, normal_quantile};
use crivo::{BloomFilter, BloomParams};
use libm::{exp, pow, sqrt};

use super::prelude::*;
use super::table2::{DataSet, strings, words};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f9",
    title: "Observed and expected false positives of a Bloom filter",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.1.8, table 2 and figure 9",
    question: "Is the false-positive rate of a Bloom filter that of theory, from empty to far beyond its capacity?",
    theory: "\
After n items with k functions over m bits a bit is still 0 with probability e^(−λ), λ = kn/m, so an absent \
item is taken for present with probability (1 − e^(−λ))^k (`BloomParams::fpr_at`, exactly). The number of ones varies with variance \
m·e^(−λ)·(1 − (1 + λ)·e^(−λ)). Given t ones, each tested item is wrongly accepted with probability (t/m)^k, \
independently of the others, so the number accepted is binomial around that rate. The positions come from \
MurmurHash3 (32 bits) with k seeds. Each claim is judged at \
every step, with a false-alarm probability of 10⁻⁶ shared by all steps of both data sets.",
    cost: Cost { quick: 0.5, full: 3.4 },
    timed: false,
    structures: &["bloom-filter"],
    contradicts: false,
    faults: &[Fault {
        name: "one hash function fewer",
        run: |settings, progress| measure(settings, progress, HASHES - 1),
    }],
    run: |settings, progress| measure(settings, progress, HASHES),
};

const HASHES: u32 = 7;
const DATA_SETS: usize = 2;
const STEPS: usize = 40;
const FALSE_ALARM: f64 = 1e-6;

/// How many wrong answers theory expects, and the fewest and the most that it lets be.
type Expected = (f64, (f64, f64));

/// A data set and what was seen while it was inserted.
type Measured = (DataSet, Vec<Step>);

/// What was seen after some share of the inserts, and what may be seen.
struct Step {
    inserted: u64,
    load_percent: f64,
    ones: u64,
    tested: u64,
    wrong: u64,
    given_ones: Expected,
    given_items: Expected,
}

impl Step {
    fn percent(&self, answers: f64) -> f64 {
        100.0 * answers / self.tested as f64
    }

    /// The percentage of wrong answers with its 95 % interval, less another percentage.
    fn observed_less(&self, other: f64) -> Point {
        let (lower, upper) = clopper_pearson(self.wrong, self.tested, 0.95);
        Point::new(self.load_percent, self.percent(self.wrong as f64) - other)
            .with_bounds(100.0 * lower - other, 100.0 * upper - other)
    }
}

/// `hashes` is how many functions the filter really uses; theory always expects [`HASHES`].
fn measure(settings: &Settings, progress: &mut Progress, hashes: u32) -> Result<Outcome> {
    let (words, strings) = (words(settings)?, strings(settings));
    let cases: [_; DATA_SETS] = [(16_384, words), (strings.inserted.len() as u64, strings)];
    let mut rng = settings.rng("e-f9 hash seeds");
    #[expect(clippy::cast_possible_truncation, reason = "32 random bits of 64 are wanted")]
    let seeds: Vec<u32> = (0..hashes).map(|_| rng.next_u64() as u32).collect();
    progress.start((DATA_SETS * STEPS) as u64);
    let fill = |(bits, set)| fill(bits, &set, &seeds, progress).map(|steps| (set, steps));
    let measured = cases.into_iter().map(fill).collect::<Result<Vec<Measured>>>()?;
    let given_ones = "Given the ones t in the filter, the wrong answers are binomial around (t/m)^k.";
    let given_items = "Given only n, they follow (1 − e^(−kn/m))^k, within the spread of the ones.";
    Ok(Outcome {
        atlas: None,
        tables: measured.iter().map(|(set, steps)| table(set.name, steps)).collect(),
        plots: std::iter::once(rates(&measured)).chain(measured.iter().map(deviations)).collect(),
        verdicts: vec![
            judge(given_ones, &measured, |step| step.given_ones),
            judge(given_items, &measured, |step| step.given_items),
        ],
        notes: vec![format!("Words: {}, 16384 bits. Strings: one bit each.", settings.corpus_name())],
    })
}

fn fill(bits: u64, set: &DataSet, seeds: &[u32], progress: &mut Progress) -> Result<Vec<Step>> {
    let false_alarm = FALSE_ALARM / (DATA_SETS * STEPS) as f64;
    let params = BloomParams::exact(bits, HASHES)?;
    let mut filter = BloomFilter::with_params(params);
    let positions = |item: &String| -> Vec<u64> {
        seeds.iter().map(|&seed| u64::from(murmur3_32(item.as_bytes(), seed)) % bits).collect()
    };
    let probes: Vec<Vec<u64>> = set.tested.iter().map(positions).collect();
    let (m, k, tested) = (bits as f64, f64::from(HASHES), set.tested.len() as u64);
    let mut steps = Vec::with_capacity(STEPS);
    for step in 1..=STEPS {
        let until = |step: usize| set.inserted.len() * step / STEPS;
        for item in &set.inserted[until(step - 1)..until(step)] {
            filter.insert_positions(&positions(item))?;
        }
        let mut wrong = 0;
        for probe in &probes {
            wrong += u64::from(filter.contains_positions(probe)?);
        }
        let n = until(step) as u64;
        // Half of the false alarms for the number of ones, half for the answers given the ones.
        let lambda = k * n as f64 / m;
        let zeros = exp(-lambda);
        let variance = zeros * (1.0 - (1.0 + lambda) * zeros) / m;
        let spread = normal_quantile(1.0 - false_alarm / 4.0) * sqrt(variance);
        let rate = |zeros: f64| pow((1.0 - zeros).clamp(0.0, 1.0), k);
        let band = |zeros: f64| binomial_band(tested, rate(zeros), false_alarm / 2.0);
        let given_ones = filter.fpr().value();
        steps.push(Step {
            inserted: n,
            load_percent: 100.0 * n as f64 / m,
            ones: filter.bits().count_ones(),
            tested,
            wrong,
            given_ones: (given_ones * tested as f64, binomial_band(tested, given_ones, false_alarm)),
            given_items: (params.fpr_at(n) * tested as f64, (band(zeros + spread).0, band(zeros - spread).1)),
        });
        progress.step();
    }
    Ok(steps)
}

#[rustfmt::skip]
fn table(name: &'static str, steps: &[Step]) -> Table {
    let mut table = Table::new(name, [
        "inserted", "load (%)", "ones", "tested", "wrong",
        "expected given ones", "fewest given ones", "most given ones", "expected", "fewest", "most",
    ]);
    for &Step { inserted, load_percent, ones, tested, wrong, given_ones: (p, q), given_items: (r, s) } in steps {
        table.push([
            inserted.into(), load_percent.into(), ones.into(), tested.into(), wrong.into(),
            p.into(), q.0.into(), q.1.into(), r.into(), s.0.into(), s.1.into(),
        ]);
    }
    table
}

const LOAD: &str = "load: items inserted per bit of the filter (%)";

/// Figure 9 itself: the rate by load, theory and both data sets.
fn rates(measured: &[Measured]) -> Plot {
    let end = measured.iter().flat_map(|(_, steps)| steps).map(|step| step.load_percent).fold(0.0, f64::max);
    let theory = |load: f64| 100.0 * pow(1.0 - exp(-f64::from(HASHES) * load / 100.0), f64::from(HASHES));
    let loads = (0..=200).map(|i| end * f64::from(i) / 200.0);
    let curve = loads.map(|load| Point::new(load, theory(load)));
    let observed = measured.iter().map(|(set, steps)| {
        Series::new(
            format!("{} (95 % interval)", set.what),
            Style::Points,
            steps.iter().map(|step| step.observed_less(0.0)),
        )
    });
    Plot::new("rates", "False positives of a Bloom filter with 7 hash functions")
        .axes(LOAD, "false positives (% of absent items)")
        .with([Series::new("theory: (1 − e^(−kn/m))^k, k = 7", Style::Theory, curve)])
        .with(observed)
}

/// The same data seen closer: what was observed less what theory expects, and where it may lie.
fn deviations((set, steps): &Measured) -> Plot {
    let band = steps.iter().map(|step| {
        let (expected, (fewest, most)) = step.given_items;
        let [lower, upper] = [fewest, most].map(|answers| step.percent(answers - expected));
        Point::new(step.load_percent, 0.0).with_bounds(lower, upper)
    });
    let points = steps.iter().map(|step| step.observed_less(step.percent(step.given_items.0)));
    Plot::new(set.name, format!("Observed less expected false positives: {}", set.what))
        .axes(LOAD, "difference (percentage points)")
        .with([Series::new("allowed by theory (false alarm: 10⁻⁶)", Style::Band, band)])
        .with([Series::new("observed less expected (95 % interval)", Style::Points, points)])
}

fn judge(claim: &str, measured: &[Measured], expected: impl Fn(&Step) -> Expected) -> Verdict {
    let check = |what: &str, step: &Step| {
        let (expected, (fewest, most)) = expected(step);
        let lower = if fewest > 0.0 { fewest } else { f64::NEG_INFINITY };
        let upper = if most < step.tested as f64 { most } else { f64::INFINITY };
        Check { place: format!("{} {what}", step.inserted), value: step.wrong as f64, expected, lower, upper }
    };
    let checks = measured.iter().flat_map(|(set, steps)| steps.iter().map(|step| check(set.what, step)));
    Verdict::within(claim, "", checks)
}
