//! Filters that take items in and never give them back.

use super::filter::Filter;
use super::ours::{Blocked, BlockedBatch, BlockedHash, Bloom, BloomBatch, BloomHash};
use super::peers::{Bloomfilter, Datasketches, Exact, Fastbloom, Sbbf, SbbfHash};
use super::{COLUMNS, KeySet, contender, random_sets};
use crate::Options;
use crate::harness::{Contender, best, interleave, print_contenders};
use crate::keys::{slices, text};
use bench_report::Targets;
use crivo::membership::BlockedParams;
use crivo::{BloomParams, Item};
use foldhash::fast::FixedState;
use std::hash::Hash;

const FPRS: [f64; 2] = [0.01, 0.001];

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    for &n in options.sizes() {
        let sets = random_sets(n);
        let peers = match n {
            ..=1_000_000 => Peers::All,
            _ => Peers::Fastest,
        };
        let fprs = if options.huge { &FPRS[..1] } else { &FPRS };
        for &fpr in fprs {
            measure(&Case { keys: "u64", n, fpr, peers }, &sets, options.rounds, targets);
        }
        if options.huge {
            continue;
        }
        let texts: Vec<[String; 2]> =
            sets.iter().map(|set| [text(&set.members), text(&set.strangers)]).collect();
        drop(sets);
        let sets: Vec<KeySet<&str>> = texts
            .iter()
            .map(|[members, strangers]| KeySet { members: slices(members), strangers: slices(strangers) })
            .collect();
        let peers = if n <= 1_000_000 { Peers::All } else { Peers::Fastest };
        for &fpr in fprs {
            measure(&Case { keys: "16-byte strings", n, fpr, peers }, &sets, options.rounds, targets);
        }
    }
}

/// What one table is about.
struct Case {
    keys: &'static str,
    n: usize,
    fpr: f64,
    peers: Peers,
}

/// Which peers take part: the larger the case, the fewer, to save time and memory.
#[derive(Clone, Copy, PartialEq)]
enum Peers {
    Fastest,
    All,
}

fn measure<K: Copy + Hash + Eq + Item>(
    case: &Case,
    sets: &[KeySet<K>],
    rounds: usize,
    targets: &mut Targets,
) {
    let &Case { keys, n, fpr, peers } = case;
    let hashed: Vec<KeySet<u64>> = sets.iter().map(KeySet::hashed).collect();
    let mut contenders = vec![
        contender::<_, Bloom>(sets, n, fpr),
        contender::<_, BloomHash>(&hashed, n, fpr),
        contender::<_, BloomBatch>(sets, n, fpr),
        contender::<_, Blocked>(sets, n, fpr),
        contender::<_, BlockedHash>(&hashed, n, fpr),
        contender::<_, BlockedBatch>(sets, n, fpr),
        contender::<_, Fastbloom<FixedState>>(sets, n, fpr),
        contender::<_, Sbbf>(sets, n, fpr),
        contender::<_, SbbfHash>(&hashed, n, fpr),
    ];
    if peers == Peers::All {
        contenders.extend([
            contender::<_, Fastbloom<fastbloom::DefaultHasher>>(sets, n, fpr),
            contender::<_, Bloomfilter<K>>(sets, n, fpr),
            contender::<_, Datasketches>(sets, n, fpr),
            contender::<_, Exact<K>>(sets, n, fpr),
        ]);
    }
    interleave(&mut contenders, rounds);
    let title = format!("n = {n}, target {} %, {keys}", fpr * 100.0);
    print_contenders(&format!("Membership: {title}"), &COLUMNS, &contenders);
    let asked = sets.iter().map(|set| set.strangers.len()).sum();
    judge(&title, case, asked, &contenders, targets);
}

/// The times of ours are to be at most `limit` times those of the other.
fn times(contenders: &[Contender], ours: &str, other: &str, limit: f64, title: &str, targets: &mut Targets) {
    for metric in ["insert", "hit", "miss"] {
        let what = format!("{ours} {metric} vs {other}: {title}");
        targets.at_most(what, best(contenders, ours, metric), best(contenders, other, metric), limit);
    }
}

fn judge(title: &str, case: &Case, asked: usize, contenders: &[Contender], targets: &mut Targets) {
    const OURS: &str = <Bloom as Filter<u64>>::NAME;
    const BATCH: &str = <BloomBatch as Filter<u64>>::NAME;
    const PEER: &str = <Fastbloom<FixedState> as Filter<u64>>::NAME;
    times(contenders, OURS, PEER, 1.0, title, targets);
    // Batches pay where the filter is larger than the caches.
    let times_as_fast = match case.n {
        10_000_000 => Some(1.5),
        100_000_000 => Some(2.0),
        _ => None,
    };
    if let Some(times_as_fast) = times_as_fast {
        let what = format!("{BATCH} hit vs single hit of {PEER}: {title}");
        let reference = best(contenders, PEER, "hit");
        targets.at_most(what, best(contenders, BATCH, "hit"), reference, 1.0 / times_as_fast);
    }
    let what = format!("Bloom bits/key vs {PEER}: {title}");
    targets.at_most(what, best(contenders, OURS, "bits/key"), best(contenders, PEER, "bits/key"), 1.01);

    // Four standard deviations of a binomial count: a sound filter leaves the band once in 16,000 cases.
    let mut rate = |what: &str, ours: &str, expected: f64| {
        let deviation = (best(contenders, ours, "fpr %") / 100.0 - expected).abs();
        let sigma = (expected * (1.0 - expected) / asked as f64).sqrt();
        let what = format!("{what} measured fpr off the exact one, in standard deviations: {title}");
        targets.at_most(what, deviation / sigma, 1.0, 4.0);
    };
    let n = case.n as u64;
    let plain = BloomParams::for_fpr(n, case.fpr).expect("every size and rate measured here is valid");
    let blocked = BlockedParams::for_fpr(n, case.fpr).expect("every size and rate measured here is valid");
    rate("Bloom", OURS, plain.fpr_at(n));
    rate("Blocked", BLOCKED, blocked.fpr_at(n));
    judge_blocked(title, n, contenders, targets);
}

const BLOCKED: &str = <Blocked as Filter<u64>>::NAME;

fn judge_blocked(title: &str, n: u64, contenders: &[Contender], targets: &mut Targets) {
    const BATCH: &str = <BlockedBatch as Filter<u64>>::NAME;
    const PEER: &str = <Sbbf as Filter<u64>>::NAME;
    times(contenders, BLOCKED, PEER, 1.0, title, targets);
    // The peer has no hash of its own: this is the comparison of the filters alone.
    times(contenders, BlockedHash::NAME, SbbfHash::NAME, 1.0, title, targets);
    if n >= 10_000_000 {
        times(contenders, BATCH, BLOCKED, 0.5, title, targets);
    }
    // The peer takes whole bits per key and has a lower false-positive rate than the target: compare at the rate that it reaches.
    let reached = best(contenders, PEER, "fpr %") / 100.0;
    if let Ok(params) = BlockedParams::for_fpr(n, reached) {
        let bits = 8.0 * params.memory_bytes() as f64 / n as f64;
        let what = format!("Blocked bits/key at the fpr that {PEER} reaches: {title}");
        targets.at_most(what, bits, best(contenders, PEER, "bits/key"), 1.01);
    }
}
