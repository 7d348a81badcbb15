//! The standard error of HyperLogLog by the number of registers.

use crivo::HyperLogLog;
use libm::{exp2, sqrt};

use super::prelude::*;
use super::squares::Squares;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f23",
    title: "The standard error of HyperLogLog by number of registers",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.4.1, figure 23",
    question: "Is the standard error 1.04/√m for m registers, and 2.3 % for the 2048 of the document's example?",
    theory: "\
Far more items than registers, here 16 a register, are counted with a standard error that comes up to 1.04/√m from below; the library states what it is for every n \
(`HyperLogLog::standard_error_at`). Each run counts new random hashes. The root mean square error is held against the χ² law, the mean error against a \
normal law, at a false-alarm probability of 10⁻⁶ shared by all claims and m. The printed 2.3 % may be off by its own rounding besides.",
    cost: Cost { quick: 0.6, full: 6.2 },
    timed: false,
    run: |settings, progress| measure(settings, progress, 0),
};

const PRECISIONS: [u8; 8] = [7, 8, 9, 10, 11, 12, 13, 14];
const ITEMS_A_REGISTER: u64 = 16;
const FALSE_ALARM: f64 = 1e-6 / 3.0;
const PRINTED: (u8, f64) = (11, 2.3);

/// Sketches have 2^`lacking` times fewer registers than theory expects.
fn measure(settings: &Settings, progress: &mut Progress, lacking: u8) -> Result<Outcome> {
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
            for _ in 0..items {
                sketch.insert_hash(rng.next_u64());
            }
            squares.add_normal(sketch.estimate().value() / items as f64 - 1.0, sigma);
        }
        grid.push((precision, squares));
        progress.step();
    }
    Ok(Outcome {
        tables: vec![table(&grid)],
        plots: vec![plot(&grid)],
        verdicts: judge(&grid),
        notes: vec![format!("{runs} runs of {ITEMS_A_REGISTER} random items a register.")],
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
    Plot::new("errors", "Standard error of HyperLogLog, 16 items a register (bars: 95 %)")
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
            "The standard error is what the library states for so many items, for every m.",
            " %",
            grid.iter().map(|(precision, squares)| squares.check(place(*precision), false_alarm)),
        ),
        Verdict::within(
            "There is no bias.",
            " %",
            grid.iter().map(|(precision, squares)| squares.check_bias(place(*precision), false_alarm)),
        ),
        Verdict::within("It is 2.3 % for 2048 registers, as printed.", " %", printed),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_registers_is_found_out() {
        let settings = Settings { size: Size::Quick, ..Settings::default() };
        let outcome = measure(&settings, &mut Progress::silent(), 1).unwrap();
        let passed: Vec<bool> = outcome.verdicts.iter().map(|verdict| verdict.passed).collect();
        assert_eq!(passed, [false, true, false], "{:?}", outcome.verdicts);
    }
}
