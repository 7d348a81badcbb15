//! `crivo plan graph` and `crivo plan kmers`: what is joined, what follows what?

use super::choices::{Candidate, Choice, Compare, Comparison, Touches};
use super::permission;
use crate::args::{FormArgs, parse_count, parse_share};
use anyhow::Result;
use clap::Args;
use crivo::graph::DeBruijnParams;
use crivo::{BloomParams, EdgeBloom, Kind};
use serde_json::json;

/// Graphs, from the number of edges and the false-positive rate
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Examples:
  crivo plan graph --edges 1e6 --fpr 0.001")]
pub(crate) struct Graph {
    /// Number of distinct edges, such as 20000 or 1e9
    #[arg(long, value_name = "N", value_parser = parse_count)]
    edges: u64,

    /// False-positive rate: the probability that a pair without an edge is reported
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = parse_share)]
    fpr: f64,

    #[command(flatten)]
    form: FormArgs,
}

/// Graphs of k-mers, from the number of k-mers and the false-positive rate
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Examples:
  crivo plan kmers --kmers 1e8 --fpr 0.05")]
pub(crate) struct Sequences {
    /// Number of distinct k-mers, such as 20000 or 1e9
    #[arg(long, value_name = "N", value_parser = parse_count)]
    kmers: u64,

    /// Number of bases of a k-mer
    #[arg(short, value_name = "K", default_value_t = 31)]
    k: u32,

    /// False-positive rate: the probability that an absent k-mer is reported
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = parse_share)]
    fpr: f64,

    #[command(flatten)]
    form: FormArgs,
}

impl Compare for Graph {
    fn form(&self) -> FormArgs {
        self.form
    }

    fn compare(self) -> Result<Comparison> {
        let candidate = Candidate::new(Kind::EdgeBloom, "no edge is lost", move |fpr| self.choose(fpr));
        Ok(Comparison { target: self.fpr, step: 10.0, candidates: vec![candidate] })
    }
}

impl Graph {
    fn choose(&self, fpr: f64) -> Result<Choice> {
        /// The hashes of the ends of an edge, until all are known.
        const KEPT_BYTES: u64 = 16;
        let params = BloomParams::for_fpr(self.edges, fpr)?;
        let memory_bytes = params.memory_bytes() + size_of::<EdgeBloom>() as u64;
        let needed = memory_bytes.saturating_add(self.edges.saturating_mul(KEPT_BYTES));
        Ok(Choice {
            achieved: params.fpr_at(self.edges),
            memory_bytes,
            parameters: json!({ "bits": params.bits(), "hashes": params.hashes() }),
            work: Touches::places(params.hashes(), "bits"),
            command: format!("crivo graph build FILE -o FILE.crv --fpr {fpr}{}", permission(needed)),
        })
    }
}

impl Compare for Sequences {
    fn form(&self) -> FormArgs {
        self.form
    }

    fn compare(self) -> Result<Comparison> {
        let candidate = Candidate::new(Kind::DeBruijn, "no path is broken", move |fpr| self.choose(fpr));
        Ok(Comparison { target: self.fpr, step: 10.0, candidates: vec![candidate] })
    }
}

impl Sequences {
    fn choose(&self, fpr: f64) -> Result<Choice> {
        let least = DeBruijnParams::for_fpr(self.k, self.kmers, fpr)?.filter().bits();
        // The bits as the command line gives them, in tenths.
        let bits = (least as f64 / self.kmers as f64 * 10.0).ceil() / 10.0;
        let params = DeBruijnParams::for_bits(self.k, self.kmers, bits)?;
        let memory_bytes = params.memory_bytes();
        Ok(Choice {
            achieved: params.fpr_at(self.kmers),
            memory_bytes,
            parameters: json!({ "bits": params.filter().bits(), "hashes": params.filter().hashes() }),
            work: Touches::places(params.filter().hashes(), "bits"),
            command: format!(
                "crivo kmers build FILE -k {} --kmers {} --bits {bits} -o FILE.crv{}",
                self.k,
                self.kmers,
                permission(memory_bytes)
            ),
        })
    }
}
