//! The standard error of HyperLogLog by the number of registers, and next to its predecessors.

use crivo::HyperLogLog;
use crivo::baseline::{LogLog, ProbabilisticCounting};
use crivo::rng::Rng;
use libm::{exp2, sqrt};

use super::prelude::*;
use super::squares::Squares;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f23",
    title: "The standard error of HyperLogLog by the number of registers",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.4.1, figure 23",
    question: "Is the standard error 1.04/√m for m registers, and 2.3 % for the 2048 of the document's example? Is it 20 % less than that of \
LogLog, and 33 % greater than that of probabilistic counting?",
    theory: "\
If there are far more items than registers, here 16 per register, the standard error is close to 1.04/√m. Each run counts new random hashes. The \
root mean square error is compared with 1.04/√m, within 3 % and the χ² law, and the mean error with a normal law \
(`HyperLogLog::standard_error_at`), at a false-alarm probability of 10⁻⁶ shared by all claims and m. The printed 2.3 % is rounded, and so are \
the printed 20 % and 33 %. They follow from 1.30/√m, the error of LogLog, and 0.78/√m, that of probabilistic counting, which are limits for \
large m, too: the quotients are compared within 3 %.",
    cost: Cost { quick: 0.6, full: 6.2 },
    timed: false,
    structures: &["hyperloglog", "loglog", "probabilistic-counting"],
    contradicts: false,
    faults: &[
        Fault { name: "half the registers", run: |settings, progress| measure(settings, progress, 1, 0) },
        Fault {
            name: "a tenth of the items lost",
            run: |settings, progress| measure(settings, progress, 0, 10),
        },
    ],
    run: |settings, progress| measure(settings, progress, 0, 0),
};

const PRECISIONS: [u8; 8] = [7, 8, 9, 10, 11, 12, 13, 14];
const ITEMS_A_REGISTER: u64 = 16;
const FALSE_ALARM: f64 = 1e-6 / 4.0;
const PRINTED: (u8, f64) = (11, 2.3);
/// The precision at which the predecessors are compared with it.
const COMPARED: u8 = 10;
/// The error of HyperLogLog in percent of theirs, as printed.
const OF_LOG_LOG: f64 = 80.0;
const OF_PROBABILISTIC: f64 = 133.0;
/// The bits of a register, and of a bitmap, of 32-bit hashes.
const REGISTER_BITS: f64 = 5.0;
const BITMAP_BITS: f64 = 32.0;

/// A planted fault: sketches have 2^`lacking` times fewer registers than theory expects, and `lost` percent of the items are not inserted.
fn measure(settings: &Settings, progress: &mut Progress, lacking: u8, lost: u64) -> Result<Outcome> {
    let runs = match settings.size {
        Size::Quick => 200,
        Size::Full => 2000,
    };
    let mut rng = settings.rng("e-f23 hashes");
    progress.start(PRECISIONS.len() as u64 + 1);
    let mut grid = Vec::new();
    for precision in PRECISIONS {
        let items = ITEMS_A_REGISTER << precision;
        let sigma = HyperLogLog::standard_error_at(precision, items)?;
        let squares = errors(runs, items, sigma, || {
            estimate(precision - lacking, items - items * lost / 100, &mut rng)
        })?;
        grid.push((precision, squares));
        progress.step();
    }
    let compared = Compared::measure(5 * runs, settings.rng("e-f23 predecessors"), lacking, lost)?;
    progress.step();
    let mut verdicts = judge(&grid);
    verdicts.extend(compared.judge());
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&grid), compared.table()],
        plots: vec![plot(&grid)],
        verdicts,
        notes: vec![format!(
            "{runs} runs of {ITEMS_A_REGISTER} random items per register, and {} of each of the three counters.",
            5 * runs
        )],
    })
}

/// The estimate of a sketch of this many random items.
fn estimate(precision: u8, items: u64, rng: &mut Rng) -> Result<f64> {
    let mut sketch = HyperLogLog::for_precision(precision)?;
    for _ in 0..items {
        sketch.insert_hash(rng.next_u64());
    }
    Ok(sketch.estimate().value())
}

/// The errors of estimates of this many items.
fn errors(runs: u32, items: u64, sigma: f64, mut estimate: impl FnMut() -> Result<f64>) -> Result<Squares> {
    let mut squares = Squares::default();
    for _ in 0..runs {
        squares.add_normal(estimate()? / items as f64 - 1.0, sigma);
    }
    Ok(squares)
}

/// The errors of HyperLogLog and of its predecessors, with as many positions and items.
struct Compared {
    own: Squares,
    log_log: Squares,
    probabilistic: Squares,
}

impl Compared {
    fn measure(runs: u32, mut rng: Rng, lacking: u8, lost: u64) -> Result<Self> {
        let items = ITEMS_A_REGISTER << COMPARED;
        let sigma = HyperLogLog::standard_error_at(COMPARED, items)?;
        let own = errors(runs, items, sigma, || {
            estimate(COMPARED - lacking, items - items * lost / 100, &mut rng)
        })?;
        let log_log = errors(runs, items, LogLog::standard_error_at(COMPARED, items)?, || {
            let mut sketch = LogLog::for_precision(COMPARED)?;
            for _ in 0..items {
                sketch.insert_hash(rng.next_u64());
            }
            Ok(sketch.estimate().value())
        })?;
        let sigma = ProbabilisticCounting::standard_error_at(COMPARED, items)?;
        let probabilistic = errors(runs, items, sigma, || {
            let mut sketch = ProbabilisticCounting::for_precision(COMPARED)?;
            for _ in 0..items {
                sketch.insert_hash(rng.next_u64());
            }
            Ok(sketch.estimate().value())
        })?;
        Ok(Self { own, log_log, probabilistic })
    }

