//! The bands of the notes: figure 4.4, and users with equal sets of films.

use std::collections::HashMap;
use std::time::Instant;

use crivo::rng::Rng;
use crivo::similarity::{GroupedRows, LshParams, Scheme};
use crivo::stats::{binomial_band, clopper_pearson};
use crivo::{HashSpec, LshIndex};

use super::pairs::{random_pair, sign};
use super::prelude::*;
use crate::significant;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-m-bands",
    title: "Bands from two targets, and users with equal sets of films",
    source: Source::Mpei,
    reference: "MPEI, section 4.4, figure 4.4, and exercise 4.5",
    question: "Which bands find pairs with a similarity of at most 60 % with a probability below 0.01, and of at least 90 % with 0.99? Does an \
index find pairs as often as the curve says? How long does it take to find users with equal sets of films?",
    theory: "\
A pair of similarity J is a candidate with probability 1 − (1 − J^r)^b. The notes print b ≈ 20 and r ≈ 15 for the two targets, which \
`LshParams::for_targets` finds as well: 0.0094 at 60 % and 0.9901 at 90 %. Random pairs of known similarity are looked for in an index of 20 \
bands of 15 rows, and their number is compared with binomial bands, at a false-alarm probability of 10⁻⁶ shared by all.\n\n\
The exercise asks for users with exactly equal sets among 10,000,054 ratings of 69,878 users, in less than a second. Here the rows are \
synthetic, with the same number of users in full, and pairs of equal users are planted. Rows are grouped by user, and sets with equal \
hashes of all films are candidates. The time depends on the machine, so it is reported.",
    cost: Cost { quick: 1.0, full: 15.0 },
    timed: true,
    structures: &["lsh-index", "min-hash"],
    contradicts: false,
    faults: &[
        Fault {
            name: "one row fewer in each band",
            run: |settings, progress| measure(settings, progress, Flaw { rows: 1, ..Flaw::NONE }),
        },
        Fault {
            name: "planted users that differ in one film",
            run: |settings, progress| measure(settings, progress, Flaw { films: 1, ..Flaw::NONE }),
        },
        Fault {
            name: "a higher target of 0.999",
            run: |settings, progress| measure(settings, progress, Flaw { target: 0.999, ..Flaw::NONE }),
        },
    ],
    run: |settings, progress| measure(settings, progress, Flaw::NONE),
};

const FALSE_ALARM: f64 = 1e-6;
const PRINTED: (u32, u32) = (20, 15);
/// The lower and the higher target: similarity and probability.
const TARGETS: [(f64, f64); 2] = [(0.6, 0.01), (0.9, 0.99)];
/// Items of both sets of a pair together, and how many of them are common.
const UNION: usize = 100;
const COMMON: [usize; 8] = [50, 60, 70, 75, 80, 85, 90, 95];
/// Films of the exercise.
const FILMS: u64 = 10_677;
/// One user in this number is a copy of the one before.
const EQUAL: u64 = 1000;

/// Pairs of one similarity, and how many of them were found.
struct Place {
    similarity: f64,
    pairs: u64,
    found: u64,
}

/// A planted fault.
#[derive(Clone, Copy)]
struct Flaw {
    /// The number of rows that each band lacks.
    rows: u32,
    /// The number of films in which planted users differ.
    films: u64,
    /// The probability of the higher target.
    target: f64,
}

impl Flaw {
    const NONE: Self = Self { rows: 0, films: 0, target: TARGETS[1].1 };
}

fn measure(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    let (pairs, users, films): (u64, u64, u64) = match settings.size {
        Size::Quick => (3000, 7_000, 40),
        Size::Full => (30_000, 69_878, 143),
    };
    progress.start(COMMON.len() as u64 + 1);
    let (bands, rows) = (PRINTED.0, PRINTED.1 - flaw.rows);
    let mut rng = settings.rng("e-m-bands pairs");
    let mut places = Vec::new();
    for common in COMMON {
        places.push(find_pairs(&mut rng, common, pairs, LshParams::exact(bands, rows)?)?);
        progress.step();
    }
    let search = equal_users(&mut settings.rng("e-m-bands users"), users, films, flaw.films)?;
    progress.step();
    let curve = LshParams::exact(PRINTED.0, PRINTED.1)?;
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&places, curve)?],
        plots: vec![plot(&places, curve)?],
        verdicts: judge(&places, curve, &search, flaw.target)?,
        notes: vec![format!(
            "{pairs} random pairs of each similarity; {users} users with {films} films each."
        )],
    })
}

fn find_pairs(rng: &mut Rng, common: usize, pairs: u64, params: LshParams) -> Result<Place> {
    let (spec, functions) = (HashSpec::default(), params.bands() * params.rows());
    let mut index = LshIndex::with_scheme(params, Scheme::Functions, functions as usize, spec)?;
    let mut found = 0;
    for _ in 0..pairs {
        let [first, second] = random_pair(rng, common, UNION);
        index.clear();
        index.insert_slots(0, sign(functions, spec, &first)?.slots())?;
        found += index.candidates_of_slots(sign(functions, spec, &second)?.slots())?.len() as u64;
    }
    Ok(Place { similarity: common as f64 / UNION as f64, pairs, found })
}

/// What the search for equal users found.
struct Search {
    rows: usize,
    seconds: f64,
    planted: u64,
    found: u64,
    others: u64,
}

