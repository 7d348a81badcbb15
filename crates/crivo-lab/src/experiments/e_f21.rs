//! The error of both variants of MinHash, by the number of functions or hashes.

use crivo::similarity::Scheme;
use crivo::similarity::{error_by_bound, standard_error};
use crivo::{HashSpec, KMinValues, MinHash};

use super::documents::works_and_copies;
use super::pairs::{Collection, Pair, smallest_of_union};
use super::prelude::*;
use super::squares::Squares;
use crate::coverage::{Coverage, Pooled};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f21",
    title: "The error of MinHash with k functions and with k hashes",
    source: Source::Lopes,
    reference: "Lopes 2017, sections 2.3.2, 2.3.3 and 2.3.8, figure 21",
    question: "The similarity of the 3486 pairs is estimated with k = 25 to 1000 functions, and with the k smallest hashes of one \
function. How large is the error, and is it that of theory?",
    theory: "\
With k functions the share of slots that agree is binomial: no bias, and a standard error of √(J(1−J)/k) \
(`similarity::standard_error`). The k smallest hashes of a union of U words are a draw without replacement: the same, times \
√((U−k)/(U−1)) (`KMinValues::similarity_error_at`), and none left once k ≥ U. Algorithm 17 of the document divides by k even \
then, and so answers too little for short texts; here the hashes that there are count. The band of the document at 95 % is Chernoff's bound, \
k = (2+θ)/θ²·ln(2/0.05); the figure shows that far more than 95 % of the pairs lie within it, as for every bound of this kind.\n\n\
In the document all pairs share one set of functions, and their errors go together. Here each pair has its own functions, so that \
the errors are independent: the root of the mean square is compared with the χ² law with the two moments that theory gives, the mean against a normal law, \
at a false-alarm probability of 10⁻⁶ shared by all claims and every k.",
    cost: Cost { quick: 2.0, full: 14.8 },
    timed: false,
    structures: &["min-hash", "k-min-values"],
    contradicts: false,
    faults: &[
        Fault {
            name: "each function used four times, and a quarter of the hashes kept",
            run: |settings, progress| measure(settings, progress, 4, 0),
        },
        Fault {
            name: "100 words too many in common",
            run: |settings, progress| measure(settings, progress, 1, 100),
        },
    ],
    run: |settings, progress| measure(settings, progress, 1, 0),
};

const MOST: u32 = 1000;
const FALSE_ALARM: f64 = 1e-6;
const CLAIMS: f64 = 8.0;

/// The estimates of one k.
#[derive(Default)]
struct At {
    k: u32,
    /// Slots of k functions that agree.
    functions: Squares,
    /// The k smallest hashes of the union, as in algorithm 17.
    smallest: Squares,
    /// What `KMinValues` makes of the same hashes.
    ours: Squares,
    /// Errors of both variants up to the document's bound.
    within_bound: [u64; 2],
    intervals: [Coverage; 2],
}

/// A planted fault: each function is used for `copies` slots, a `KMinValues` keeps 1/`copies` of its hashes, and pairs are said to have `more` common words.
fn measure(settings: &Settings, progress: &mut Progress, copies: u32, more: u64) -> Result<Outcome> {
    let (rounds, step) = match settings.size {
        Size::Quick => (24, 75),
        Size::Full => (usize::MAX, 25),
    };
    let collection = Collection::new(&works_and_copies(settings)?);
    let rounds: Vec<Vec<Pair>> = collection.rounds().into_iter().take(rounds).collect();
    let mut grid: Vec<At> = (25..=MOST).step_by(step).map(|k| At { k, ..At::default() }).collect();
    let mut rng = settings.rng("e-f21 functions");
    progress.start(rounds.len() as u64);
    let mut pooled = [Pooled::default(), Pooled::default()];
    for round in &rounds {
        for pair in round {
            let spec = HashSpec::seeded(rng.next_u64());
            try_pair(&collection, &pair.with_more(more), spec, copies, &mut grid, &mut pooled)?;
        }
        progress.step();
    }
    let pairs = rounds.iter().map(Vec::len).sum::<usize>() as u64;
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&grid, pairs)?],
        plots: vec![errors(&grid, pairs), bias(&grid)?],
        verdicts: judge(&grid, &pooled),
        notes: vec![format!(
            "{pairs} pairs of {} documents, works: {}. Each pair has its own functions. The document prints no numbers of figure 21.",
            collection.len(),
            settings.corpus_name()
        )],
    })
}