    fn table(&self) -> Table {
        let mut table = Table::new("predecessors", ["counter", "rms error (%)", "theory (%)"]);
        for (name, squares) in [
            ("HyperLogLog", &self.own),
            ("LogLog", &self.log_log),
            ("probabilistic counting", &self.probabilistic),
        ] {
            let numbers = [squares.rms(), squares.expected_rms()].map(|error| Cell::from(100.0 * error));
            table.push([name.into()].into_iter().chain(numbers));
        }
        table
    }

    fn judge(&self) -> [Verdict; 2] {
        let own = &self.own;
        // Two quotients of two root mean squares.
        let relative = |squares: &Squares| {
            let (low, high) = squares.rms_band(FALSE_ALARM / 4.0);
            (low / squares.expected_rms(), high / squares.expected_rms())
        };
        let (low, high) = relative(own);
        let check = |place: &str, other: &Squares, expected: f64| {
            let (least, most) = relative(other);
            let (lower, upper) =
                (0.97 * low / most * (expected - 0.5), 1.03 * high / least * (expected + 0.5));
            Check { place: place.to_owned(), value: 100.0 * own.rms() / other.rms(), expected, lower, upper }
        };
        let of_probabilistic = own.rms() / self.probabilistic.rms();
        [
            Verdict::within(
                "With as many positions, its error is 20 % less than that of LogLog, and 33 % greater than that of probabilistic counting, as \
                 printed.",
                " %",
                [
                    check("of LogLog", &self.log_log, OF_LOG_LOG),
                    check("of probabilistic counting", &self.probabilistic, OF_PROBABILISTIC),
                ],
            ),
            Verdict::not_judged(
                "The printed 21 % of the bits of probabilistic counting are not reproduced, because the document does not state the bits of \
                 a position.",
                format!(
                    "Positions of {REGISTER_BITS} bits instead of {BITMAP_BITS} take {:.0} % of the bits for the same error, since the number of \
                     positions grows with its square.",
                    100.0 * REGISTER_BITS / BITMAP_BITS * of_probabilistic * of_probabilistic
                ),
            ),
        ]
    }
}

fn asymptotic(precision: u8) -> f64 {
    104.0 / sqrt(exp2(precision.into()))
}

fn table(grid: &[(u8, Squares)]) -> Table {
    let columns =
        ["b", "registers m", "mean error (%)", "rms error (%)", "theory (%)", "1.04/√m (%)", "printed (%)"];
    let mut table = Table::new("data", columns);
    for (precision, squares) in grid {
        let printed = if *precision == PRINTED.0 { PRINTED.1 } else { f64::NAN };
        let measured = [squares.mean(), squares.rms(), squares.expected_rms()].map(|error| 100.0 * error);
        let numbers = measured.into_iter().chain([asymptotic(*precision), printed]);
        let place = [u64::from(*precision).into(), exp2(f64::from(*precision)).into()];
        table.push(place.into_iter().chain(numbers.map(Cell::from)));
    }
    table
}

/// Figure 23 itself.
fn plot(grid: &[(u8, Squares)]) -> Plot {
    let registers = |precision: u8| exp2(precision.into());
    let curve = grid.iter().map(|&(precision, _)| Point::new(registers(precision), asymptotic(precision)));
    let points = grid.iter().map(|(precision, squares)| {
        let (lower, upper) = squares.rms_band(0.05);
        let scale = 100.0 * squares.rms() / squares.expected_rms();
        Point::new(registers(*precision), 100.0 * squares.rms()).with_bounds(scale * lower, scale * upper)
    });
    let printed = [Point::new(registers(PRINTED.0), PRINTED.1)];
    Plot::new("errors", "Standard error of HyperLogLog, 16 items per register (bars: 95 %)")
        .log_x()
        .log_y()
        .axes("registers m (count)", "relative standard error (%)")
        .with([
            Series::new("1.04/√m", Style::Theory, curve),
            Series::new("measured", Style::Points, points),
            Series::new("printed for m = 2048", Style::Points, printed),
        ])
}

fn judge(grid: &[(u8, Squares)]) -> Vec<Verdict> {
    let false_alarm = FALSE_ALARM / grid.len() as f64;
    let place = |precision: u8| format!("b = {precision}");
    let printed = grid.iter().filter(|(precision, _)| *precision == PRINTED.0).map(|(precision, squares)| {
        let (low, high) = squares.rms_band(FALSE_ALARM);
        let [low, high] = [low, high].map(|bound| bound / squares.expected_rms());
        let (lower, upper) = (low * (PRINTED.1 - 0.05), high * (PRINTED.1 + 0.05));
        Check { place: place(*precision), value: 100.0 * squares.rms(), expected: PRINTED.1, lower, upper }
    });
    vec![
        Verdict::within(
            "The standard error is 1.04/√m within 3 %, for every m.",
            " %",
            grid.iter().map(|(precision, squares)| {
                let (low, high) = squares.rms_band(false_alarm);
                let [low, high] = [low, high].map(|bound| bound / squares.expected_rms());
                let expected = asymptotic(*precision);
                let (lower, upper) = (0.97 * low * expected, 1.03 * high * expected);
                Check { place: place(*precision), value: 100.0 * squares.rms(), expected, lower, upper }
            }),
        ),
        Verdict::within(
            "The estimate is unbiased.",
            " %",
            grid.iter().map(|(precision, squares)| squares.check_bias(place(*precision), false_alarm)),
        ),
        Verdict::within("The standard error is 2.3 % for 2048 registers, as printed.", " %", printed),
    ]
}
