//! `crivo plan duplicates`: which are nearly the same?

use super::choices::{Candidate, Choice, Compare, Comparison, Touches};
use super::{permission, round_to_digits};
use crate::args::{FormArgs, parse_count, parse_share};
use anyhow::{Result, bail};
use clap::Args;
use crivo::rng::Rng;
use crivo::similarity::{NearDuplicates, NearParams};
use serde_json::json;

/// The number of documents that are tried; more documents take as much memory each.
const TRIED: u64 = 1 << 12;

/// Near-duplicates, from the number of documents, the threshold and the recall
///
/// The error is the share of pairs exactly at the threshold that are missed; fewer are missed above it. All reported
/// pairs are verified. The memory is for documents that all differ, without the texts that the verification keeps.
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Examples:
  crivo plan duplicates --items 1e6
  crivo plan duplicates --items 1e6 --threshold 0.5 --recall 0.99")]
pub(crate) struct Duplicates {
    /// Number of documents, such as 20000 or 1e6
    #[arg(long, value_name = "N", value_parser = parse_count)]
    items: u64,

    /// Minimum similarity of near-duplicates
    #[arg(long, short, value_name = "SHARE", default_value_t = 0.8, value_parser = parse_share)]
    threshold: f64,

    /// Share of the pairs at the threshold that is found
    #[arg(long, value_name = "SHARE", default_value_t = 0.995, value_parser = parse_share)]
    recall: f64,

    #[command(flatten)]
    form: FormArgs,
}

impl Compare for Duplicates {
    fn form(&self) -> FormArgs {
        self.form
    }

    fn compare(self) -> Result<Comparison> {
        if self.items == 0 {
            bail!("--items must be at least 1");
        }
        let candidate =
            Candidate::unsaved("near-duplicates", "each pair once", move |missed| self.choose(missed));
        Ok(Comparison { target: round_to_digits(1.0 - self.recall), step: 10.0, candidates: vec![candidate] })
    }
}

impl Duplicates {
    fn choose(&self, missed: f64) -> Result<Choice> {
        let recall = round_to_digits(1.0 - missed);
        let params = NearParams::for_recall(self.threshold, recall)?;
        let tried = self.items.min(TRIED);
        let bytes = memory_bytes(params, tried)?;
        let memory_bytes = (bytes as f64 * (self.items as f64 / tried as f64)) as u64;
        Ok(Choice {
            achieved: 1.0 - params.recall(self.threshold),
            memory_bytes,
            parameters: json!({ "bands": params.bands(), "rows": params.rows() }),
            work: Touches {
                insert: format!("{} slots", params.slots()),
                query: format!("{} bands", params.bands()),
            },
            command: format!(
                "crivo dups FILE --format lines --threshold {} --recall {recall}{}",
                self.threshold,
                permission(memory_bytes)
            ),
        })
    }
}

/// Returns the memory of a search with this many documents that all differ.
fn memory_bytes(params: NearParams, documents: u64) -> Result<u64> {
    let mut search = NearDuplicates::with_params(params);
    let mut rng = Rng::new(1);
    for _ in 0..documents {
        search.insert(&params.sign(&[rng.next_u64()]))?;
    }
    Ok(search.memory_bytes() as u64)
}
