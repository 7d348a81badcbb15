//! Keys against a Bloom filter whose hash is known: such that answer yes, and such that fill it.

use crivo::hash::Probes;
use crivo::rng::Rng;
use crivo::stats::{binomial_band, normal_quantile};
use crivo::{BloomFilter, BloomParams, HashSpec};
use libm::{exp, pow, sqrt};

use super::super::prelude::*;
use super::{Flaw, KEY, secret_spec};
use crate::corpus::alphanumeric;
use crate::coverage::Coverage;

/// What the filter is made for.
pub(super) const ITEMS: u64 = 1000;
pub(super) const STATED: f64 = 0.01;
/// False positives that are searched for.
pub(super) const FORGED: u64 = 100;
/// Keys tried at most for one that sets new bits only.
const BUDGET: u64 = 2000;
const STEPS: u64 = 10;

/// What keys that one filter answers wrongly do to it, and to another with a secret hash, summed over many pairs of filters.
#[derive(Default)]
pub(super) struct Queries {
    pub(super) forged: u64,
    /// Keys tried.
    pub(super) trials: u64,
    /// The expected number of false positives among them.
    pub(super) expected_yes: f64,
    pub(super) public_yes: u64,
    pub(super) keyed_yes: u64,
    /// What the secret ones should answer, as the mean of their rates.
    pub(super) keyed_rate: f64,
    /// Intervals for the number of items, after the forged keys were inserted too.
    pub(super) public_count: Coverage,
    pub(super) keyed_count: Coverage,
}

pub(super) fn params() -> Result<BloomParams> {
    Ok(BloomParams::for_fpr(ITEMS, STATED)?)
}

pub(super) fn queries(filters: u64, flaw: Flaw, rng: &mut Rng) -> Result<Queries> {
    let mut sum = Queries::default();
    for _ in 0..filters {
        let (mut public, mut keyed) = (
            BloomFilter::with_params(params()?),
            BloomFilter::with_params(params()?).with_hash(secret_spec(flaw, rng)),
        );
        for _ in 0..ITEMS {
            let item = alphanumeric(rng, KEY);
            public.insert(&item);
            keyed.insert(&item);
        }
        let (rate, mut forged) = (flaw.stated * public.fpr().value(), Vec::new());
        while (forged.len() as u64) < FORGED {
            let key = alphanumeric(rng, KEY);
            sum.trials += 1;
            sum.expected_yes += rate;
            if public.contains(&key) {
                forged.push(key);
            }
        }
        let yes = |filter: &BloomFilter| forged.iter().filter(|key| filter.contains(*key)).count() as u64;
        sum.forged += FORGED;
        sum.public_yes += yes(&public);
        sum.keyed_yes += yes(&keyed);
        sum.keyed_rate += keyed.fpr().value() / filters as f64;
        for key in &forged {
            public.insert(key);
            keyed.insert(key);
        }
        let truth = (ITEMS + FORGED) as f64;
        sum.public_count.add(&public.cardinality(), truth);
        sum.keyed_count.add(&keyed.cardinality(), truth);
    }
    Ok(sum)
}

/// A filter after some inserts: what it answers to keys that nobody chose.
pub(super) struct Filled {
    pub(super) ones: u64,
    pub(super) wrong: u64,
    /// The rate that its ones give.
    pub(super) rate: f64,
}

impl Filled {
    fn of(filter: &BloomFilter, tested: &[String], flaw: Flaw) -> Self {
        let wrong = tested.iter().filter(|key| filter.contains(*key)).count() as u64;
        Self { ones: filter.bits().count_ones(), wrong, rate: (flaw.stated * filter.fpr().value()).min(1.0) }
    }
}

/// The filter whose hash is known and the secret one, with the same keys inside.
pub(super) struct Step {
    pub(super) inserted: u64,
    pub(super) trials: u64,
    pub(super) tested: u64,
    pub(super) public: Filled,
    pub(super) keyed: Filled,
}

impl Step {
    pub(super) fn percent(&self, answers: f64) -> f64 {
        100.0 * answers / self.tested as f64
    }

    /// The rate if every key sets new bits only.
    pub(super) fn worst_rate(&self) -> Result<f64> {
        let (m, k) = (params()?.bits() as f64, f64::from(params()?.hashes()));
        Ok(pow(k * self.inserted as f64 / m, k))
    }

    fn check(&self, filled: &Filled, expected: f64, (fewest, most): (f64, f64)) -> Check {
        let [lower, upper] = [fewest, most].map(|answers| self.percent(answers));
        let value = self.percent(filled.wrong as f64);
        Check { place: format!("{} inserts", self.inserted), value, expected: 100.0 * expected, lower, upper }
    }

    /// The filter that was filled on purpose, given its ones.
    pub(super) fn check_public(&self, false_alarm: f64) -> Check {
        let Filled { rate, .. } = self.public;
        self.check(&self.public, rate, binomial_band(self.tested, rate, false_alarm))
    }

    /// The secret one, given only how many keys are inside.
    pub(super) fn check_keyed(&self, false_alarm: f64) -> Result<Check> {
        let (m, k) = (params()?.bits() as f64, f64::from(params()?.hashes()));
        let lambda = k * self.inserted as f64 / m;
        let zeros = exp(-lambda);
        // Half of the false alarms for the number of ones, half for the answers given the ones.
        let spread =
            normal_quantile(1.0 - false_alarm / 4.0) * sqrt(zeros * (1.0 - (1.0 + lambda) * zeros) / m);
        let band =
            |zeros: f64| binomial_band(self.tested, pow((1.0 - zeros).clamp(0.0, 1.0), k), false_alarm / 2.0);
        let bounds = (band(zeros + spread).0, band(zeros - spread).1);
        Ok(self.check(&self.keyed, params()?.fpr_at(self.inserted), bounds))
    }
}

pub(super) fn fill(tested: u64, flaw: Flaw, rng: &mut Rng) -> Result<Vec<Step>> {
    let (mut public, mut keyed) = (
        BloomFilter::with_params(params()?),
        BloomFilter::with_params(params()?).with_hash(secret_spec(flaw, rng)),
    );
    let others: Vec<String> = (0..tested).map(|_| alphanumeric(rng, KEY)).collect();
    let (mut steps, mut trials) = (Vec::new(), 0);
    for inserted in 1..=ITEMS {
        let key = spreading_key(&public, rng, &mut trials);
        public.insert(&key);
        keyed.insert(&key);
        if inserted % (ITEMS / STEPS) == 0 {
            let (public, keyed) = (Filled::of(&public, &others, flaw), Filled::of(&keyed, &others, flaw));
            steps.push(Step { inserted, trials, tested, public, keyed });
        }
    }
    Ok(steps)
}

/// A key that sets new bits only, or as many as one of those tried.
fn spreading_key(filter: &BloomFilter, rng: &mut Rng, trials: &mut u64) -> String {
    let (bits, hashes) = (filter.params().bits(), filter.params().hashes() as usize);
    let (mut best, mut most) = (String::new(), 0);
    for _ in 0..BUDGET {
        let key = alphanumeric(rng, KEY);
        *trials += 1;
        let mut positions: Vec<u64> =
            Probes::new(HashSpec::default().hash(&key), bits).take(hashes).collect();
        positions.sort_unstable();
        positions.dedup();
        let new = positions.iter().filter(|&&position| !filter.bits().get(position)).count();
        if new > most {
            (best, most) = (key, new);
        }
        if most == hashes {
            break;
        }
    }
    best
}
