//! S-curves of bands: the probability that a pair becomes a candidate.

use core::f64::consts::PI;

use crivo::rng::Rng;
use crivo::similarity::{LshParams, Scheme};
use crivo::stats::{binomial_band, clopper_pearson};
use crivo::{HashSpec, LshIndex, MinHash, SimHash};
use libm::{acos, exp, lgamma, sqrt};

use super::pairs::{random_pair, sign};
use super::prelude::*;
use crate::summary::{Summary, student};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f19",
    title: "S-curves of bands, and two printed numbers that are wrong",
    source: Source::Lopes,
    reference: "Lopes 2017, sections 2.3.5 and 2.3.6, figure 19",
    question: "With 64 functions in b bands of r rows, how likely is a pair of similarity s to be a candidate? And are the \
points that the document prints for b = 32 and r = 16, and the angle of its SimHash example, right?",
    theory: "\
A pair is a candidate with probability 1 − (1 − sʳ)ᵇ (`LshParams::probability`), so those that an `LshIndex` finds among pairs of the same \
similarity are binomially many.\n\n\
For b = 32 and r = 16 the same formula turned around gives the similarities that are found once in 200 and 19 times in 20. There the chance is \
measured without waiting for rare finds: of 512 slots M agree, and the share of all ways to deal the slots into bands that makes a whole \
band agree is known from M alone, Σⱼ (−1)ʲ⁺¹ C(32, j)·C(M, 16j)/C(512, 16j). Its mean over many pairs is the chance, and is held \
against theory with Student's t.\n\n\
The bits of SimHash agree with probability 1 − θ/π for vectors at an angle θ: the share measured tells the angle. False-alarm \
probability: 10⁻⁶, shared by all claims and points.",
    cost: Cost { quick: 0.15, full: 3.6 },
    timed: false,
    structures: &["lsh-index", "sim-hash"],
    contradicts: true,
    faults: &[
        Fault {
            name: "each function used twice",
            run: |settings, progress| measure(settings, progress, 2, &PRINTED),
        },
        Fault {
            name: "the correct numbers printed",
            run: |settings, progress| measure(settings, progress, 1, &correct()),
        },
    ],
    run: |settings, progress| measure(settings, progress, 1, &PRINTED),
};

const FUNCTIONS: u32 = 64;
const UNION: usize = 100;
const FALSE_ALARM: f64 = 1e-6 / 3.0;
const BANDS: u64 = 32;
const ROWS: u64 = 16;
const SLOTS: u64 = BANDS * ROWS;

/// What the document prints: the similarity of each of [`POINTS`] as common and all items, and the angle.
struct Printed {
    points: [(usize, usize); 2],
    angle: f64,
}

/// 0.5683 and 0.8891, to four digits.
const PRINTED: Printed = Printed { points: [(79, 139), (449, 505)], angle: 1.150_26 };
/// The chance to be found that the document speaks of, and the similarity that has it, as common and all items: 0.5783 and
/// 0.8599 to four digits.
const POINTS: [(f64, (usize, usize)); 2] = [(0.005, (48, 83)), (0.95, (92, 107))];
const PRINTED_SIMILARITY: f64 = 0.695_913;

/// Pairs of one similarity, and how many of them one choice of bands found.
struct Place {
    params: LshParams,
    similarity: f64,
    pairs: u64,
    found: u64,
}

/// The chance to be found at a similarity, measured.
struct Measured {
    similarity: f64,
    theory: f64,
    chance: Summary,
    /// How far from the truth the mean may be.
    reach: f64,
}

/// The similarity that `SimHash` measures.
struct Angle {
    bits: u64,
    equal: u64,
}

/// What a document without these errata would print.
fn correct() -> Printed {
    Printed { points: POINTS.map(|point| point.1), angle: theory_angle() }
}

