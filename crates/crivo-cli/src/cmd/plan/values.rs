//! `crivo plan values`: which value?

use super::choices::{Candidate, Choice, Touches, compare};
use super::{Format, permission};
use crate::args::{parse_count, parse_share};
use anyhow::Result;
use clap::Args;
use crivo::Kind;
use crivo::valued::LinearBloomParams;
use crivo::valued::{LinearBloom, QuantisedBloom};
use serde_json::json;

/// Which value? From the number of keys and the share that are answered too large a value
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo plan values --items 1e6
  crivo plan values --items 1e9 --distortion 0.05")]
pub(crate) struct Values {
    /// How many different keys, such as 20000 or 1e9
    #[arg(long, value_name = "N", value_parser = parse_count)]
    items: u64,

    /// Share of keys that are answered too large a value
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = parse_share)]
    distortion: f64,

    #[command(flatten)]
    format: Format,
}

impl Values {
    pub(super) fn run(&self) -> Result<()> {
        let (whole, two, one) = (
            size_of::<LinearBloom<f64>>(),
            size_of::<QuantisedBloom<u16>>(),
            size_of::<QuantisedBloom<u8>>(),
        );
        let candidates = [
            Candidate::new(Kind::LinearBloom, "values as they are", |rate| self.choose(rate, 8, whole, "")),
            Candidate::new(Kind::QuantisedBloom, "rounded up, in two bytes", |rate| {
                self.choose(rate, 2, two, " --bits 16 --range LOW..HIGH")
            }),
            Candidate::new(Kind::QuantisedBloom, "rounded up, in one byte", |rate| {
                self.choose(rate, 1, one, " --bits 8 --range LOW..HIGH")
            }),
        ];
        compare(self.distortion, 10.0, &candidates, &self.format)
    }

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