fn try_pair(
    collection: &Collection,
    pair: &Pair,
    spec: HashSpec,
    copies: u32,
    grid: &mut [At],
    pooled: &mut [Pooled; 2],
) -> Result<()> {
    let mut held = [Vec::new(), Vec::new()];
    let truth = pair.jaccard();
    let hashes = [pair.first, pair.second].map(|document| collection.hashes(document, spec));
    let mut slots = Vec::with_capacity(2);
    let mut samples = Vec::with_capacity(2);
    for hashes in &hashes {
        let mut signature = MinHash::for_slots(MOST)?.with_hash(spec);
        signature.insert_hashes(hashes);
        slots.push(
            (0..MOST as usize)
                .map(|slot| signature.slots()[slot - slot % copies as usize])
                .collect::<Vec<u32>>(),
        );
        let mut sample = KMinValues::for_k(MOST)?.with_hash(spec);
        sample.insert_hashes(hashes);
        samples.push(sample);
    }
    let common_up_to = smallest_of_union(&samples[0], &samples[1]);
    for at in grid {
        let k = at.k as usize;
        let bound = error_by_bound(k as u64, 0.95)?;
        let by_functions = Scheme::Functions.similarity(&slots[0][..k], &slots[1][..k]);
        let drawn = k.min(common_up_to.len());
        let by_smallest = common_up_to[drawn - 1] as f64 / drawn as f64 - truth;
        // A `KMinValues` keeps 16 hashes at least.
        let kept = (at.k / copies).max(16);
        let ours = samples[0].fold(kept)?.similarity(&samples[1].fold(kept)?)?;
        let drawn_error = KMinValues::similarity_error_at(at.k, truth, pair.union)?;
        let coins = standard_error(truth, k as u64)?;
        let correction = if coins > 0.0 { (drawn_error / coins) * (drawn_error / coins) } else { 0.0 };
        let error = by_functions.value() - truth;
        at.functions.add_share(error, k as f64, truth, 1.0);
        at.smallest.add_share(by_smallest, k as f64, truth, correction);
        at.ours.add_share(ours.value() - truth, k as f64, truth, correction);
        for ((intervals, held), estimate) in
            at.intervals.iter_mut().zip(&mut held).zip([&by_functions, &ours])
        {
            intervals.add(estimate, truth);
            held.push((estimate.guarantee(), estimate.contains(truth)));
        }
        at.within_bound[0] += u64::from(error.abs() <= bound);
        at.within_bound[1] += u64::from(by_smallest.abs() <= bound);
    }
    for (pooled, held) in pooled.iter_mut().zip(held) {
        pooled.add(held);
    }
    Ok(())
}

#[rustfmt::skip]
fn table(grid: &[At], pairs: u64) -> Result<Table> {
    let mut table = Table::new("data", [
        "k", "pairs",
        "functions: mean error (%)", "functions: rms error (%)", "functions: rms of theory (%)",
        "smallest: mean error (%)", "smallest: rms error (%)", "smallest: rms of theory (%)",
        "KMinValues: mean error (%)", "KMinValues: rms error (%)",
        "Chernoff's bound at 95 % (%)", "functions: pairs within it (%)", "smallest: pairs within it (%)",
        "MinHash intervals that hold (%)", "KMinValues intervals that hold (%)",
    ]);
    for at in grid {
        let share = |count: u64| 100.0 * count as f64 / pairs as f64;
        let squares = |squares: &Squares| [squares.mean(), squares.rms(), squares.expected_rms()].map(|error| Cell::from(100.0 * error));
        let ours = squares(&at.ours);
        let bound = 100.0 * error_by_bound(at.k.into(), 0.95)?;
        let rest = [
            bound, share(at.within_bound[0]), share(at.within_bound[1]),
            100.0 * at.intervals[0].share(), 100.0 * at.intervals[1].share(),
        ];
        let row = [u64::from(at.k).into(), pairs.into()].into_iter();
        let row = row.chain(squares(&at.functions)).chain(squares(&at.smallest)).chain(ours.into_iter().take(2));
        table.push(row.chain(rest.map(Cell::from)));
    }
    Ok(table)
}

const K: &str = "functions, or hashes kept: k (count)";