/// Each function is used for `copies` slots of the S-curves; it should be one.
fn measure(
    settings: &Settings,
    progress: &mut Progress,
    copies: usize,
    printed: &Printed,
) -> Result<Outcome> {
    let (pairs, points, sketches) = match settings.size {
        Size::Quick => (300, 1000, 300),
        Size::Full => (10_000, 10_000, 10_000),
    };
    progress.start(3);
    let places = s_curves(&mut settings.rng("e-f19 sets"), pairs, copies)?;
    progress.step();
    let mut rng = settings.rng("e-f19 points");
    let mut measured = Vec::new();
    for (point, right) in POINTS.iter().map(|point| point.1).enumerate() {
        for (common, union) in [right, printed.points[point]] {
            measured.push(chance_at(&mut rng, common, union, points)?);
        }
    }
    progress.step();
    let angle = angle_of_example(&mut settings.rng("e-f19 directions"), sketches)?;
    progress.step();
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&places)?, points_table(&measured), angle_table(&angle, printed)],
        plots: vec![curves(&places), points_plot(&measured)?],
        verdicts: vec![judge_curves(&places)?, judge_points(&measured)?, judge_angle(&angle, printed)],
        notes: vec![format!(
            "S-curves: {pairs} pairs of random sets of each similarity, {UNION} items together. Points: {points} pairs each. Angle: \
             {sketches} pairs of sketches of 1024 bits."
        )],
    })
}

fn s_curves(rng: &mut Rng, pairs: u64, copies: usize) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    let spec = HashSpec::default();
    for common in (5..=UNION).step_by(5) {
        let similarity = common as f64 / UNION as f64;
        let mut indexes = Vec::new();
        for power in 0..=6 {
            let params = LshParams::exact(FUNCTIONS >> power, 1 << power)?;
            let index = LshIndex::with_scheme(params, Scheme::Functions, FUNCTIONS as usize, spec)?;
            indexes.push((index, Place { params, similarity, pairs, found: 0 }));
        }
        for _ in 0..pairs {
            let [first, second] = random_pair(rng, common, UNION);
            let slots = |signature: MinHash| -> Vec<u32> {
                (0..FUNCTIONS as usize).map(|slot| signature.slots()[slot - slot % copies]).collect()
            };
            let (first, second) =
                (slots(sign(FUNCTIONS, spec, &first)?), slots(sign(FUNCTIONS, spec, &second)?));
            for (index, place) in &mut indexes {
                index.clear();
                index.insert_slots(0, &first)?;
                place.found += index.candidates_of_slots(&second)?.len() as u64;
            }
        }
        places.extend(indexes.into_iter().map(|(_, place)| place));
    }
    Ok(places)
}

fn bands_of_the_example() -> Result<LshParams> {
    Ok(LshParams::exact(BANDS as u32, ROWS as u32)?)
}

fn chance_at(rng: &mut Rng, common: usize, union: usize, pairs: usize) -> Result<Measured> {
    let chances: Vec<f64> = (0..=SLOTS).map(found_if_dealt).collect();
    let mut seen = Vec::with_capacity(pairs);
    for _ in 0..pairs {
        let [first, second] = random_pair(rng, common, union);
        let spec = HashSpec::default();
        let (first, second) = (sign(SLOTS as u32, spec, &first)?, sign(SLOTS as u32, spec, &second)?);
        let agree = first.slots().iter().zip(second.slots()).filter(|(one, other)| one == other).count();
        seen.push(chances[agree]);
    }
    let similarity = common as f64 / union as f64;
    let chance = Summary::of(&seen);
    let limit = student(pairs as f64 - 1.0, FALSE_ALARM / (2 * POINTS.len()) as f64);
    let theory = bands_of_the_example()?.probability(similarity)?;
    Ok(Measured { similarity, theory, reach: limit * chance.standard_error, chance })
}

/// The share of all ways to deal 512 slots, of which `agree` agree, into 32 bands that makes a whole band agree.
fn found_if_dealt(agree: u64) -> f64 {
    if SLOTS - agree < BANDS {
        return 1.0;
    }
    let log_choose = |n: u64, k: u64| {
        let factorial = |n: u64| lgamma(n as f64 + 1.0);
        factorial(n) - factorial(k) - factorial(n - k)
    };
    let term = |bands: u64| {
        let rows = ROWS * bands;
        let size = log_choose(BANDS, bands) + log_choose(agree, rows) - log_choose(SLOTS, rows);
        if bands % 2 == 1 { exp(size) } else { -exp(size) }
    };
    (1..=agree / ROWS).map(term).sum::<f64>().clamp(0.0, 1.0)
}

