//! Unions, intersections, differences and similarity.

use super::{ALL, Theta};
use crivo::foreign::{estimate, incompatible};
use crivo::stats::clopper_pearson;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Guarantee, Result};
use std::collections::HashSet;

impl Theta {
    /// Returns the sketch of all streams together, which keeps at most 2^`lg_k` hashes. A sketch of k hashes loses none of its accuracy
    /// if `lg_k` is at least lg k.
    ///
    /// # Errors
    /// Returns `Incompatible` if the seeds differ.
    pub fn union<'a>(parts: impl IntoIterator<Item = &'a Self>, lg_k: u8) -> Result<Self> {
        let mut all = Self::new(crate::murmur::seed_hash(crate::DEFAULT_SEED), ALL, true, Vec::new());
        for part in parts {
            if part.is_empty {
                continue;
            }
            if all.is_empty {
                all.seed_hash = part.seed_hash;
            }
            check_seeds(&all, part)?;
            all.is_empty = false;
            all.theta = all.theta.min(part.theta);
            all.hashes.extend_from_slice(&part.hashes);
        }
        let Self { theta, mut hashes, .. } = all;
        hashes.retain(|&hash| hash < theta);
        hashes.sort_unstable();
        hashes.dedup();
        let most = 1usize << lg_k.min(31);
        let theta = hashes.get(most).copied().unwrap_or(theta);
        hashes.truncate(most);
        Ok(Self::new(all.seed_hash, theta, all.is_empty, hashes))
    }

    /// Returns the lg k at which a union of these sketches loses no accuracy: that of the sketch with the most hashes, and at least 12.
    pub fn lg_k_of<'a>(parts: impl IntoIterator<Item = &'a Self>) -> u8 {
        // A sketch has k to 15/8·k hashes.
        let most = parts.into_iter().map(|part| part.hashes.len()).max().unwrap_or(0);
        (most.max(1 << 12).ilog2() as u8).min(26)
    }

    /// Returns the sketch of the items of both streams.
    ///
    /// # Errors
    /// Returns `Incompatible` if the seeds differ.
    pub fn intersection(&self, other: &Self) -> Result<Self> {
        self.select(other, true)
    }

    /// Returns the sketch of the items of this stream that are not in `other`.
    ///
    /// # Errors
    /// Returns `Incompatible` if the seeds differ.
    pub fn difference(&self, other: &Self) -> Result<Self> {
        self.select(other, false)
    }

    /// Returns the Jaccard similarity at 95 % confidence: the share of the common items among all, from 0 to 1. Two empty streams have the
    /// similarity 1.
    ///
    /// # Errors
    /// Returns `Incompatible` if the seeds differ.
    pub fn similarity(&self, other: &Self) -> Result<Estimate> {
        check_seeds(self, other)?;
        let theta = self.theta.min(other.theta);
        let below = |sketch: &Self| -> HashSet<u64> {
            sketch.hashes.iter().copied().filter(|&hash| hash < theta).collect()
        };
        let (ours, theirs) = (below(self), below(other));
        let both = ours.intersection(&theirs).count() as u64;
        let all = (ours.len() + theirs.len()) as u64 - both;
        if theta == ALL {
            return Ok(Estimate::exact(if all == 0 { 1.0 } else { both as f64 / all as f64 }));
        }
        let confidence = DEFAULT_CONFIDENCE;
        if all == 0 {
            return Ok(estimate(0.5, 0.0, 1.0, Guarantee::Approximate { confidence }));
        }
        let (lower, upper) = clopper_pearson(both, all, confidence);
        Ok(estimate(both as f64 / all as f64, lower, upper, Guarantee::Approximate { confidence }))
    }

    /// Keeps the hashes that are in the other sketch, or those that are not.
    fn select(&self, other: &Self, shared: bool) -> Result<Self> {
        check_seeds(self, other)?;
        let is_known_empty = self.is_empty || (shared && other.is_empty);
        let theta = if is_known_empty { ALL } else { self.theta.min(other.theta) };
        let theirs: HashSet<u64> = other.hashes.iter().copied().collect();
        let kept = |&hash: &u64| !is_known_empty && hash < theta && theirs.contains(&hash) == shared;
        let hashes: Vec<u64> = self.hashes.iter().copied().filter(kept).collect();
        let is_empty = is_known_empty || (hashes.is_empty() && theta == ALL);
        Ok(Self::new(self.seed_hash, theta, is_empty, hashes))
    }
}

/// An empty sketch has no hashes that a seed could have made.
fn check_seeds(a: &Theta, b: &Theta) -> Result<()> {
    if a.is_empty || b.is_empty || a.seed_hash == b.seed_hash {
        return Ok(());
    }
    let [a, b] = [a, b].map(|sketch| format!("{:#06x}", sketch.seed_hash));
    Err(incompatible("hash of the seed", a, b, "make both with the same seed"))
}
