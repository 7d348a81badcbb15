//! The standard error of linear counting by its load.

use crivo::cardinality::LinearCounting;
use crivo::stats::chi_squared_quantile;
use libm::{exp, sqrt};

use super::prelude::*;
use crate::coverage::{Coverage, Pooled};
use crate::summary::Summary;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f7",
    title: "Standard error of linear counting by load",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.1.4, figure 7; Whang, Vander-Zanden and Taylor 1990",
    question: "How wrong is linear counting in m bits as items are added, and how far beyond one item per bit does it go?",
    theory: "\
With n items in m bits, λ = n/m, the relative standard error is √(m(e^λ − λ − 1))/n (`LinearCounting::standard_error_at`). It is \
the first term of an expansion in e^λ/m, the mean of 1 over the empty bits: the next one is allowed on top. The root mean square \
error of R runs is compared with the χ² distribution of R squares around it, at all loads with 30 collisions and 100 empty \
bits or more, where a run's error is nearly normal. The interval that the library gives is compared with its 95 % (less the two \
points that an approximate one may miss), at every load if the runs suffice for a band of 3 points, and over all loads by Student's t. False alarms: 10⁻⁶ in each claim, shared by its points.",
    cost: Cost { quick: 0.3, full: 5.5 },
    timed: false,
    structures: &["linear-counting"],
    contradicts: false,
    faults: &[
        Fault {
            name: "half the bits",
            run: |settings, progress| measure(settings, progress, Flaw { shrink: 2, lost: 0 }),
        },
        Fault {
            name: "a tenth of the items lost",
            run: |settings, progress| measure(settings, progress, Flaw { shrink: 1, lost: 10 }),
        },
    ],
    run: |settings, progress| measure(settings, progress, Flaw { shrink: 1, lost: 0 }),
};

const BITS: [u64; 5] = [256, 1024, 4096, 16_384, 65_536];
const LOADS_PERCENT: [u64; 12] = [5, 10, 20, 50, 75, 100, 150, 200, 300, 400, 500, 600];
const FALSE_ALARM: f64 = 1e-6;
/// Below this number of expected collisions or empty bits the error is not nearly normal.
const COLLISIONS: f64 = 30.0;
const EMPTY: f64 = 100.0;

/// Runs of one size at one load.
struct Cell {
    bits: u64,
    items: u64,
    theory: f64,
    rms: f64,
    coverage: Coverage,
}

impl Cell {
    fn load(&self) -> f64 {
        self.items as f64 / self.bits as f64
    }

    /// The mean number of bits that are still empty.
    fn empty(&self) -> f64 {
        self.bits as f64 * exp(-self.load())
    }

    fn is_normal(&self) -> bool {
        let collisions = self.items as f64 * self.load() / 2.0;
        collisions >= COLLISIONS && self.empty() >= EMPTY
    }
}

/// A planted fault: the sketches have 1/`shrink` of the bits that theory assumes, and `lost` percent of the items are not inserted.
#[derive(Clone, Copy)]
struct Flaw {
    shrink: u64,
    lost: u64,
}

fn measure(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    let runs = match settings.size {
        Size::Quick => 250,
        Size::Full => 2000,
    };
    let mut rng = settings.rng("e-f7 items");
    progress.start(BITS.len() as u64 * runs);
    let (mut cells, mut pooled) = (Vec::new(), Pooled::default());
    for bits in BITS {
        // Beyond these a sketch of the size is too often full to have a standard error.
        let grid: Vec<u64> = LOADS_PERCENT.iter().map(|percent| bits * percent / 100).collect();
        let lasts = |items: &u64| bits as f64 * exp(-(*items as f64) / bits as f64) >= 10.0;
        let grid: Vec<u64> = grid.into_iter().filter(lasts).collect();
        let mut errors = vec![Vec::new(); grid.len()];
        let mut coverages = vec![Coverage::default(); grid.len()];
        for _ in 0..runs {
            let mut held = Vec::new();
            let mut sketch = LinearCounting::for_bits(bits / flaw.shrink)?;
            let mut inserted = 0;
            for (point, &items) in grid.iter().enumerate() {
                for item in inserted..items {
                    let next = rng.next_u64();
                    if item % 100 < flaw.lost {
                        continue;
                    }
                    sketch.insert(&next);
                }
                inserted = items;
                let estimate = sketch.estimate();
                errors[point].push(estimate.value() / items as f64 - 1.0);
                coverages[point].add(&estimate, items as f64);
                held.push((estimate.guarantee(), estimate.contains(items as f64)));
            }
            pooled.add(held);
            progress.step();
        }
        for ((items, errors), coverage) in grid.into_iter().zip(errors).zip(coverages) {
            let theory = LinearCounting::standard_error_at(bits, items)?;
            cells.push(Cell { bits, items, theory, rms: Summary::of(&errors).rms, coverage });
        }
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&cells)],
        plots: vec![plot(&cells, runs as f64)],
        verdicts: judge(&cells, &pooled, runs as f64),
        notes: vec![format!(
            "{runs} runs of each size, each with fresh random items. The text of the document does not say for which sizes its \
             figure is drawn: these are ours."
        )],
    })
}