/// A = {a, d, e} and B = {b, c, d, e}.
fn angle_of_example(rng: &mut Rng, sketches: u64) -> Result<Angle> {
    let mut angle = Angle { bits: 0, equal: 0 };
    for _ in 0..sketches {
        let spec = HashSpec::seeded(rng.next_u64());
        let (mut first, mut second) =
            (SimHash::for_bits(1024)?.with_hash(spec), SimHash::for_bits(1024)?.with_hash(spec));
        first.extend(["a", "d", "e"]);
        second.extend(["b", "c", "d", "e"]);
        let words = first.signature().into_iter().zip(second.signature());
        angle.equal += words.map(|(one, other)| u64::from((one ^ other).count_zeros())).sum::<u64>();
        angle.bits += u64::from(first.bits());
    }
    Ok(angle)
}

fn table(places: &[Place]) -> Result<Table> {
    let mut table =
        Table::new("data", ["bands b", "rows r", "similarity", "pairs", "found", "found (%)", "theory (%)"]);
    for &Place { params, similarity, pairs, found } in places {
        table.push([
            u64::from(params.bands()).into(),
            u64::from(params.rows()).into(),
            similarity.into(),
            pairs.into(),
            found.into(),
            (100.0 * found as f64 / pairs as f64).into(),
            (100.0 * params.probability(similarity)?).into(),
        ]);
    }
    Ok(table)
}

fn points_table(measured: &[Measured]) -> Table {
    let columns = [
        "what",
        "similarity",
        "found, by the document (%)",
        "found, measured (%)",
        "allowed around it (%)",
        "theory (%)",
    ];
    let mut table = Table::new("points", columns);
    for (i, point) in measured.iter().enumerate() {
        let what = if i % 2 == 0 { "right" } else { "printed" };
        let numbers = [POINTS[i / 2].0, point.chance.mean, point.reach, point.theory];
        let row = [what.into(), point.similarity.into()];
        table.push(row.into_iter().chain(numbers.map(|share| Cell::from(100.0 * share))));
    }
    table
}

fn angle_table(angle: &Angle, printed: &Printed) -> Table {
    let mut table = Table::new("angle", ["what", "angle (rad)", "similarity"]);
    let share = angle.equal as f64 / angle.bits as f64;
    let theory = theory_angle();
    table.push(["measured".into(), (PI * (1.0 - share)).into(), share.into()]);
    table.push(["theory".into(), theory.into(), (1.0 - theory / PI).into()]);
    table.push(["printed".into(), printed.angle.into(), PRINTED_SIMILARITY.into()]);
    table
}

/// Two items in common, of three and four.
fn theory_angle() -> f64 {
    acos(2.0 / sqrt(12.0))
}

/// Figure 19 itself.
fn curves(places: &[Place]) -> Plot {
    let mut plot = Plot::new("curves", "Pairs found with 64 functions, by similarity (bars: 95 %)")
        .axes("similarity s (share)", "pairs found (%)");
    // One band of all 64 rows is left out: there are six colours.
    for power in 0..=5 {
        let rows = 1u32 << power;
        let of_choice = || places.iter().filter(move |place| place.params.rows() == rows);
        let curve = of_choice().next().map(|place| place.params.curve(80)).unwrap_or_default();
        let label = format!("b = {}, r = {rows}", FUNCTIONS / rows);
        let points = of_choice().map(|place| {
            let (lower, upper) = clopper_pearson(place.found, place.pairs, 0.95);
            Point::new(place.similarity, 100.0 * place.found as f64 / place.pairs as f64)
                .with_bounds(100.0 * lower, 100.0 * upper)
        });
        let curve = curve.into_iter().map(|(s, chance)| Point::new(s, 100.0 * chance));
        plot = plot.with([
            Series::new(format!("theory, {label}"), Style::Curve, curve).coloured(power),
            Series::new(format!("found, {label}"), Style::Points, points).coloured(power),
        ]);
    }
    plot
}

fn points_plot(measured: &[Measured]) -> Result<Plot> {
    let curve = bands_of_the_example()?.curve(200).into_iter();
    let curve = curve.filter(|&(s, _)| s >= 0.5).map(|(s, chance)| Point::new(s, 100.0 * chance));
    let points = |printed: usize| {
        measured.iter().skip(printed).step_by(2).map(|point| {
            let [mean, reach] = [point.chance.mean, point.reach].map(|share| 100.0 * share);
            Point::new(point.similarity, mean).with_bounds((mean - reach).max(1e-3), mean + reach)
        })
    };
    let said = POINTS.iter().zip(measured.iter().skip(1).step_by(2));
    let said = said.map(|(point, printed)| Point::new(printed.similarity, 100.0 * point.0));
    Ok(Plot::new("points", "32 bands of 16 rows: where 0.5 % and 95 % are found (bars: all but 10⁻⁶)")
        .log_y()
        .axes("similarity s (share)", "pairs found (%)")
        .with([
            Series::new("theory: 1 − (1 − s¹⁶)³²", Style::Theory, curve),
            Series::new("measured at 0.5783 and 0.8599", Style::Points, points(0)),
            Series::new("measured where the document has them", Style::Points, points(1)),
            Series::new("as the document has them", Style::Points, said),
        ]))
}

