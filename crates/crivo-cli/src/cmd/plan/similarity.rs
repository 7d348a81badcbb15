//! `crivo plan similarity`: how alike?

use super::choices::{Candidate, Choice, Compare, Comparison, Touches};
use super::{permission, round_to_digits};
use crate::args::{FormArgs, parse_share};
use anyhow::Result;
use clap::Args;
use crivo::similarity::LshParams;
use crivo::{Kind, OnePermutation};
use serde_json::json;

/// Similarity: signatures from the half-width of the 95 % interval, or bands from two probabilities
///
/// The memory is for the signature of one file. --found and --skipped size an index of bands: two sets are candidates if
/// they agree in a whole band. The error then is the probability that sets at the similarity of --found are missed.
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Examples:
  crivo plan similarity --error 0.02
  crivo plan similarity --found 0.9:0.99 --skipped 0.6:0.01    # 20 bands of 15 rows")]
pub(crate) struct Similarity {
    /// Half-width of the 95 % interval of the Jaccard similarity
    #[arg(long, value_name = "ERROR", default_value_t = 0.02, value_parser = parse_share)]
    error: f64,

    /// Sets of this similarity must be candidates with at least this probability
    #[arg(long, value_name = "SIMILARITY:PROBABILITY", value_parser = parse_point, requires = "skipped",
          conflicts_with = "error")]
    found: Option<(f64, f64)>,

    /// Sets of this similarity may be candidates with at most this probability
    #[arg(long, value_name = "SIMILARITY:PROBABILITY", value_parser = parse_point, requires = "found",
          conflicts_with = "error")]
    skipped: Option<(f64, f64)>,

    #[command(flatten)]
    form: FormArgs,
}

impl Compare for Similarity {
    fn form(&self) -> FormArgs {
        self.form
    }

    fn compare(self) -> Result<Comparison> {
        if let (Some(found), Some(skipped)) = (self.found, self.skipped) {
            let choose = move |missed: f64| choose_bands((found.0, round_to_digits(1.0 - missed)), skipped);
            let candidate = Candidate::new(Kind::LshIndex, "pairs among many sets", choose);
            let target = round_to_digits(1.0 - found.1);
            return Ok(Comparison { target, step: 10.0, candidates: vec![candidate] });
        }
        let candidate = Candidate::new(Kind::OnePermutation, "two files", choose);
        Ok(Comparison { target: self.error, step: 2.0, candidates: vec![candidate] })
    }
}

/// `0.9:0.99`
fn parse_point(text: &str) -> Result<(f64, f64), String> {
    let point = text.split_once(':').and_then(|(similarity, probability)| {
        Some((parse_share(similarity).ok()?, parse_share(probability).ok()?))
    });
    point
        .ok_or_else(|| "expected a similarity and a probability between 0 and 1, for example 0.9:0.99".into())
}

fn choose_bands(found: (f64, f64), skipped: (f64, f64)) -> Result<Choice> {
    let params = LshParams::for_targets(skipped, found)?;
    Ok(Choice {
        achieved: 1.0 - params.probability(found.0)?,
        memory_bytes: OnePermutation::for_slots(params.slots())?.memory_bytes() as u64,
        parameters: json!({
            "bands": params.bands(),
            "rows": params.rows(),
            "skipped": params.probability(skipped.0)?,
        }),
        work: Touches {
            insert: format!("{} bands of {} rows", params.bands(), params.rows()),
            query: format!("{} bands", params.bands()),
        },
        command: format!("crivo dups FILE --format lines --threshold {} --recall {}", found.0, found.1),
    })
}

fn choose(error: f64) -> Result<Choice> {
    let sketch = OnePermutation::for_error(error)?;
    let memory_bytes = sketch.memory_bytes() as u64;
    Ok(Choice {
        // The size is the smallest that reaches it.
        achieved: error,
        memory_bytes,
        parameters: json!({ "slots": sketch.k() }),
        work: Touches { insert: "1 hash, 1 slot".into(), query: format!("2 × {} slots", sketch.k()) },
        command: format!("crivo similar FILE FILE2 --error {error}{}", permission(memory_bytes)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Folder;

    /// The question of MPEI, section 4.4: below 0.01 at 60 %, 0.99 at 90 %.
    #[test]
    fn bands_from_two_targets() {
        let folder = Folder::new();
        let rows = folder.json::<Similarity>("--found 0.9:0.99 --skipped 0.6:0.01 --json");
        let asked = rows.iter().find(|row| row["asked"] == true).unwrap();
        let parameters = &asked["parameters"];
        assert_eq!((&parameters["bands"], &parameters["rows"]), (&20.into(), &15.into()));
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        assert!((number(&parameters["skipped"]) - 0.0094).abs() < 5e-5, "{asked}");
        assert!((number(&asked["achieved"]) - (1.0 - 0.9901)).abs() < 5e-5, "{asked}");
        let error = folder.error::<Similarity>("--found 0.6:0.99 --skipped 0.9:0.01");
        assert!(error.contains("above"), "{error}");
        assert!(parse_point("0.9").is_err() && parse_point("2:0.5").is_err());
    }
}
