//! What the time buys: the error over many runs, and the bytes held at every size.

use super::filled;
use super::ours::{Counter, Single};
use super::{Distinct, Hll, PRECISION, every_hyperloglog};
use crate::harness::is_ours;
use crate::keys::SplitMix64;
use crate::memory::heap_held;
use bench_report::Targets;
use bench_report::{print_table, significant};

const ERROR_SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const BYTES_SIZES: [usize; 7] = [1, 10, 50, 100, 250, 1_000, 100_000];

pub(super) fn run(runs: usize, targets: &mut Targets) {
    let accuracies = every_hyperloglog!(accuracy::<u64>(runs, &random_keys));
    print_errors(runs, &accuracies);
    let mut sizes = every_hyperloglog!(bytes_held::<u64>(&random_keys));
    sizes.insert(1, serialised());
    print_bytes(&sizes);
    bytes_targets(&accuracies, &sizes, targets);
}

/// The keys of one run: no two runs of one size share a key.
fn random_keys(n: usize, run: usize) -> Vec<u64> {
    SplitMix64::new(((n as u64) << 32) + run as u64).take(n)
}

/// Root mean square and mean of the relative error, in percent, at each of [`ERROR_SIZES`].
struct Accuracy {
    name: &'static str,
    rms: Vec<f64>,
    bias: Vec<f64>,
}

impl Accuracy {
    /// Holds what the theory promises, 1.04 / √m, at every size; half as much again is left for chance.
    fn is_sound(&self) -> bool {
        let promised = 100.0 * 1.04 / f64::from(1u32 << PRECISION).sqrt();
        self.rms.iter().all(|&rms| rms <= 1.5 * promised)
    }
}

fn accuracy<K: Copy, D: Distinct<K>>(runs: usize, keys: &impl Fn(usize, usize) -> Vec<K>) -> Accuracy {
    let (mut rms, mut bias) = (Vec::new(), Vec::new());
    for n in ERROR_SIZES {
        let errors: Vec<f64> = (0..runs)
            .map(|run| 100.0 * (filled::<K, D>(&keys(n, run)).estimate() / n as f64 - 1.0))
            .collect();
        rms.push((errors.iter().map(|error| error * error).sum::<f64>() / runs as f64).sqrt());
        bias.push(errors.iter().sum::<f64>() / runs as f64);
    }
    Accuracy { name: D::NAME, rms, bias }
}

/// One column per size.
fn header(sizes: &[usize]) -> Vec<String> {
    ["contender".to_owned()].into_iter().chain(sizes.iter().map(|n| format!("n = {n}"))).collect()
}

fn print_errors(runs: usize, accuracies: &[Accuracy]) {
    print_table(
        &format!("Cardinality: error at precision 12 in % of n, rms (mean) of {runs} runs"),
        &header(&ERROR_SIZES),
        accuracies.iter().map(|accuracy| {
            let cells = accuracy.rms.iter().zip(&accuracy.bias);
            let cells = cells.map(|(&rms, &bias)| format!("{} ({bias:+.2})", significant(rms)));
            [accuracy.name.to_owned()].into_iter().chain(cells).collect()
        }),
    );
}

/// Bytes of the value itself and of its heap at each of [`BYTES_SIZES`].
struct Size {
    name: &'static str,
    bytes: Vec<usize>,
}

fn bytes_held<K: Copy, D: Distinct<K>>(keys: &impl Fn(usize, usize) -> Vec<K>) -> Size {
    let held = |n| {
        let keys = keys(n, 0);
        let (_sketch, heap) = heap_held(|| filled::<K, D>(&keys));
        size_of::<D>() + heap
    };
    Size { name: D::NAME, bytes: BYTES_SIZES.map(held).to_vec() }
}

/// Ours as written to a file.
fn serialised() -> Size {
    let written = |n| {
        let sketch: Hll<Single> = filled(&random_keys(n, 0));
        sketch.0.bytes().len()
    };
    Size { name: "crivo HyperLogLog, serialised", bytes: BYTES_SIZES.map(written).to_vec() }
}

fn print_bytes(sizes: &[Size]) {
    print_table(
        "Cardinality: bytes held at precision 12, value and heap",
        &header(&BYTES_SIZES),
        sizes.iter().map(|size| {
            [size.name.to_owned()].into_iter().chain(size.bytes.iter().map(ToString::to_string)).collect()
        }),
    );
}

/// Up to 250 items ours is to be smaller than every peer that is sound.
fn bytes_targets(accuracies: &[Accuracy], sizes: &[Size], targets: &mut Targets) {
    let sound = |size: &&Size| accuracies.iter().any(|a| a.name == size.name && a.is_sound());
    let Some(ours) = sizes.iter().find(|size| is_ours(size.name)) else { return };
    for (index, n) in BYTES_SIZES.into_iter().enumerate().filter(|&(_, n)| n <= 250) {
        let peers = sizes.iter().filter(|size| !is_ours(size.name)).filter(sound);
        if let Some(smallest) = peers.min_by_key(|size| size.bytes[index]) {
            targets.below(
                format!("HyperLogLog bytes at n = {n} vs {}", smallest.name),
                ours.bytes[index] as f64,
                smallest.bytes[index] as f64,
            );
        }
    }
}