fn judge_curves(places: &[Place]) -> Result<Verdict> {
    let mut checks = Vec::new();
    for &Place { params, similarity, pairs, found } in places {
        let chance = params.probability(similarity)?;
        let (fewest, most) = binomial_band(pairs, chance, FALSE_ALARM / places.len() as f64);
        checks.push(Check {
            place: format!("s = {similarity}, r = {}", params.rows()),
            value: found as f64,
            expected: chance * pairs as f64,
            lower: if fewest > 0.0 { fewest } else { f64::NEG_INFINITY },
            upper: if most < pairs as f64 { most } else { f64::INFINITY },
        });
    }
    Ok(Verdict::within("An index finds a pair with probability 1 − (1 − sʳ)ᵇ.", " pairs", checks))
}

fn judge_points(measured: &[Measured]) -> Result<Verdict> {
    let (mut passed, mut details) = (true, Vec::new());
    for (point, (said, _)) in measured.chunks(2).zip(POINTS) {
        let off = |at: &Measured, chance: f64| (at.chance.mean - chance).abs() > at.reach;
        passed &= point.iter().all(|at| !off(at, at.theory)) && !off(&point[0], said) && off(&point[1], said);
        let seen = point.iter().map(|at| {
            format!("at {:.4}: {:.3} ± {:.3} %", at.similarity, 100.0 * at.chance.mean, 100.0 * at.reach)
        });
        let seen: Vec<String> = seen.collect();
        let turned = bands_of_the_example()?.similarity_at(said)?;
        details.push(format!("{} % are found at {turned:.4}; measured {}", 100.0 * said, seen.join(", ")));
    }
    Ok(Verdict::erratum(
        "With 32 bands of 16 rows, 0.5 % of the pairs are found at a similarity of 0.5783, not 0.5683, \
         and 95 % at 0.8599, not 0.8891: these are the inverse of the formula in the document.",
        passed,
        details.join(". ") + ".",
    ))
}

fn judge_angle(angle: &Angle, printed: &Printed) -> Verdict {
    let holds = |similarity: f64| {
        let (fewest, most) = binomial_band(angle.bits, similarity, FALSE_ALARM / 3.0);
        (fewest..=most).contains(&(angle.equal as f64))
    };
    let share = angle.equal as f64 / angle.bits as f64;
    let right = holds(1.0 - theory_angle() / PI) && holds(PRINTED_SIMILARITY);
    Verdict::erratum(
        "The angle of {a, d, e} and {b, c, d, e} is 0.9553 rad, not 1.15026: its cosine is 2/√12; \
         the similarity 0.695913, printed with it, is correct.",
        right && !holds(1.0 - printed.angle / PI),
        format!(
            "{share:.5} of {} bits agree, which is an angle of {:.4} rad; 1.15026 rad would be {:.5}.",
            angle.bits,
            PI * (1.0 - share),
            1.0 - printed.angle / PI
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use libm::log;

    /// None where fewer slots agree than a band has, always where fewer differ than there are bands.
    #[test]
    fn dealt_bands() {
        assert_eq!(found_if_dealt(0), 0.0);
        assert_eq!(found_if_dealt(15), 0.0);
        assert_eq!((found_if_dealt(SLOTS - BANDS + 1), found_if_dealt(SLOTS)), (1.0, 1.0));
        // All but one way: the slots that differ are each in a band of their own, 16³² of C(512, 32).
        let all_spread = exp(32.0 * log(16.0) + lgamma(33.0) + lgamma(481.0) - lgamma(513.0));
        assert!((found_if_dealt(SLOTS - BANDS) - (1.0 - all_spread)).abs() < 1e-6);
        let one = 32.0 / exp(lgamma(513.0) - lgamma(17.0) - lgamma(497.0));
        assert!((found_if_dealt(16) / one - 1.0).abs() < 1e-9);
    }
}