fn table(cells: &[Cell]) -> Table {
    let columns =
        ["bits m", "items n", "load (%)", "theory (%)", "measured rms (%)", "95 % intervals that hold (%)"];
    let mut table = Table::new("data", columns);
    for cell in cells {
        table.push([
            cell.bits.into(),
            cell.items.into(),
            (100.0 * cell.load()).into(),
            (100.0 * cell.theory).into(),
            (100.0 * cell.rms).into(),
            (100.0 * cell.coverage.share()).into(),
        ]);
    }
    table
}

/// The tolerance of the root mean square of normal errors of standard deviation 1, at this false-alarm probability.
fn rms_bounds(runs: f64, chance: f64) -> (f64, f64) {
    let at = |p: f64| sqrt(chi_squared_quantile(runs, p) / runs);
    (at(chance / 2.0), at(1.0 - chance / 2.0))
}

/// Figure 7.
fn plot(cells: &[Cell], runs: f64) -> Plot {
    let (low, high) = rms_bounds(runs, 0.05);
    let series = BITS.iter().enumerate().flat_map(|(colour, &bits)| {
        let loads = (1..=100).map(|i| 0.06 * f64::from(i));
        let error = move |load: f64| {
            LinearCounting::standard_error_at(bits, (load * bits as f64) as u64).unwrap_or(f64::NAN)
        };
        let curve = loads.map(|load| Point::new(100.0 * load, 100.0 * error(load)));
        let seen = cells.iter().filter(move |cell| cell.bits == bits);
        let points = seen.map(move |cell| {
            let rms = 100.0 * cell.rms;
            Point::new(100.0 * cell.load(), rms).with_bounds(rms / high, rms / low)
        });
        [
            Series::new(format!("m = {bits}: theory"), Style::Curve, curve).coloured(colour),
            Series::new(format!("m = {bits}: measured (95 %)"), Style::Points, points).coloured(colour),
        ]
    });
    Plot::new("errors", "Standard error of linear counting in m bits")
        .axes("load: items per bit (%)", "relative standard error (%)")
        .log_y()
        .between(0.1, 40.0)
        .with(series)
}

fn judge(cells: &[Cell], pooled: &Pooled, runs: f64) -> Vec<Verdict> {
    let normal: Vec<&Cell> = cells.iter().filter(|cell| cell.is_normal()).collect();
    let (low, high) = rms_bounds(runs, FALSE_ALARM / normal.len() as f64);
    let place = |cell: &Cell| format!("{} items in {} bits", cell.items, cell.bits);
    let rms = normal.iter().map(|cell| {
        let expected = 100.0 * cell.theory;
        let next = 1.0 / cell.empty();
        let (lower, upper) = (expected * low * (1.0 - next), expected * high * (1.0 + next));
        Check { place: place(cell), value: 100.0 * cell.rms, expected, lower, upper }
    });
    let covered =
        cells.iter().map(|cell| cell.coverage.check(place(cell), FALSE_ALARM / (cells.len() + 1) as f64));
    let together = pooled.check(FALSE_ALARM / 2.0);
    vec![
        Verdict::within("The root mean square error is √(m(e^λ − λ − 1))/n.", " %", rms),
        Verdict::within(
            "The 95 % intervals of the library have the promised coverage.",
            " %",
            covered.chain(together),
        ),
    ]
}