/// The spread of the errors.
fn errors(grid: &[At], pairs: u64) -> Plot {
    let curve = |squares: fn(&At) -> &Squares| {
        grid.iter().map(move |at| Point::new(at.k.into(), 100.0 * squares(at).expected_rms()))
    };
    let points = |squares: fn(&At) -> &Squares| {
        grid.iter().map(move |at| {
            let (squares, x) = (squares(at), f64::from(at.k));
            // The band of theory, moved to the point that was measured.
            let (lower, upper) = squares.rms_band(0.05);
            let scale = 100.0 * squares.rms() / squares.expected_rms();
            Point::new(x, 100.0 * squares.rms()).with_bounds(scale * lower, scale * upper)
        })
    };
    Plot::new("rms", format!("Root mean square error of the similarity of {pairs} pairs (bars: 95 %)"))
        .log_x()
        .log_y()
        .axes(K, "root mean square error (percentage points)")
        .with([
            Series::new("theory, k functions: √(J(1−J)/k)", Style::Curve, curve(|at| &at.functions))
                .coloured(0),
            Series::new("measured, k functions", Style::Points, points(|at| &at.functions)).coloured(0),
            Series::new("theory, k smallest hashes", Style::Curve, curve(|at| &at.smallest)).coloured(1),
            Series::new("measured, k smallest hashes", Style::Points, points(|at| &at.smallest)).coloured(1),
            Series::new("measured, KMinValues", Style::Points, points(|at| &at.ours)).coloured(2),
        ])
}

/// Figure 21 itself: mean and deviation of the errors in the band at 95 %.
fn bias(grid: &[At]) -> Result<Plot> {
    let bounds = grid.iter().map(|at| Ok((at.k, 100.0 * error_by_bound(at.k.into(), 0.95)?)));
    let bounds = bounds.collect::<Result<Vec<(u32, f64)>>>()?;
    let band = bounds.into_iter().map(|(k, bound)| Point::new(k.into(), 0.0).with_bounds(-bound, bound));
    let points = |squares: fn(&At) -> &Squares, aside: f64| {
        grid.iter().map(move |at| {
            let (mean, rms) = (100.0 * squares(at).mean(), 100.0 * squares(at).rms());
            Point::new(f64::from(at.k) + aside, mean).with_bounds(mean - rms, mean + rms)
        })
    };
    Ok(Plot::new("deviation", "Mean error and its deviation (bars) by k")
        .between(-25.0, 25.0)
        .axes(K, "estimated less true similarity (percentage points)")
        .with([
            Series::new("Chernoff's bound at 95 %", Style::Band, band),
            Series::new("k functions", Style::Points, points(|at| &at.functions, -3.0)).coloured(0),
            Series::new("k smallest hashes", Style::Points, points(|at| &at.smallest, 3.0)).coloured(1),
        ]))
}

fn judge(grid: &[At], pooled: &[Pooled; 2]) -> Vec<Verdict> {
    let false_alarm = FALSE_ALARM / CLAIMS / grid.len() as f64;
    let place = |at: &At| format!("k = {}", at.k);
    let of = |claim: &str, check: &dyn Fn(&At) -> Check| Verdict::within(claim, " %", grid.iter().map(check));
    let intervals = |claim: &str, variant: usize| {
        let each = grid.iter().map(|at| at.intervals[variant].check(place(at), false_alarm));
        Verdict::within(claim, " %", each.chain(pooled[variant].check(FALSE_ALARM / CLAIMS)))
    };
    vec![
        of("With k functions the error is that of k binomial trials, for every k.", &|at| {
            at.functions.check(place(at), false_alarm)
        }),
        of("The estimate from k functions is unbiased.", &|at| {
            at.functions.check_bias(place(at), false_alarm)
        }),
        of("With the k smallest hashes the error is that of k draws without replacement.", &|at| {
            at.smallest.check(place(at), false_alarm)
        }),
        of("The estimate from the k smallest hashes is unbiased.", &|at| {
            at.smallest.check_bias(place(at), false_alarm)
        }),
        of(
            "The error of KMinValues, which uses all hashes that both sketches know, is at most that.",
            &|at| at.ours.check_most(place(at), false_alarm),
        ),
        intervals("The intervals of MinHash have the promised coverage.", 0),
        intervals("The intervals of KMinValues have the promised coverage.", 1),
    ]
}
