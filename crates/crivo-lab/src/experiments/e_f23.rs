//! The standard error of HyperLogLog by the number of registers.

use crivo::HyperLogLog;
use libm::{exp2, sqrt};

use super::prelude::*;
use super::squares::Squares;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f23",
    title: "The standard error of HyperLogLog by the number of registers",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.4.1, figure 23",
    question: "Is the standard error 1.04/√m for m registers, and 2.3 % for the 2048 of the document's example?",
    theory: "\
If there are far more items than registers, here 16 per register, the standard error is close to 1.04/√m. Each run counts new random hashes. The \
root mean square error is compared with 1.04/√m, within 3 % and the χ² law, and the mean error with a normal law \
(`HyperLogLog::standard_error_at`), at a false-alarm probability of 10⁻⁶ shared by all claims and m. The printed 2.3 % is rounded.",
    cost: Cost { quick: 0.6, full: 6.2 },
    timed: false,
    structures: &["hyperloglog"],
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
const FALSE_ALARM: f64 = 1e-6 / 3.0;
const PRINTED: (u8, f64) = (11, 2.3);

/// A planted fault: sketches have 2^`lacking` times fewer registers than theory expects, and `lost` percent of the items are not inserted.
fn measure(settings: &Settings, progress: &mut Progress, lacking: u8, lost: u64) -> Result<Outcome> {
    let runs = match settings.size {
        Size::Quick => 200,
        Size::Full => 2000,
    };
    let mut rng = settings.rng("e-f23 hashes");
    progress.start(PRECISIONS.len() as u64);
    let mut grid = Vec::new();
    for precision in PRECISIONS {
        let items = ITEMS_A_REGISTER << precision;
        let sigma = HyperLogLog::standard_error_at(precision, items)?;
        let mut squares = Squares::default();
        for _ in 0..runs {
            let mut sketch = HyperLogLog::for_precision(precision - lacking)?;
            for _ in 0..items - items * lost / 100 {
                sketch.insert_hash(rng.next_u64());
            }
            squares.add_normal(sketch.estimate().value() / items as f64 - 1.0, sigma);
        }
        grid.push((precision, squares));
        progress.step();
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&grid)],
        plots: vec![plot(&grid)],
        verdicts: judge(&grid),
        notes: vec![format!("{runs} runs of {ITEMS_A_REGISTER} random items per register.")],
    })
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
