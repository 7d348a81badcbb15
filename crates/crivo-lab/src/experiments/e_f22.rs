//! Pairs that bands of a signature of 512 functions find.

use crivo::similarity::LshParams;
use crivo::stats::{binomial_band, clopper_pearson};
use crivo::{HashSpec, LshIndex, MinHash};

use super::documents::works_and_copies;
use super::pairs::{Collection, Pair, sign};
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f22",
    title: "Pairs found by every choice of bands of 512 functions",
    source: Source::Lopes,
    reference: "Lopes 2017, sections 2.3.5 and 2.3.8, figure 22",
    question: "A signature of 512 functions is cut into b bands of r rows, and documents that agree in a whole band are \
candidates. For every b and r, which of the 3486 pairs are found?",
    theory: "\
A pair of similarity s agrees in a band with probability sʳ, and so in one of b with 1 − (1 − sʳ)ᵇ \
(`LshParams::probability`). The pairs that an index finds are exactly those whose signatures agree in a band, with any probability of \
this.\n\n\
In the document all documents share one set of functions, and so pairs are found or missed together: that is done here too, once, with an \
`LshIndex`. For the curve each pair has its own functions. Then the pairs of similar s, and all of them, are found \
in binomial numbers; where their chances differ the interval of the mean chance is a wider one (Hoeffding 1956). False-alarm probability: 10⁻⁶, \
shared by all classes of similarity and all b.",
    cost: Cost { quick: 1.4, full: 9.8 },
    timed: false,
    structures: &["lsh-index", "min-hash"],
    contradicts: false,
    faults: &[Fault {
        name: "a band without one of its rows",
        run: |settings, progress| measure(settings, progress, 1),
    }],
    run: |settings, progress| measure(settings, progress, 0),
};

const SLOTS: u32 = 512;
const FALSE_ALARM: f64 = 1e-6;
const CLASSES: usize = 20;
const COLOURS: usize = 6;

/// Pairs of similar similarity, and how many of them one choice of bands found.
#[derive(Clone, Copy, Default)]
struct Class {
    pairs: u64,
    found: u64,
    similarities: f64,
    expected: f64,
}

impl Class {
    fn add(&mut self, similarity: f64, chance: f64, found: bool) {
        self.pairs += 1;
        self.found += u64::from(found);
        self.similarities += similarity;
        self.expected += chance;
    }

    fn check(&self, place: String, false_alarm: f64) -> Check {
        let n = self.pairs as f64;
        let (fewest, most) = binomial_band(self.pairs, self.expected / n, false_alarm);
        let lower = if fewest > 0.0 { fewest } else { f64::NEG_INFINITY };
        let upper = if most < n { most } else { f64::INFINITY };
        Check { place, value: self.found as f64, expected: self.expected, lower, upper }
    }
}

/// One choice of bands.
struct Choice {
    params: LshParams,
    classes: [Class; CLASSES],
    all: Class,
    /// Found where all documents share their functions: expected, by the index, and by comparing all pairs.
    shared: [f64; 3],
    /// Pairs that only one of index and comparison found.
    differing: u64,
}

