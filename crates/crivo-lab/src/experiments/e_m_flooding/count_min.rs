//! Keys against a Count-Min sketch whose hash is known: such that share the cells of a victim.

use crivo::frequency::CountMinParams;
use crivo::hash::Probes;
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo::{CountMin, HashSpec};
use libm::{log, log1p, pow};

use super::super::prelude::*;
use super::{Flaw, KEY, secret_spec};
use crate::corpus::alphanumeric;
use crate::coverage::Coverage;

/// Honest keys, each once.
const HONEST: u64 = 10_000;
/// How often the victim came, and how often each forged key comes.
const TRUTH: u64 = 10;
const REPEATS: u64 = 200;

/// What was done to many victims, each in a pair of sketches of its own.
#[derive(Default)]
pub(super) struct Victims {
    /// Keys tried until every row has one that shares the victim's cell.
    pub(super) trials: Vec<u64>,
    /// What the sketches say too much, as shares of all that was counted: known hash, secret hash.
    pub(super) errors: [Vec<f64>; 2],
    /// Whether their intervals hold the truth.
    pub(super) coverage: [Coverage; 2],
}

/// The sketch that the library makes for an error of 0.1 % of all, but for 1 % of the keys.
pub(super) fn params() -> Result<CountMinParams> {
    Ok(CountMinParams::for_error(0.001, 0.01)?)
}

/// The probability that this number of trials is enough.
pub(super) fn enough(trials: f64) -> Result<f64> {
    let (width, depth) = (params()?.width() as f64, f64::from(params()?.depth()));
    Ok(pow(-libm::expm1(trials * log1p(-1.0 / width)), depth))
}

/// The number of trials that is enough with this chance.
pub(super) fn trials_for(chance: f64) -> Result<f64> {
    let (width, depth) = (params()?.width() as f64, f64::from(params()?.depth()));
    Ok(libm::ceil(log(1.0 - pow(chance, 1.0 / depth)) / log1p(-1.0 / width)))
}

pub(super) fn attack(victims: u64, flaw: Flaw, rng: &mut Rng) -> Result<Victims> {
    let honest: Vec<String> = (0..HONEST).map(|_| alphanumeric(rng, KEY)).collect();
    let known = HashSpec::default();
    let mut all = Victims::default();
    for _ in 0..victims {
        let victim = alphanumeric(rng, KEY);
        let keys = colliding_keys(&known, &victim, flaw, rng, &mut all.trials)?;
        for (way, spec) in [known, secret_spec(flaw, rng)].into_iter().enumerate() {
            let mut sketch = CountMin::with_params(params()?).with_hash(spec);
            for key in &honest {
                sketch.add(key, 1);
            }
            for key in &keys {
                sketch.add(key, REPEATS);
            }
            sketch.add(&victim, TRUTH);
            let estimate = sketch.frequency(&victim);
            all.errors[way].push((estimate.value() - TRUTH as f64) / sketch.total() as f64);
            all.coverage[way].add(&estimate, TRUTH as f64);
        }
    }
    Ok(all)
}

/// For every row a key that shares the victim's cell.
fn colliding_keys(
    spec: &HashSpec,
    victim: &str,
    flaw: Flaw,
    rng: &mut Rng,
    trials: &mut Vec<u64>,
) -> Result<Vec<String>> {
    let (width, depth) = (params()?.width(), params()?.depth() as usize - flaw.rows);
    let columns = |key: &str| Probes::new(spec.hash(key), width).take(depth).collect::<Vec<u64>>();
    let target = columns(victim);
    let (mut missing, mut keys, mut tried) = (vec![true; depth], Vec::new(), 0);
    while missing.contains(&true) {
        let key = alphanumeric(rng, KEY);
        tried += 1;
        let hit =
            columns(&key).iter().zip(&target).map(|(ours, theirs)| ours == theirs).collect::<Vec<bool>>();
        if hit.iter().zip(&missing).any(|(hit, missing)| *hit && *missing) {
            hit.iter().zip(&mut missing).for_each(|(hit, missing)| *missing &= !hit);
            keys.push(key);
        }
    }
    trials.push(tried);
    Ok(keys)
}

/// How many victims were found within a number of trials that is enough for such a share of them.
pub(super) fn check_trials(victims: &Victims, share: f64, false_alarm: f64) -> Result<Check> {
    let limit = trials_for(share)?;
    let (chance, all) = (enough(limit)?, victims.trials.len() as u64);
    let (lower, upper) = binomial_band(all, chance, false_alarm);
    let value = victims.trials.iter().filter(|&&trials| trials as f64 <= limit).count() as f64;
    Ok(Check { place: format!("{limit} trials"), value, expected: chance * all as f64, lower, upper })
}
