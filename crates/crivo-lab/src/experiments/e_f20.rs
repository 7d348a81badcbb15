//! How alike the 3486 pairs of works and copies are.

use crivo::stats::binomial_band;
use libm::{log, sqrt};

use super::documents::{Document, works_and_copies};
use super::pairs::{Collection, Pair};
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f20",
    title: "Similarities of the pairs of 42 works and 42 copies",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.3.8, figure 20",
    question: "MinHash is tried on 42 works and a copy of each in which a random share of the words is replaced. How alike are \
the 3486 pairs, and is that what such copies must give?",
    theory: "\
The similarities are exact: distinct words in common over distinct words in all. A copy keeps a word of its work with a probability \
q that is drawn evenly from 0 to 1 for each work, so the number of the n words that it keeps is equally likely to be any from 0 to n, and \
the similarity of work and copy, q/(2 − q), is at most j with probability 2j/(1 + j): a third of the works should be more \
alike to their copy than ½. The 42 similarities are held against that law (Dvoretzky, Kiefer and Wolfowitz: no farther away \
than √(ln(2/α)/84)).\n\n\
What another document has in common with a work, it keeps in common with the copy by the same coin: of c common words \
binomially many, with the share that the copy kept of all its words (fewer varied, as that share is known). That is asked of every pair of a \
document and another work's copy. False-alarm probability: 10⁻⁶, shared by all claims and pairs.",
    cost: Cost { quick: 1.2, full: 1.2 },
    timed: false,
    run: |settings, progress| Ok(measure(settings, &works_and_copies(settings)?, progress)),
};

const FALSE_ALARM: f64 = 1e-6 / 3.0;
const BINS: u32 = 40;

/// The sorts of pairs.
const SORTS: [&str; 4] =
    ["a work and its copy", "two works", "a work and another's copy", "copies of two works"];

fn sort_of(pair: &Pair, works: usize) -> usize {
    match (pair.first < works, pair.second < works) {
        (true, false) if pair.first + works == pair.second => 0,
        (true, true) => 1,
        (false, false) => 3,
        _ => 2,
    }
}

/// The documents are works, then a copy of each in the same order.
fn measure(settings: &Settings, documents: &[Document], progress: &mut Progress) -> Outcome {
    progress.start(1);
    let collection = Collection::new(documents);
    let works = collection.len() / 2;
    let pairs: Vec<Pair> = collection.rounds().concat();
    let mut counts = [[0u64; BINS as usize]; 4];
    for pair in &pairs {
        let bin = ((pair.jaccard() * f64::from(BINS)) as usize).min(BINS as usize - 1);
        counts[sort_of(pair, works)][bin] += 1;
    }
    progress.step();
    Outcome {
        tables: vec![histogram(&counts), summary(&pairs, works)],
        plots: vec![all_pairs(&counts), own_copies(&own(&pairs, works))],
        verdicts: judge(&collection, &pairs, works),
        notes: vec![format!(
            "Works: {}. The document has 42 works of 964410 words, 23704 of them distinct. Its figure prints no numbers but \
             that of the pairs.",
            settings.corpus_name()
        )],
    }
}

/// The similarities of works and their copies, in increasing order.
fn own(pairs: &[Pair], works: usize) -> Vec<f64> {
    let own = pairs.iter().filter(|pair| sort_of(pair, works) == 0);
    let mut similarities: Vec<f64> = own.map(Pair::jaccard).collect();
    similarities.sort_by(f64::total_cmp);
    similarities
}

fn histogram(counts: &[[u64; BINS as usize]; 4]) -> Table {
    let columns = ["similarity from", "to", "pairs"].into_iter().chain(SORTS);
    let mut table = Table::new("histogram", columns);
    for bin in 0..BINS {
        let [from, to] = [bin, bin + 1].map(|edge| Cell::from(f64::from(edge) / f64::from(BINS)));
        let by_sort = counts.each_ref().map(|counts| counts[bin as usize]);
        let all = by_sort.iter().sum::<u64>().into();
        table.push([from, to, all].into_iter().chain(by_sort.map(Cell::from)));
    }
    table
}

fn summary(pairs: &[Pair], works: usize) -> Table {
    let mut table = Table::new(
        "sorts",
        ["pairs of", "count", "least similarity", "mean similarity", "largest similarity"],
    );
    for (sort, what) in SORTS.into_iter().enumerate() {
        let similarities = || pairs.iter().filter(|pair| sort_of(pair, works) == sort).map(Pair::jaccard);
        let count = similarities().count() as u64;
        let mean = similarities().sum::<f64>() / count as f64;
        let (least, largest) = (similarities().fold(1.0, f64::min), similarities().fold(0.0, f64::max));
        table.push([what.into(), count.into(), least.into(), mean.into(), largest.into()]);
    }
    table
}

/// Figure 20 itself.
fn all_pairs(counts: &[[u64; BINS as usize]; 4]) -> Plot {
    let series = SORTS.into_iter().zip(counts).map(|(what, counts)| {
        let points = (0..).zip(counts).filter(|&(_, &count)| count > 0);
        let middle = |bin: u32| (f64::from(bin) + 0.5) / f64::from(BINS);
        Series::new(what, Style::Joined, points.map(|(bin, &count)| Point::new(middle(bin), count as f64)))
    });
    Plot::new("histogram", "How alike the pairs of documents are, by sort of pair")
        .log_y()
        .axes(
            format!("similarity of Jaccard (share, middle of {BINS} classes)"),
            "pairs in the class (count)",
        )
        .with(series)
}

