//! Frequency: update and query times, memory and the mean over-count on a skewed stream.

mod contenders;
mod top;
mod variants;

use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, best, fastest_peer, interleave, print_contenders};
use crate::keys::{Stream, sets_of, slices, text, zipf_streams};
use crate::memory::heap_held;
use bench_report::Targets;
use contenders::{Asap, Cmsketch, Conservative, Counter, Crivo, CrivoBatch, Datasketches, Key};

const COLUMNS: [Column; 4] =
    [Column::Time("update"), Column::Time("query"), Column::Value("KiB"), Column::Value("mean over-count")];

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    for &len in options.sizes() {
        let streams = zipf_streams(len, sets_of(len));
        measure("u64", &streams, options.rounds, targets);
        variants::measure(&streams, options.rounds);
        top::measure(&streams[0], options.rounds, targets);
        if len == 1_000_000 {
            let texts: Vec<[String; 2]> =
                streams.iter().map(|stream| [text(&stream.items), text(&stream.distinct)]).collect();
            let streams: Vec<Stream<&str>> = texts
                .iter()
                .map(|[items, distinct]| Stream { items: slices(items), distinct: slices(distinct) })
                .collect();
            measure("16-byte strings", &streams, options.rounds, targets);
        }
    }
}

fn measure<K: Key>(keys: &str, streams: &[Stream<K>], rounds: usize, targets: &mut Targets) {
    let mut contenders = vec![
        contender::<K, Crivo<false>>(streams),
        contender::<K, CrivoBatch<false>>(streams),
        contender::<K, Crivo<true>>(streams),
        contender::<K, CrivoBatch<true>>(streams),
        contender::<K, Asap>(streams),
        contender::<K, Cmsketch>(streams),
        contender::<K, Datasketches>(streams),
        contender::<K, Conservative<K>>(streams),
    ];
    interleave(&mut contenders, rounds);
    let len = streams[0].items.len();
    let title = format!("Frequency: 4 x 2^16 counters, {len} {keys} Zipf(1.1) over 10^6 values");
    print_contenders(&title, &COLUMNS, &contenders);
    let plain = best(&contenders, <Crivo<false> as Counter<K>>::NAME, "update");
    let conservative = best(&contenders, <Crivo<true> as Counter<K>>::NAME, "update");
    let what = format!("Conservative update vs plain: {len} {keys}");
    targets.at_most(what, conservative, plain, 2.0);
    for metric in ["update", "query"] {
        let (peer, reference) = fastest_peer(&contenders, metric);
        let what = format!("CountMin {metric} vs {peer}: {len} {keys}");
        let ours = best(&contenders, <Crivo<false> as Counter<K>>::NAME, metric);
        targets.at_most(what, ours, reference, 1.0);
    }
}

fn contender<K: Key, C: Counter<K>>(streams: &[Stream<K>]) -> Contender<'_> {
    Contender::new(C::NAME, move |samples| {
        let (mut update, mut query) = (Stopwatch::default(), Stopwatch::default());
        let (mut heap, mut over, mut items, mut asked) = (0, 0.0, 0, 0);
        for stream in streams {
            let (mut sketch, held) = heap_held(C::new);
            heap = held;
            update.run(|| sketch.add_all(&stream.items));
            let answers = query.run(|| sketch.sum_all(&stream.distinct));
            over += answers - stream.items.len() as f64;
            items += stream.items.len();
            asked += stream.distinct.len();
        }
        samples.record("update", update.per_op(items));
        samples.record("query", query.per_op(asked));
        samples.record("KiB", heap as f64 / 1024.0);
        if over.is_finite() {
            samples.record("mean over-count", over / asked as f64);
        }
    })
}
