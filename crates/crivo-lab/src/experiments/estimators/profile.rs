//! Tables, column by column.

use crivo::profile::{ColumnProfile, ProfileParams};
use crivo::rng::Rng;
use crivo::{HashSpec, KMinValues, Number, TableProfile};

use super::super::prelude::*;
use super::subject::{About, Answer, Flaw, Law, Subject, Trial, judged};
use crate::coverage::Coverage;

const FALSE_ALARM: f64 = 1e-6;

/// A column of n multiples of three, each of which comes twice.
pub(super) struct TableProfiles;

fn params(percent: u64) -> Result<ProfileParams> {
    Ok(ProfileParams::for_error(percent as f64 / 100.0)?)
}

/// The multiples of three from the one with the number `added` to the one with the number `n`, twice each. The count of values that all
/// came once is cut at the number of rows, and the count of consecutive numbers at the size of their range: both would be too low.
fn add(column: &mut ColumnProfile, added: u64, n: u64, rng: &mut Rng) {
    for number in added..n {
        column.add_hashed((3 * number).to_string().as_bytes(), rng.next_u64(), 2);
    }
}

impl Subject for TableProfiles {
    const ABOUT: About = About {
        id: "c-table-profile",
        title: "Table profile: error, memory and intervals of distinct values and quantiles",
        reference: "Bar-Yossef et al. 2002; Karnin, Lang and Liberty 2016",
        question: "A column has n distinct values, each twice. Is their number exact up to the limit, and how large is the error beyond; how does it depend on \
memory; and do the intervals of the number and of the median have the promised coverage?",
        theory: judged!(
            "Up to `ProfileParams::counters` values every answer is exact. Beyond, the k smallest hashes count the values, with the relative standard error of \
             k minimum values (`KMinValues::standard_error_at`), less where that is cut to what is certain. Ranks come from a KLL sketch."
        ),
        cost: Cost { quick: 1.5, full: 8.0 },
    };
    const SIZE: &'static str = "promised error at 95 % (%)";
    const SIZES: &'static [u64] = &[5, 10, 20, 40];
    const X: &'static str = "distinct values n (count)";
    const GRID: &'static [f64] = &[1.0, 30.0, 64.0, 90.0, 128.0, 200.0, 500.0, 2000.0, 1e4, 3e4];
    const QUICK: f64 = 2000.0;
    const TRIALS: (u64, u64) = (200, 400);
    const COMPARED: f64 = 3000.0;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let spec = HashSpec::seeded(rng.next_u64());
        let mut column = ColumnProfile::with_params(params(size)?).with_hash(spec);
        let (mut added, mut answers) = (0, Vec::with_capacity(grid.len()));
        for &n in grid {
            add(&mut column, added, n as u64, rng);
            added = n as u64;
            answers.push(Answer::relative(&column.summary().distinct(), n));
        }
        let table =
            TableProfile::from_columns(params(size)?, spec, 2 * added, vec![("numbers".to_owned(), column)])?;
        Ok(Trial { answers, bytes: table.memory_bytes() as f64 })
    }

    fn law(size: u64, n: f64) -> Result<Law> {
        let params = params(size)?;
        if n <= f64::from(params.counters()) {
            return Ok(Law::of(0.0));
        }
        let error = 100.0 * KMinValues::standard_error_at(params.kept(), n as u64)?;
        // Just beyond, the count cannot be below the counters: it errs less, and on one side.
        if n < 2.0 * f64::from(params.kept()) {
            return Ok(Law::at_most(error.max(100.0 / n)).with_mean(None));
        }
        Ok(Law::of(error))
    }

    /// Below the limit the median is that of the numbers; beyond, its interval holds it.
    fn more(settings: &Settings, flaw: Flaw, outcome: &mut Outcome) -> Result<()> {
        let mut rng = settings.rng("c-table-profile medians");
        let trials = 2200;
        let small = params(20)?;
        let lengths = [u64::from(small.counters()), 1000, 4000];
        let mut checks = Vec::new();
        for length in lengths {
            let mut coverage = Coverage::default();
            for _ in 0..trials {
                let mut column =
                    ColumnProfile::with_params(small).with_hash(HashSpec::seeded(rng.next_u64()));
                add(&mut column, 0, length, &mut rng);
                if let Some(median) = column.summary().quantile(0.5) {
                    let truth = Number::from(3 * (length / 2 - 1));
                    coverage.add_interval(
                        median.guarantee(),
                        flaw != Flaw::Lost && *median.lower() <= truth && truth <= *median.upper(),
                    );
                }
            }
            checks.push(coverage.check(format!("{length} values"), FALSE_ALARM / lengths.len() as f64));
        }
        let claim =
            "Intervals of the median have the promised coverage; up to the limit they always contain it.";
        outcome.verdicts.push(Verdict::within(claim, " %", checks));
        Ok(())
    }
}
