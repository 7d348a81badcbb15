//! Registers that keep the rarest pattern seen.

use super::drawing::{Drawing, Grid, Step, Verdict, changed};
use super::examples::Given;
use super::setting::{Entry, Setting};
use anyhow::Result;
use crivo::HyperLogLog;
use crivo::cardinality::Estimator;
use crivo_report::{estimate, plural};

const ABOUT: &str = "The first bits of an item's hash choose a register. It keeps the largest rank seen, which is the place of \
                     the first 1 among the other bits: rank r comes once in 2^r items, so large ranks mean many items. \
                     Repeats change nothing.";

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let precision = setting.cells.ilog2();
    let mut sketch = HyperLogLog::for_precision(precision as u8)?.with_hash(setting.spec);
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = sketch.registers();
        sketch.insert_hash(item.hash);
        let after = sketch.registers();
        let register = item.hash >> (64 - precision);
        let rank = (item.hash << precision).leading_zeros() + 1;
        let (old, new) = (before[register as usize], after[register as usize]);
        let remark = match old {
            _ if old == new => {
                format!("register {register} holds {old} already, and rank {rank} is not more")
            }
            _ => format!(
                "register {register}: the first 1 of the rest is at place {rank}, so {old} becomes {new}"
            ),
        };
        steps.push(Step {
            heading: format!("insert {} → {}", item.name, bits(item, precision, rank)),
            grid: Grid::new(setting.heads()).row("", changed(&before, &after, &[register])),
            remark,
            verdict: Verdict::None,
        });
    }
    Ok(Drawing {
        title: format!("HyperLogLog of {}", plural(setting.cells, "register", "registers")),
        source: setting.example.map(|example| example.source),
        about: ABOUT.into(),
        steps,
        results: results(setting, &sketch),
    })
}

/// The bits that choose the register, a blank, and as many of the rest as say something.
fn bits(item: &Entry, precision: u32, rank: u32) -> String {
    if let Some(Given::Bits(bits)) = item.given {
        return (*bits).into();
    }
    let all = format!("{:064b}", item.hash);
    let (register, rest) = all.split_at(precision as usize);
    let shown = (rank.max(12) as usize).min(rest.len());
    format!("{register} {}…", &rest[..shown])
}

fn results(setting: &Setting, sketch: &HyperLogLog) -> Vec<String> {
    let m = setting.cells as f64;
    let registers = sketch.registers();
    let sum: f64 = registers.iter().map(|&rank| (-f64::from(rank)).exp2()).sum();
    let alpha = match setting.cells {
        16 => 0.673,
        32 => 0.697,
        _ => 0.709,
    };
    let raw = alpha * m * m / sum;
    let empty = registers.iter().map(|&rank| u32::from(rank == 0)).sum::<u32>();
    let truth = setting.different();
    let first = format!(
        "the sum of 2^-register is {sum:.3}: raw estimate α m² / sum = {alpha} · {m}² / {sum:.3} = {raw:.2}{}",
        // The source takes the α of many registers.
        setting.example.map(|_| 0.7213 / (1.0 + 1.079 / m)).map_or_else(String::new, |alpha| format!(
            " ({:.2} in the source, which takes α = {alpha:.3}, that of many registers)",
            alpha * m * m / sum
        ))
    );
    let answer = sketch.estimate_with(Estimator::Original);
    let second = if raw <= 2.5 * m && empty > 0 {
        format!(
            "that is not above 5/2 · {m} = {}, and {empty} registers are 0, so linear counting answers: {m} · ln({m}/{empty}) \
             = {answer:.2}, rounded {answer:.0}; there are {truth}",
            2.5 * m
        )
    } else {
        format!("the answer is {answer:.2}, rounded {answer:.0}; there are {truth}")
    };
    let third = format!(
        "so few registers err by about 1.04/√{m} = {:.0} %; Crivo's own estimator, with its error bar: {}",
        104.0 / m.sqrt(),
        estimate(&sketch.estimate(), "")
    );
    vec![first, second, third]
}
