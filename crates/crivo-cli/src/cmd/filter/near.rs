//! Filters of texts that also find texts which differ a little.

use super::build::{Build, Built};
use crate::args::{TextArgs, parse_share};
use crate::cmd::sketch_file::decode;
use crate::input::{Batch, Input, Source, Wants};
use crate::session::Session;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::similarity::{DistanceBloom, DistanceParams, Metric, Scheme, Shingles};
use crivo::sketch::Sketch;
use crivo::{DecodeOptions, Estimate, HashSpec, Kind, MinHash};
use crivo_report::{number, percent, plural};
use serde::Serialize;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::Path;

/// The share of near texts that a filter may miss.
const MISSED: f64 = 0.01;

/// Which texts a filter finds in addition to its items.
#[derive(Args, Debug)]
pub(super) struct NearArgs {
    /// Also find texts that differ a little from an item: up to this Jaccard distance of their shingles, such as 0.2
    ///
    /// The distance is the share of all shingles that only one of two texts contains. By default the shingles are runs of
    /// 3 characters. One in a hundred of the texts within the distance is missed. The filter, a distance-bloom, does not
    /// record the shingles: give 'crivo filter query' the same --shingle.
    #[arg(long, value_name = "DISTANCE", value_parser = parse_share, conflicts_with = "kind", help_heading = "Text")]
    pub(super) within: Option<f64>,

    /// Distance from which a text is reported with at most --fpr
    #[arg(long, value_name = "DISTANCE", value_parser = parse_share, default_value_t = 0.9, requires = "within",
          help_heading = "Text")]
    apart: f64,
}

/// Runs of 3 characters, so that a wrong letter in a word changes little.
pub(super) fn shingles(text: &TextArgs) -> Result<Shingles> {
    Ok(text.shingles_or(Shingles::chars(3)?))
}

/// A filter of texts.
pub(super) struct NearFilter {
    filter: DistanceBloom,
    shingles: Shingles,
    empty: MinHash,
}

impl NearFilter {
    fn new(filter: DistanceBloom, shingles: Shingles) -> Result<Self> {
        let slots = match filter.params().metric() {
            Metric::Jaccard { scheme: Scheme::Functions, slots } => slots,
            metric => bail!(
                "it compares by {metric}; the command asks filters of 'crivo filter build --within', which compare sets \
                 by MinHash"
            ),
        };
        let empty = MinHash::for_slots(slots)?.with_hash(*filter.hash_spec());
        Ok(Self { filter, shingles, empty })
    }

    /// The filter in a file.
    pub(super) fn load(path: &Path, bytes: &[u8], options: &DecodeOptions, text: &TextArgs) -> Result<Self> {
        let filter = decode(bytes, options).with_context(|| path.display().to_string())?;
        let filter: DistanceBloom = filter.downcast_ref().cloned().context("the kind was checked")?;
        Self::new(filter, shingles(text)?).with_context(|| path.display().to_string())
    }

    /// How its shingles are hashed.
    pub(super) fn spec(&self) -> HashSpec {
        *self.filter.hash_spec()
    }

    /// The signature of a text; none if it has no shingle.
    fn sign(&self, text: &[u8]) -> Option<MinHash> {
        let mut hashes = Vec::new();
        self.shingles.for_each(text, self.filter.hash_spec(), |hash| hashes.push(hash));
        let mut signature = self.empty.clone();
        signature.insert_hashes(&hashes);
        (!hashes.is_empty()).then_some(signature)
    }

    fn contains(&self, text: &[u8]) -> Result<bool> {
        self.sign(text).map_or(Ok(false), |signature| Ok(self.filter.contains(&signature)?))
    }

    /// Whether a near text is inside, for each of some keys.
    pub(super) fn contains_keys(&self, keys: &[OsString]) -> Result<Vec<bool>> {
        keys.iter().map(|key| self.contains(key.as_encoded_bytes())).collect()
    }

    /// Whether a near text is inside, for each item.
    pub(super) fn contains_items(&self, batch: &Batch<'_>) -> Result<Vec<bool>> {
        (0..batch.items).map(|place| self.contains(batch.values.get(place))).collect()
    }

    /// The distances at which its answers become reliable.
    pub(super) fn reach(&self) -> Result<Reach> {
        let missed = first_hundredth(|distance| Ok(self.filter.false_negative_rate(distance)? > MISSED))?;
        let apart = first_hundredth(|distance| Ok(self.filter.false_positive_rate(distance)? <= MISSED))?;
        // The last distance at which few enough are missed.
        let within = missed.map_or(100, |missed| missed.saturating_sub(1));
        Ok(Reach { within: f64::from(within) / 100.0, apart: apart.map(|apart| f64::from(apart) / 100.0) })
    }
}