/// The law of works and their copies.
fn own_copies(own: &[f64]) -> Plot {
    let reach = reach(own.len());
    let grid = (0..=100).map(|step| f64::from(step) / 100.0);
    let band = grid.clone().map(|j| {
        let law = law(j);
        Point::new(j, law).with_bounds((law - reach).max(0.0), (law + reach).min(1.0))
    });
    let points =
        own.iter().zip(1..).map(|(&j, rank)| Point::new(j, (f64::from(rank) - 0.5) / own.len() as f64));
    Plot::new("copies", "A work and its own copy: how many pairs are less alike")
        .axes("similarity of Jaccard (share)", "pairs up to it (share)")
        .with([
            Series::new("allowed (false alarm: 10⁻⁶)", Style::Band, band),
            Series::new("theory: 2j/(1 + j)", Style::Theory, grid.map(|j| Point::new(j, law(j)))),
            Series::new("works and their copies", Style::Points, points),
        ])
}

fn law(similarity: f64) -> f64 {
    2.0 * similarity / (1.0 + similarity)
}

/// How far the shares of so many values may be from their law.
fn reach(count: usize) -> f64 {
    sqrt(log(2.0 / FALSE_ALARM) / (2.0 * count as f64))
}

fn judge(collection: &Collection, pairs: &[Pair], works: usize) -> Vec<Verdict> {
    let documents = collection.len() as u64;
    let expected = documents * (documents - 1) / 2;
    let all = Verdict::new(
        format!("{documents} documents are {expected} pairs; the document prints 3486 of 84."),
        pairs.len() as u64 == expected && (documents != 84 || expected == 3486),
        format!("{} pairs.", pairs.len()),
    );
    let own = own(pairs, works);
    let n = own.len() as f64;
    let steps = own.iter().zip(1..).map(|(&j, rank)| {
        let (below, above) = (f64::from(rank - 1) / n, f64::from(rank) / n);
        (law(j) - below).abs().max((above - law(j)).abs())
    });
    let farthest = steps.fold(0.0, f64::max);
    let spread = Verdict::within(
        "Works and their copies are alike as theory says: up to j with probability 2j/(1 + j).",
        "",
        [Check {
            place: "the farthest j".into(),
            value: farthest,
            expected: 0.0,
            lower: 0.0,
            upper: reach(own.len()),
        }],
    );
    let alike = own.iter().filter(|&&j| j > 0.5).count() as f64;
    let (fewest, most) = binomial_band(own.len() as u64, 1.0 / 3.0, FALSE_ALARM);
    let third = Check { place: "j > ½".into(), value: alike, expected: n / 3.0, lower: fewest, upper: most };
    let third = Verdict::within("A third of the works is more alike to its copy than ½.", " works", [third]);
    let strangers = || pairs.iter().filter(|pair| sort_of(pair, works) >= 2);
    let false_alarm = FALSE_ALARM / strangers().count() as f64;
    let kept = strangers().map(|pair| {
        let Pair { first, second, common, .. } = *pair;
        let work = second - works;
        let share = collection.pair(work, second).common as f64 / collection.size(work) as f64;
        let before = collection.pair(first, work).common;
        // A band that reaches an end of what can be is open there.
        let (fewest, most) = binomial_band(before, share, false_alarm);
        let lower = if fewest > 0.0 { fewest } else { f64::NEG_INFINITY };
        let upper = if most < before as f64 { most } else { f64::INFINITY };
        let place = format!("documents {first} and {second}");
        Check { place, value: common as f64, expected: share * before as f64, lower, upper }
    });
    let kept = Verdict::within(
        "A copy keeps of the words common with any other document the same share as of all its words.",
        " words",
        kept,
    );
    vec![all, spread, third, kept]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a work, but for the share of the rarest ones.
    fn copy(work: &Document, share: f64) -> Document {
        let mut words: Vec<(&String, u64)> = work.words.iter().map(|(word, &count)| (word, count)).collect();
        words.sort_by_key(|&(_, count)| count);
        let replaced = (share * words.len() as f64) as usize;
        let name = |(rank, (word, count)): (usize, (&String, u64))| {
            (if rank < replaced { format!("{word} {share}") } else { word.clone() }, count)
        };
        Document { words: words.into_iter().enumerate().map(name).collect() }
    }

    #[test]
    fn copies_that_are_not_random_are_found_out() {
        let settings = Settings { size: Size::Quick, ..Settings::default() };
        let run = |share: fn(f64) -> f64| {
            let mut documents = super::super::documents::works(&settings).unwrap();
            let n = documents.len();
            let copies: Vec<Document> =
                (0..n).map(|i| copy(&documents[i], share(i as f64 / n as f64))).collect();
            documents.extend(copies);
            let outcome = measure(&settings, &documents, &mut Progress::silent());
            outcome.verdicts.iter().map(|verdict| verdict.passed).collect::<Vec<bool>>()
        };
        assert_eq!(run(|share| share), [true, true, true, false], "the rarest words first");
        assert_eq!(run(|share| 0.1 * share)[1..3], [false, false], "too few words");
    }
}