/// Bands have `missing` rows less than they should.
fn measure(settings: &Settings, progress: &mut Progress, missing: usize) -> Result<Outcome> {
    let (repeats, rounds) = match settings.size {
        Size::Quick => (1, 30),
        Size::Full => (8, usize::MAX),
    };
    let collection = Collection::new(&works_and_copies(settings)?);
    let all_rounds = collection.rounds();
    let mut choices = Vec::new();
    for rows in (0..=9).map(|power| 1 << power) {
        let params = LshParams::exact(SLOTS / rows, rows)?;
        let classes = [Class::default(); CLASSES];
        choices.push(Choice { params, classes, all: Class::default(), shared: [0.0; 3], differing: 0 });
    }
    let mut rng = settings.rng("e-f22 functions");
    let rounds = &all_rounds[..rounds.min(all_rounds.len())];
    progress.start((repeats * rounds.len()) as u64 + 1);
    for round in std::iter::repeat_n(rounds, repeats).flatten() {
        for pair in round {
            let spec = HashSpec::seeded(rng.next_u64());
            let [first, second] =
                [signature(&collection, pair.first, spec)?, signature(&collection, pair.second, spec)?];
            let similarity = pair.jaccard();
            let class = ((similarity * CLASSES as f64) as usize).min(CLASSES - 1);
            for Choice { params, classes, all, .. } in &mut choices {
                let chance = params.probability(similarity)?;
                let found = agree(&first, &second, *params, missing);
                classes[class].add(similarity, chance, found);
                all.add(similarity, chance, found);
            }
        }
        progress.step();
    }
    let spec = HashSpec::seeded(rng.next_u64());
    share_functions(&collection, &all_rounds.concat(), spec, missing, &mut choices)?;
    progress.step();
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&choices), by_class(&choices)],
        plots: vec![curves(&choices), totals(&choices)],
        verdicts: judge(&choices),
        notes: vec![format!(
            "{} pairs with functions of their own, {repeats} times, and all {} with the same; works: {}. The document prints no numbers of \
             figure 22.",
            rounds.iter().map(Vec::len).sum::<usize>(),
            all_rounds.iter().map(Vec::len).sum::<usize>(),
            settings.corpus_name()
        )],
    })
}

fn signature(collection: &Collection, document: usize, spec: HashSpec) -> Result<MinHash> {
    sign(SLOTS, spec, &collection.hashes(document, spec))
}

/// Whether two signatures agree in a whole band, but for the rows that are missing.
fn agree(first: &MinHash, second: &MinHash, params: LshParams, missing: usize) -> bool {
    let rows = params.rows() as usize;
    let kept = rows.saturating_sub(missing).max(1);
    let mut bands = first.slots().chunks(rows).zip(second.slots().chunks(rows));
    bands.any(|(one, other)| one[..kept] == other[..kept])
}