/// The least distance, in hundredths, at which something holds; none if it does not even hold for 1.
fn first_hundredth(holds: impl Fn(f64) -> Result<bool>) -> Result<Option<u32>> {
    for hundredths in 0..=100 {
        if holds(f64::from(hundredths) / 100.0)? {
            return Ok(Some(hundredths));
        }
    }
    Ok(None)
}

/// The distances at which the answers of a filter of texts become reliable.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Reach {
    /// Up to this distance from an item, one text in a hundred is missed at most.
    pub(super) within: f64,
    /// From this distance from all items on, one text in a hundred is reported at most.
    pub(super) apart: Option<f64>,
}

impl Reach {
    /// For people: what a positive and a negative answer mean.
    pub(super) fn meanings(self) -> [String; 2] {
        let rate = percent(MISSED);
        let yes = self.apart.map_or_else(
            || format!("(false-positive rate above {rate} at any distance: too many items)"),
            |apart| format!("(false-positive rate {rate} from distance {})", number(apart)),
        );
        [yes, format!("(at most {rate} missed up to distance {})", number(self.within))]
    }
}

impl Build {
    /// Builds a filter of texts.
    pub(super) fn build_near(&self, within: f64, session: &Session) -> Result<Built> {
        let (shingles, spec, apart) = (shingles(&self.text)?, self.hash.spec(session)?, self.near.apart);
        if within >= apart {
            bail!("--within {within} must be below --apart {apart}");
        }
        let target = self.output.target(session)?;
        let mut input = self.input.open(self.limit, session)?;
        let items = if let Some(capacity) = self.capacity {
            capacity
        } else {
            input.sources.iter_mut().try_for_each(Source::keep)?;
            count_items(input.clone())?.max(1)
        };
        let params = params(items, (within, MISSED), (apart, self.fpr)).with_context(
            || "no filter finds and excludes this; lower --within, or raise --apart or --fpr",
        )?;
        self.limit.check(params.memory_bytes())?;
        let mut near = NearFilter::new(DistanceBloom::with_params(params).with_hash(spec), shingles)?;
        let mut without = 0;
        let totals = input.read(Wants::default().and_values(), |batch| {
            for place in 0..batch.items {
                match near.sign(batch.values.get(place)) {
                    Some(signature) => _ = near.filter.insert(&signature)?,
                    None => without += 1,
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if without > 0 {
            session.remark(&format!("{} without a shingle left out", plural(without, "text", "texts")));
        }
        let bytes = near.filter.to_bytes();
        target.write(&bytes, session)?;
        let fpr = near.filter.false_positive_rate(apart)?;
        Ok(Built {
            saved: target.name(),
            kind: Kind::DistanceBloom.name(),
            items: totals.items,
            missing: totals.missing,
            file_bytes: bytes.len() as u64,
            memory_bytes: near.filter.memory_bytes() as u64,
            fpr: Estimate::at_most(fpr),
            reach: Some(Reach { within, apart: Some(apart) }),
            facts: near.filter.facts(),
        })
    }
}

/// The size of a filter of sets. Few samples suffice if the distances lie far apart, and a text is signed with as many
/// functions as the filter takes samples.
fn params(items: u64, near: (f64, f64), far: (f64, f64)) -> crivo::Result<DistanceParams> {
    const SLOTS: u32 = 1 << 10;
    const MORE_SLOTS: u32 = 1 << 13;
    let metric = |slots| Metric::Jaccard { scheme: Scheme::Functions, slots };
    let with = |slots| DistanceParams::for_targets(metric(slots), items, near, far);
    let params = with(SLOTS).or_else(|_| with(MORE_SLOTS))?;
    // Without the slots that no function samples.
    let slots = params.functions() * params.samples();
    DistanceParams::exact(
        metric(slots),
        params.functions(),
        params.samples(),
        params.threshold(),
        params.cells(),
    )
}

/// How many items there are.
fn count_items(input: Input) -> Result<u64> {
    Ok(input.read(Wants::default().and_values(), |_| Ok(ControlFlow::Continue(())))?.items)
}

/// Whether a file has a filter of texts.
pub(super) fn is_near(bytes: &[u8]) -> bool {
    crivo::peek(bytes).is_ok_and(|header| header.kind == Kind::DistanceBloom)
}
