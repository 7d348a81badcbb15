//! Frequency: update and query times, memory and the mean over-count on a skewed stream.

mod contenders;

use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, best, fastest_peer, interleave, print_contenders};
use crate::keys::{Stream, sets_of, zipf_streams};
use crate::memory::heap_held;
use crate::targets::Targets;
use contenders::{Asap, Cmsketch, Conservative, Counter, Crivo, CrivoBatch, Datasketches};

const COLUMNS: [Column; 4] =
    [Column::Time("update"), Column::Time("query"), Column::Value("KiB"), Column::Value("mean over-count")];

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    let sizes: &[usize] = if options.quick { &[10_000, 1_000_000] } else { &[10_000, 1_000_000, 10_000_000] };
    for &len in sizes {
        let streams = zipf_streams(len, sets_of(len));
        let mut contenders = vec![
            contender::<Crivo<false>>(&streams),
            contender::<CrivoBatch<false>>(&streams),
            contender::<Crivo<true>>(&streams),
            contender::<CrivoBatch<true>>(&streams),
            contender::<Asap>(&streams),
            contender::<Cmsketch>(&streams),
            contender::<Datasketches>(&streams),
            contender::<Conservative>(&streams),
        ];
        interleave(&mut contenders, options.rounds);
        let title = format!("Frequency: 4 x 2^16 counters, {len} items Zipf(1.1) over 10^6 values");
        print_contenders(&title, &COLUMNS, &contenders);
        for metric in ["update", "query"] {
            let (peer, reference) = fastest_peer(&contenders, metric);
            let what = format!("CountMin {metric} vs {peer}: {len} items");
            targets.at_most(what, best(&contenders, Crivo::<false>::NAME, metric), reference, 1.0);
        }
    }
}

fn contender<C: Counter>(streams: &[Stream]) -> Contender<'_> {
    let queries: Vec<Vec<u64>> =
        streams.iter().map(|stream| stream.counts.iter().map(|&(item, _)| item).collect()).collect();
    Contender::new(C::NAME, move |samples| {
        let (mut update, mut query) = (Stopwatch::default(), Stopwatch::default());
        let (mut heap, mut over, mut items, mut asked) = (0, 0.0, 0, 0);
        for (stream, queries) in streams.iter().zip(&queries) {
            let (mut sketch, held) = heap_held(C::new);
            heap = held;
            update.run(|| sketch.add_all(&stream.items));
            let answers = query.run(|| sketch.sum_all(queries));
            over += answers - stream.items.len() as f64;
            items += stream.items.len();
            asked += queries.len();
        }
        samples.record("update", update.per_op(items));
        samples.record("query", query.per_op(asked));
        samples.record("KiB", heap as f64 / 1024.0);
        samples.record("mean over-count", over / asked as f64);
    })
}