/// As the document does: one signature a document, and an index of them.
fn share_functions(
    collection: &Collection,
    pairs: &[Pair],
    spec: HashSpec,
    missing: usize,
    choices: &mut [Choice],
) -> Result<()> {
    let signatures = (0..collection.len())
        .map(|document| signature(collection, document, spec))
        .collect::<Result<Vec<MinHash>>>()?;
    for Choice { params, shared, differing, .. } in choices {
        let mut index = LshIndex::with_params(*params, &signatures[0])?;
        for (id, signature) in (0..).zip(&signatures) {
            index.insert(id, signature)?;
        }
        let mut found = std::collections::BTreeSet::new();
        index.pairs(|one, other| {
            found.insert((one as usize, other as usize));
        });
        for pair in pairs {
            let agrees = agree(&signatures[pair.first], &signatures[pair.second], *params, missing);
            let is_found = found.contains(&(pair.first, pair.second));
            *differing += u64::from(agrees != is_found);
            let counts = [params.probability(pair.jaccard())?, f64::from(is_found), f64::from(agrees)];
            shared.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    Ok(())
}

#[rustfmt::skip]
fn table(choices: &[Choice]) -> Table {
    let mut table = Table::new("data", [
        "bands b", "rows r", "similarity found half of the time", "pairs with own functions", "found", "expected",
        "found by an index of all documents", "agree in a band there", "expected there",
    ]);
    for Choice { params, all, shared, .. } in choices {
        let half = params.similarity_at(0.5).unwrap_or(f64::NAN);
        let [expected, found, agree] = *shared;
        table.push([
            u64::from(params.bands()).into(), u64::from(params.rows()).into(), half.into(),
            all.pairs.into(), all.found.into(), all.expected.into(), found.into(), agree.into(), expected.into(),
        ]);
    }
    table
}

fn by_class(choices: &[Choice]) -> Table {
    let mut table =
        Table::new("classes", ["bands b", "rows r", "mean similarity", "pairs", "found (%)", "theory (%)"]);
    for Choice { params, classes, .. } in choices {
        for class in classes.iter().filter(|class| class.pairs > 0) {
            let n = class.pairs as f64;
            table.push([
                u64::from(params.bands()).into(),
                u64::from(params.rows()).into(),
                (class.similarities / n).into(),
                class.pairs.into(),
                (100.0 * class.found as f64 / n).into(),
                (100.0 * class.expected / n).into(),
            ]);
        }
    }
    table
}

/// The curves of the choices that found some pairs and missed others, as many as there are colours.
fn curves(choices: &[Choice]) -> Plot {
    let mut plot =
        Plot::new("curves", "Share of the pairs that b bands of r rows find, by similarity (bars: 95 %)")
            .axes("similarity of Jaccard (share)", "pairs found (%)");
    let told = choices
        .iter()
        .filter(|choice| choice.all.found > 0 && choice.all.expected < 0.99 * choice.all.pairs as f64);
    for (colour, Choice { params, classes, .. }) in told.take(COLOURS).enumerate() {
        let label = format!("b = {}, r = {}", params.bands(), params.rows());
        let curve = params.curve(80).into_iter().map(|(s, chance)| Point::new(s, 100.0 * chance));
        // Where next to all or none are found, the points of all choices would lie on each other.
        let open = |class: &&Class| (0.005..0.995).contains(&(class.expected / class.pairs as f64));
        let points = classes.iter().filter(open).map(|class| {
            let (lower, upper) = clopper_pearson(class.found, class.pairs, 0.95);
            let (n, found) = (class.pairs as f64, class.found as f64);
            Point::new(class.similarities / n, 100.0 * found / n).with_bounds(100.0 * lower, 100.0 * upper)
        });
        plot = plot.with([
            Series::new(format!("theory, {label}"), Style::Curve, curve).coloured(colour),
            Series::new(format!("found, {label}"), Style::Points, points).coloured(colour),
        ]);
    }
    plot
}

/// How many of all pairs are found.
fn totals(choices: &[Choice]) -> Plot {
    let of = |value: fn(&Choice) -> f64| {
        choices.iter().map(move |choice| Point::new(choice.params.rows().into(), value(choice)))
    };
    Plot::new("totals", "Pairs found, all documents with the same 512 functions")
        .log_x()
        .log_y()
        .axes("rows of a band r (count; 512/r bands)", "pairs found (count)")
        .with([
            Series::new(
                "expected",
                Style::Theory,
                of(|choice| choice.shared[0]).filter(|point| point.y > 0.1),
            ),
            Series::new("found by the index", Style::Points, of(|choice| choice.shared[1])),
        ])
}

fn judge(choices: &[Choice]) -> Vec<Verdict> {
    let some = || {
        choices.iter().flat_map(|choice| {
            choice.classes.iter().filter(|class| class.pairs > 0).map(move |class| (choice.params, class))
        })
    };
    let false_alarm = FALSE_ALARM / (some().count() + choices.len()) as f64;
    let classes = some().map(|(params, class)| {
        let (rows, similarity) = (params.rows(), class.similarities / class.pairs as f64);
        class.check(format!("r = {rows}, s ≈ {similarity:.3}"), false_alarm)
    });
    let all =
        choices.iter().map(|choice| choice.all.check(format!("r = {}", choice.params.rows()), false_alarm));
    let differing: u64 = choices.iter().map(|choice| choice.differing).sum();
    let listed = choices.iter().map(|choice| format!("{}: {}", choice.params.rows(), choice.shared[1]));
    let listed: Vec<String> = listed.collect();
    vec![
        Verdict::within(
            "Pairs of each similarity s are found with probability 1 − (1 − sʳ)ᵇ.",
            " pairs",
            classes,
        ),
        Verdict::within(
            "All pairs together are found as often as theory says, for every b and r.",
            " pairs",
            all,
        ),
        Verdict::new(
            "An index finds the pairs that agree in a whole band, and no others.",
            differing == 0,
            format!("{differing} pairs differ. Found by rows of a band: {}.", listed.join(", ")),
        ),
    ]
}
