//! `crivo plan values`: which value?

use super::choices::{Candidate, Choice, Compare, Comparison, Touches};
use super::permission;
use crate::args::{FormArgs, parse_count, parse_share};
use anyhow::Result;
use clap::Args;
use crivo::Kind;
use crivo::valued::LinearBloomParams;
use crivo::valued::{LinearBloom, QuantisedBloom};
use serde_json::json;

/// Values of keys, from the number of keys and the share of overestimated values
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Examples:
  crivo plan values --items 1e6
  crivo plan values --items 1e9 --distortion 0.05")]
pub(crate) struct Values {
    /// Number of distinct keys, such as 20000 or 1e9
    #[arg(long, value_name = "N", value_parser = parse_count)]
    items: u64,

    /// Share of keys whose value is overestimated
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = parse_share)]
    distortion: f64,

    #[command(flatten)]
    form: FormArgs,
}

impl Compare for Values {
    fn form(&self) -> FormArgs {
        self.form
    }

    fn compare(self) -> Result<Comparison> {
        let (whole, two, one) = (
            size_of::<LinearBloom<f64>>(),
            size_of::<QuantisedBloom<u16>>(),
            size_of::<QuantisedBloom<u8>>(),
        );
        let candidates = [
            Candidate::new(Kind::LinearBloom, "values as they are", move |rate| {
                self.choose(rate, 8, whole, "")
            }),
            Candidate::new(Kind::QuantisedBloom, "rounded up, in two bytes", move |rate| {
                self.choose(rate, 2, two, " --bits 16 --range LOW..HIGH")
            }),
            Candidate::new(Kind::QuantisedBloom, "rounded up, in one byte", move |rate| {
                self.choose(rate, 1, one, " --bits 8 --range LOW..HIGH")
            }),
        ];
        Ok(Comparison { target: self.distortion, step: 10.0, candidates: candidates.into() })
    }
}

impl Values {
    fn choose(&self, rate: f64, cell_bytes: u64, itself: usize, flags: &str) -> Result<Choice> {
        let params = LinearBloomParams::for_distortion(self.items, rate)?;
        let memory_bytes = params.cells() * cell_bytes + itself as u64;
        Ok(Choice {
            achieved: params.distortion_at(self.items),
            memory_bytes,
            parameters: json!({ "cells": params.cells(), "hashes": params.hashes() }),
            work: Touches::places(params.hashes(), "cells"),
            command: format!(
                "crivo values build FILE --key KEY --value VALUE -o FILE.crv --items {} --distortion {rate}{flags}{}",
                self.items,
                permission(memory_bytes)
            ),
        })
    }
}
