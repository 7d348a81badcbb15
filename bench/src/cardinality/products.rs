//! Memory times variance: what an error costs, whatever the size that a structure happens to have.

use super::ours::{Counter, Crivo, Single};
use super::peers::{Cpc, Datasketches, Exa, ExaFast, Ultra};
use super::{Distinct, filled};
use crate::keys::SplitMix64;
use crate::memory::heap_held;
use bench_report::Targets;
use bench_report::{print_table, significant};
use crivo::cardinality::Martingale;
use crivo::{ExaLogLog, HyperLogLog};

const PRECISION: u8 = 10;
const ITEMS: usize = 1_000_000;

type Ours<S> = Crivo<S, Single, PRECISION>;

/// 8 · bytes · (relative error)², over the whole object with its heap.
struct Product {
    name: &'static str,
    bytes: f64,
    /// Of one stream.
    alone: f64,
    /// Of two streams that were merged, where that can be.
    merged: Option<f64>,
}

pub(super) fn run(runs: usize, targets: &mut Targets) {
    let products = [
        product::<Ours<ExaLogLog>>(runs),
        product::<Ours<HyperLogLog>>(runs),
        product::<Ours<Martingale<ExaLogLog>>>(runs),
        product::<Ours<Martingale<HyperLogLog>>>(runs),
        product::<Cpc<PRECISION>>(runs),
        product::<Datasketches<4, PRECISION>>(runs),
        product::<Datasketches<8, PRECISION>>(runs),
        product::<Exa<PRECISION>>(runs),
        product::<ExaFast<PRECISION>>(runs),
        product::<Ultra<PRECISION>>(runs),
    ];
    let file = file_bytes();
    print_table(
        &format!("Cardinality: 8 · bytes · error² at precision 10 and {ITEMS} items, {runs} runs"),
        &["contender", "bytes", "one stream", "merged"],
        products.iter().map(|product| {
            let merged = product.merged.map_or("-".to_owned(), significant);
            vec![product.name.to_owned(), significant(product.bytes), significant(product.alone), merged]
        }),
    );
    let exa = &products[0];
    targets.at_most("ExaLogLog, 8 · bytes in memory · error²".to_owned(), exa.alone, 4.0, 1.0);
    let filed = exa.alone * file / exa.bytes;
    targets.at_most("ExaLogLog, 8 · bytes in a file · error²".to_owned(), filed, 3.8, 1.0);
    for peer in products.iter().filter(|product| product.name.starts_with("datasketches")) {
        let what = format!("ExaLogLog merged vs {} merged, 8 · bytes · error²", peer.name);
        if let (Some(ours), Some(theirs)) = (exa.merged, peer.merged) {
            targets.below(what, ours, theirs);
        }
        let martingale = &products[2];
        let what = format!("{} vs {}, both historic, 8 · bytes · error²", martingale.name, peer.name);
        targets.below(what, martingale.alone, peer.alone);
    }
}

fn product<D: Distinct<u64>>(runs: usize) -> Product {
    let (mut bytes, mut alone, mut merged) = (0.0, 0.0, 0.0);
    let square = |estimate: f64| (estimate / ITEMS as f64 - 1.0).powi(2);
    for run in 0..runs {
        let keys = SplitMix64::new((run as u64) << 32).take(ITEMS);
        let (mut sketch, heap) = heap_held(|| filled::<u64, D>(&keys));
        bytes += (size_of::<D>() + heap) as f64;
        alone += square(sketch.estimate());
        if D::MERGES {
            let (left, right) = keys.split_at(ITEMS / 2);
            let mut both = filled::<u64, D>(left);
            both.merge(&filled(right));
            merged += square(both.estimate());
        }
    }
    let runs = runs as f64;
    let bytes = bytes / runs;
    let product = |sum: f64| 8.0 * bytes * sum / runs;
    Product { name: D::NAME, bytes, alone: product(alone), merged: D::MERGES.then(|| product(merged)) }
}

/// An `ExaLogLog` as written to a file.
fn file_bytes() -> f64 {
    let sketch: Ours<ExaLogLog> = filled(&SplitMix64::new(1).take(ITEMS));
    sketch.0.bytes().len() as f64
}
