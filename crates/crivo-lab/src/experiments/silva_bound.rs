//! The least bits of a filter, by the document and in truth.

use std::f64::consts::LOG2_E;

use crivo::membership::BinaryFuseParams;
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo::{BinaryFuse, BloomParams, HashSpec};
use libm::log2;

use super::prelude::*;

/// A rate that whole bits of a fingerprint meet.
const WIDTH: u32 = 7;
const FALSE_ALARM: f64 = 1e-6;

/// Builds a filter that is smaller than the document says any can be, and counts its wrong answers.
/// A planted fault: the document is `corrected`.
pub(super) fn erratum(rng: &mut Rng, size: Size, corrected: bool) -> Result<Verdict> {
    let items: u64 = if size == Size::Quick { 100_000 } else { 1_000_000 };
    let params = BinaryFuseParams::with_width(WIDTH)?;
    let rate = params.fpr_at(items);
    let spec = HashSpec::seeded(rng.next_u64());
    let inside = |item: u64| spec.hash(&item);
    let filter = BinaryFuse::freeze_hashes((0..items).map(inside), params, spec)?;
    let lost = (0..items).filter(|&item| !filter.contains_hash(inside(item))).count();
    let wrong = (items..2 * items).filter(|&item| filter.contains_hash(inside(item))).count();
    let (fewest, most) = binomial_band(items, rate, FALSE_ALARM);
    let least = log2(1.0 / rate);
    let an_item = |bits: u64| bits as f64 / items as f64;
    let (ours, bloom) =
        (an_item(8 * params.memory_bytes(items)?), an_item(BloomParams::for_fpr(items, rate)?.bits()));
    let printed = if corrected { least } else { LOG2_E * least };
    let is_right = lost == 0 && (fewest..=most).contains(&(wrong as f64));
    Ok(Verdict::erratum(
        "Section 3.3 says that no filter of n items and a rate ε is smaller than n·log2 e·log2(1/ε) \
bits. That is the size of a Bloom filter; the least possible size is n·log2(1/ε), and a fuse filter lies between both.",
        is_right && least < ours && ours < printed && (bloom / printed - 1.0).abs() < 0.01,
        format!(
            "{items} items at ε = 1/{}: the bound prints {printed:.2} bits per item, a Bloom filter takes {bloom:.2}, a fuse \
             filter {ours:.2}, which missed {lost} items and let {wrong} of {items} others through (allowed {fewest} to {most}); \
             the least is {least:.2}.",
            1 << WIDTH
        ),
    ))
}