fn equal_users(rng: &mut Rng, users: u64, films: u64, differing: u64) -> Result<Search> {
    let mut all: Vec<(u64, Vec<u64>)> = Vec::new();
    for user in 0..users {
        let set = match all.last() {
            Some((_, before)) if user % EQUAL == EQUAL - 1 => {
                let kept = before.len() - differing as usize;
                before[..kept].iter().copied().chain((0..differing).map(|extra| FILMS + extra)).collect()
            }
            _ => (0..films).map(|_| rng.below(FILMS)).collect(),
        };
        all.push((user, set));
    }
    let spec = HashSpec::default();
    let start = Instant::now();
    let mut rows = GroupedRows::new();
    for (user, set) in &all {
        for film in set {
            rows.insert(spec.hash(user), spec.hash(film))?;
        }
    }
    // The sum of the hashes of distinct films does not depend on their order.
    let mut by_sum: HashMap<u64, Vec<u32>> = HashMap::new();
    rows.for_each(|user, films| {
        let mut films = films.to_vec();
        films.sort_unstable();
        films.dedup();
        let sum = films.iter().fold(0u64, |sum, film| sum.wrapping_add(spec.hash(film)));
        by_sum.entry(sum).or_default().push(user);
    });
    let groups: Vec<Vec<u32>> = by_sum.into_values().filter(|users| users.len() > 1).collect();
    let seconds = start.elapsed().as_secs_f64();
    let is_planted = |group: &&Vec<u32>| {
        group.len() == 2 && group[1] == group[0] + 1 && u64::from(group[1]) % EQUAL == EQUAL - 1
    };
    let found = groups.iter().filter(is_planted).count() as u64;
    let others = groups.len() as u64 - found;
    let rows = all.iter().map(|(_, films)| films.len()).sum();
    Ok(Search { rows, seconds, planted: users / EQUAL, found, others })
}

fn table(places: &[Place], params: LshParams) -> Result<Table> {
    let mut table = Table::new("pairs", ["similarity", "pairs", "found", "found (%)", "theory (%)"]);
    for &Place { similarity, pairs, found } in places {
        let share = 100.0 * found as f64 / pairs as f64;
        let theory = 100.0 * params.probability(similarity)?;
        table.push([similarity.into(), pairs.into(), found.into(), share.into(), theory.into()]);
    }
    Ok(table)
}

/// Figure 4.4.
fn plot(places: &[Place], params: LshParams) -> Result<Plot> {
    let curve = (0..=100).map(|i| f64::from(i) / 100.0);
    let curve =
        curve.map(|s| Ok(Point::new(s, 100.0 * params.probability(s)?))).collect::<Result<Vec<_>>>()?;
    let points = places.iter().map(|&Place { similarity, pairs, found }| {
        let (lower, upper) = clopper_pearson(found, pairs, 0.95);
        Point::new(similarity, 100.0 * found as f64 / pairs as f64).with_bounds(100.0 * lower, 100.0 * upper)
    });
    Ok(Plot::new("bands", "Pairs that 20 bands of 15 rows find")
        .axes("similarity of Jaccard", "pairs found (%)")
        .with([
            Series::new("1 − (1 − J^15)^20", Style::Theory, curve),
            Series::new("measured (95 % interval)", Style::Points, points),
        ]))
}

fn judge(places: &[Place], params: LshParams, search: &Search, target: f64) -> Result<Vec<Verdict>> {
    let mut checks = Vec::new();
    for &Place { similarity, pairs, found } in places {
        let chance = params.probability(similarity)?;
        let (lower, upper) = binomial_band(pairs, chance, FALSE_ALARM / places.len() as f64);
        let (value, expected) = (found as f64, chance * pairs as f64);
        let check = Check { place: format!("J = {similarity}"), value, expected, lower, upper };
        checks.push(check.of_range(0.0, pairs as f64));
    }
    let [low, high] = TARGETS;
    let chosen = LshParams::for_targets(low, (high.0, target))?;
    let slots = |bands: u32, rows: u32| f64::from(bands * rows);
    let &Search { rows, seconds, planted, found, others } = search;
    Ok(vec![
        Verdict::within(
            "An index of 20 bands of 15 rows finds a pair with probability 1 − (1 − J^15)^20.",
            " pairs",
            checks,
        ),
        Verdict::within(
            "The fewest slots for the two targets are those of the printed b ≈ 20 and r ≈ 15, within 10 %.",
            " slots",
            [Check {
                place: format!("b = {}, r = {}", chosen.bands(), chosen.rows()),
                value: slots(chosen.bands(), chosen.rows()),
                expected: slots(PRINTED.0, PRINTED.1),
                lower: 0.9 * slots(PRINTED.0, PRINTED.1),
                upper: 1.1 * slots(PRINTED.0, PRINTED.1),
            }],
        ),
        Verdict::new(
            "Exactly the planted users have equal sets of films.",
            found == planted && others == 0 && planted > 0,
            format!("{found} of {planted} planted pairs found, and {others} other groups."),
        ),
        Verdict::reported(
            format!(
                "Users with equal sets of films among {rows} rows are found in {} s on this machine.",
                significant(seconds, 2)
            ),
            "The notes ask for less than a second for 10,000,054 rows.",
        ),
    ])
}
