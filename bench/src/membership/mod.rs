//! Membership: insert, hit and miss times, bits per key and the measured rate of false positives.

mod contenders;

use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, best, interleave, print_contenders};
use crate::keys::{SplitMix64, hashed, sets_of, slices, text};
use crate::memory::heap_held;
use crate::targets::Targets;
use contenders::{
    Bloomfilter, CrivoBatch, CrivoHash, CrivoItem, Datasketches, Exact, Fastbloom, Filter, Sbbf,
};
use crivo::{BloomParams, Item};
use foldhash::fast::FixedState;
use std::hash::Hash;

const FPRS: [f64; 2] = [0.01, 0.001];
const COLUMNS: [Column; 5] = [
    Column::Time("insert"),
    Column::Time("hit"),
    Column::Time("miss"),
    Column::Value("fpr %"),
    Column::Value("bits/key"),
];

/// Keys to insert, and others to ask for that were never inserted.
struct KeySet<K> {
    members: Vec<K>,
    strangers: Vec<K>,
}

impl<K: Item> KeySet<K> {
    fn hashed(&self) -> KeySet<u64> {
        KeySet { members: hashed(&self.members), strangers: hashed(&self.strangers) }
    }
}

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    for &n in options.sizes() {
        let sets = random_sets(n);
        let peers = match n {
            ..=1_000_000 => Peers::AllAndExact,
            1_000_001..=10_000_000 => Peers::All,
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
        let peers = if n <= 1_000_000 { Peers::AllAndExact } else { Peers::Fastest };
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
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Peers {
    Fastest,
    All,
    AllAndExact,
}

fn random_sets(n: usize) -> Vec<KeySet<u64>> {
    let mut random = SplitMix64::new(n as u64);
    (0..sets_of(n))
        .map(|_| KeySet { members: random.take(n), strangers: random.take(n.min(10_000_000)) })
        .collect()
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
        contender::<_, CrivoItem>(sets, n, fpr),
        contender::<_, CrivoHash>(&hashed, n, fpr),
        contender::<_, CrivoBatch>(sets, n, fpr),
        contender::<_, Fastbloom<FixedState>>(sets, n, fpr),
        contender::<_, Sbbf>(sets, n, fpr),
    ];
    if peers >= Peers::All {
        contenders.extend([
            contender::<_, Fastbloom<fastbloom::DefaultHasher>>(sets, n, fpr),
            contender::<_, Bloomfilter<K>>(sets, n, fpr),
            contender::<_, Datasketches>(sets, n, fpr),
        ]);
    }
    if peers == Peers::AllAndExact {
        contenders.push(contender::<_, Exact<K>>(sets, n, fpr));
    }
    interleave(&mut contenders, rounds);
    let title = format!("n = {n}, target {} %, {keys}", fpr * 100.0);
    print_contenders(&format!("Membership: {title}"), &COLUMNS, &contenders);
    let asked = sets.iter().map(|set| set.strangers.len()).sum();
    judge(&title, case, asked, &contenders, targets);
}

fn judge(title: &str, case: &Case, asked: usize, contenders: &[Contender], targets: &mut Targets) {
    const OURS: &str = <CrivoItem as Filter<u64>>::NAME;
    const BATCH: &str = <CrivoBatch as Filter<u64>>::NAME;
    const PEER: &str = <Fastbloom<FixedState> as Filter<u64>>::NAME;
    for metric in ["insert", "hit", "miss"] {
        let what = format!("Bloom {metric} vs {PEER}: {title}");
        targets.at_most(what, best(contenders, OURS, metric), best(contenders, PEER, metric), 1.0);
    }
    // Batches pay where the filter is larger than the caches.
    let (batched, times_as_fast): (&[&str], f64) = match case.n {
        10_000_000 => (&["hit"], 1.5),
        100_000_000 => (&["insert", "hit", "miss"], 2.0),
        _ => (&[], 1.0),
    };
    for metric in batched {
        let what = format!("Bloom batch {metric} vs single {metric} of {PEER}: {title}");
        let reference = best(contenders, PEER, metric);
        targets.at_most(what, best(contenders, BATCH, metric), reference, 1.0 / times_as_fast);
    }
    let what = format!("Bloom bits/key vs {PEER}: {title}");
    targets.at_most(what, best(contenders, OURS, "bits/key"), best(contenders, PEER, "bits/key"), 1.01);

    // Four standard deviations of a binomial count: a sound filter leaves the band once in 16,000 cases.
    let n = case.n as u64;
    let params = BloomParams::for_fpr(n, case.fpr).expect("every size and rate measured here is valid");
    let expected = params.fpr_at(n);
    let deviation = (best(contenders, OURS, "fpr %") / 100.0 - expected).abs();
    let sigma = (expected * (1.0 - expected) / asked as f64).sqrt();
    let what = format!("Bloom measured fpr off the exact one, in standard deviations: {title}");
    targets.at_most(what, deviation / sigma, 1.0, 4.0);
}

fn contender<K: Copy, F: Filter<K>>(sets: &[KeySet<K>], n: usize, fpr: f64) -> Contender<'_> {
    Contender::new(F::NAME, move |samples| {
        let (mut insert, mut hit, mut miss) =
            (Stopwatch::default(), Stopwatch::default(), Stopwatch::default());
        let (mut heap, mut wrong, mut asked) = (0, 0, 0);
        for set in sets {
            let (mut filter, held) = heap_held(|| F::new(n, fpr));
            heap += held;
            insert.run(|| filter.insert_all(&set.members));
            // As many hits as misses: at the largest size a part of the members is enough.
            let members = &set.members[..set.strangers.len()];
            let found = hit.run(|| filter.count_present(members));
            assert_eq!(found, members.len(), "{}: a filter may not lose a key", F::NAME);
            wrong += miss.run(|| filter.count_present(&set.strangers));
            asked += set.strangers.len();
        }
        let inserted = n * sets.len();
        samples.record("insert", insert.per_op(inserted));
        samples.record("hit", hit.per_op(asked));
        samples.record("miss", miss.per_op(asked));
        samples.record("fpr %", 100.0 * wrong as f64 / asked as f64);
        samples.record("bits/key", 8.0 * heap as f64 / inserted as f64);
    })
}
