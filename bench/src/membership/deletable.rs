//! Filters that support deletion.

use super::filter::Filter;
use super::ours::{Counting, CountingBatch, Cuckoo, CuckooBatch, Quotient, QuotientBatch};
use super::peers::{AutoscaleCuckoo, Cuckoofilter, Qfilter, SketchesCuckoo};
use super::{COLUMNS, contender, random_sets};
use crate::Options;
use crate::harness::{best, interleave, print_contenders};
use bench_report::Targets;

const FPR: f64 = 0.01;

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    // The peers' tables are powers of two: with 94 % of one every filter is equally full.
    let exponents: &[u32] = if options.quick { &[14, 20] } else { &[14, 20, 23] };
    for exponent in exponents {
        let n = (1usize << exponent) * 94 / 100;
        measure(n, "94 % of a power of two", options.rounds, targets);
    }
    // Round numbers are what users have; there the peers are half empty, and as large as twice the keys.
    let rounds: &[usize] = if options.quick { &[1_000_000] } else { &[10_000, 1_000_000, 10_000_000] };
    for &n in rounds {
        measure(n, "a round number", options.rounds, targets);
    }
}

fn measure(n: usize, which: &str, rounds: usize, targets: &mut Targets) {
    const CUCKOO: &str = <Cuckoo as Filter<u64>>::NAME;
    const QUOTIENT: &str = <Quotient as Filter<u64>>::NAME;
    const QFILTER: &str = <Qfilter as Filter<u64>>::NAME;
    const CUCKOO_PEERS: [&str; 3] = [
        <SketchesCuckoo as Filter<u64>>::NAME,
        <Cuckoofilter as Filter<u64>>::NAME,
        <AutoscaleCuckoo<u64> as Filter<u64>>::NAME,
    ];
    let sets = random_sets(n);
    let mut contenders = vec![
        contender::<u64, Cuckoo>(&sets, n, FPR),
        contender::<u64, CuckooBatch>(&sets, n, FPR),
        contender::<u64, Quotient>(&sets, n, FPR),
        contender::<u64, QuotientBatch>(&sets, n, FPR),
        contender::<u64, SketchesCuckoo>(&sets, n, FPR),
        contender::<u64, Cuckoofilter>(&sets, n, FPR),
        contender::<u64, AutoscaleCuckoo<u64>>(&sets, n, FPR),
        contender::<u64, Qfilter>(&sets, n, FPR),
    ];
    if n <= 1_000_000 {
        contenders.push(contender::<u64, Counting>(&sets, n, FPR));
        contenders.push(contender::<u64, CountingBatch>(&sets, n, FPR));
    }
    interleave(&mut contenders, rounds);
    let title = format!("n = {n} ({which}), target {} %, u64", FPR * 100.0);
    print_contenders(&format!("Membership with removal: {title}"), &COLUMNS, &contenders);
    let same_load = which.starts_with("94");
    for (metric, times_as_fast) in [("insert", 1.2), ("hit", 1.5), ("miss", 1.5)] {
        if same_load {
            let fastest = CUCKOO_PEERS.map(|peer| best(&contenders, peer, metric));
            let reference = fastest.into_iter().fold(f64::INFINITY, f64::min);
            let what = format!("{CUCKOO} {metric} vs the fastest cuckoo peer: {title}");
            targets.at_most(what, best(&contenders, CUCKOO, metric), reference, 1.0 / times_as_fast);
        }
        let what = format!("{QUOTIENT} {metric} vs {QFILTER}: {title}");
        targets.at_most(what, best(&contenders, QUOTIENT, metric), best(&contenders, QFILTER, metric), 1.0);
    }
    let what = format!("{CUCKOO} bits/key: {title}");
    targets.at_most(what, best(&contenders, CUCKOO, "bits/key"), 9.6, 1.0);
    let what = format!("{QUOTIENT} bits/key vs {QFILTER}: {title}");
    targets.at_most(
        what,
        best(&contenders, QUOTIENT, "bits/key"),
        best(&contenders, QFILTER, "bits/key"),
        1.0,
    );
}
