//! `crivo plan sampling`: how large a sample must be.

use super::choices::{Candidate, Choice, Compare, Comparison, Touches};
use super::permission;
use crate::args::{FormArgs, parse_count, parse_share};
use anyhow::{Result, bail};
use clap::Args;
use crivo::stats::clopper_pearson;
use crivo::{DEFAULT_CONFIDENCE, Kind, Reservoir, VarOpt};
use serde_json::json;

/// Samples, from the half-width of the 95 % interval of a share
///
/// For any share that is estimated from the sample, such as the share of records with an empty field. The interval of a
/// share of one half is the widest.
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Examples:
  crivo plan sampling --error 0.01
  crivo plan sampling --error 0.01 --record 500")]
pub(crate) struct Sampling {
    /// Half-width of the 95 % interval of a share
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = parse_share)]
    error: f64,

    /// Mean number of bytes of a record
    #[arg(long, value_name = "BYTES", default_value = "100", value_parser = parse_count)]
    record: u64,

    #[command(flatten)]
    form: FormArgs,
}

impl Compare for Sampling {
    fn form(&self) -> FormArgs {
        self.form
    }

    fn compare(self) -> Result<Comparison> {
        let even = Candidate::new(Kind::Reservoir, "every record has the same chance", move |error| {
            self.choose(error, [size_of::<Reservoir<Vec<u8>>>(), 0], "")
        });
        let sums =
            Candidate::new(Kind::VarOpt, "shares of the weight; heavy records are exact", move |error| {
                let sizes = [size_of::<VarOpt<Vec<u8>>>(), size_of::<f64>()];
                self.choose(error, sizes, " --weight COLUMN --where COLUMN=VALUE")
            });
        Ok(Comparison { target: self.error, step: 10.0, candidates: vec![even, sums] })
    }
}

impl Sampling {
    /// With the sizes of the sketch itself and of what it keeps with a record, and the flags of the verb.
    fn choose(&self, error: f64, [own, more]: [usize; 2], flags: &str) -> Result<Choice> {
        let records = least_records(error)?;
        let each = (size_of::<Vec<u8>>() + more) as u64 + self.record;
        let memory_bytes = own as u64 + u64::from(records).saturating_mul(each);
        Ok(Choice {
            achieved: widest(records),
            memory_bytes,
            parameters: json!({ "records": records }),
            work: Touches { insert: "1 counter".into(), query: "all records".into() },
            command: format!("crivo sample FILE{flags} -n {records}{}", permission(memory_bytes)),
        })
    }
}

/// The half-width of the interval of one half.
fn widest(records: u32) -> f64 {
    let half = u64::from(records / 2);
    let (lower, upper) = clopper_pearson(half, records.into(), DEFAULT_CONFIDENCE);
    let share = half as f64 / f64::from(records);
    (share - lower).max(upper - share)
}

/// The fewest records, an even number, whose interval is as narrow.
fn least_records(error: f64) -> Result<u32> {
    let (mut few, mut enough) = (0, u32::MAX / 2);
    if widest(2 * enough) > error {
        bail!(
            "the error of a sample of at most 4,294,967,295 records is at least 0.000015, got {error}; 0.01 is usual"
        );
    }
    while enough - few > 1 {
        let middle = u32::midpoint(few, enough);
        if widest(2 * middle) <= error { enough = middle } else { few = middle }
    }
    Ok(2 * enough)
}
