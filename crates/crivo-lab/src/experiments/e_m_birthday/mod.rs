//! Collisions: the birthdays of MPEI, and the fingerprints of Silva that are said not to collide.

mod show;

use crivo::HashSpec;
use crivo::hash::reduce;
use crivo::membership::{HashCompaction, HashCompactionParams};
use crivo::rng::Rng;
use crivo::stats::{binomial_band, clopper_pearson};
use libm::{exp, log1p, log2, sqrt};

use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-m-birthday",
    title: "Birthdays, and collisions of fingerprints",
    source: Source::Mpei,
    reference: "MPEI, section 3.1 and figure 2; Silva 2022, section 2.1.3",
    question: "How many items can be hashed into n places before two collide, and how many bits does a fingerprint need so that none collide?",
    theory: "\
m items share no place of n with the probability (1 − 1/n)(1 − 2/n)…(1 − (m − 1)/n). The notes approximate it by e^(−m(m − 1)/2n) and \
that by e^(−m²/2n): a probability of ½ at m ≈ 1.177√n, 22.49 for n = 365 days. Every run hashes items with its own function until \
the first collision, so the runs that have one within m items are binomial around the exact product.\n\n\
Silva takes fingerprints of l > log₂ n bits to be free of collisions, since there are as many as items. By the product, n items need \
about 2·log₂ n bits for a probability of ½. The hash compaction of the library counts the fingerprints of n items. Each point is \
compared with its binomial band, with a false-alarm probability of 10⁻⁶ shared by all.",
    cost: Cost { quick: 0.3, full: 3.6 },
    timed: false,
    structures: &["hash-compaction"],
    contradicts: true,
    faults: &[
        Fault {
            name: "a year of 305 days",
            run: |settings, progress| measure(settings, progress, Flaw { lost: 60, ..Flaw::NONE }),
        },
        Fault {
            name: "approximations that are exact",
            run: |settings, progress| measure(settings, progress, Flaw { exact: true, ..Flaw::NONE }),
        },
        Fault {
            name: "fingerprints with 24 more bits",
            run: |settings, progress| measure(settings, progress, Flaw { longer: 24, ..Flaw::NONE }),
        },
    ],
    run: |settings, progress| measure(settings, progress, Flaw::NONE),
};

const DAYS: u64 = 365;
const PLACES: [u64; 3] = [DAYS, 4096, 65_536];
/// Items by √n, up to which a run goes; later collisions are as good as certain.
const FARTHEST: f64 = 4.5;
/// Items whose fingerprints are taken, and the lengths of these in bits.
const ITEMS: u64 = 1024;
const LENGTHS: std::ops::RangeInclusive<u32> = 11..=30;
const FALSE_ALARM: f64 = 1e-6;

/// The chance that `items` share a place of `places`, exactly.
fn collision_chance(items: u64, places: u64) -> f64 {
    -libm::expm1((1..items).map(|i| log1p(-(i as f64) / places as f64)).sum())
}

/// The two approximations of the notes: by m(m − 1), and by m².
fn approximations(items: u64, places: u64) -> [f64; 2] {
    let m = items as f64;
    [m * (m - 1.0), m * m].map(|pairs| 1.0 - exp(-pairs / (2.0 * places as f64)))
}

/// The number of runs with a collision, and its probability.
struct Seen {
    /// Places, or bits of a fingerprint.
    size: u64,
    items: u64,
    runs: u64,
    collided: u64,
    chance: f64,
}

impl Seen {
    fn check(&self, place: String, points: usize) -> Check {
        let (lower, upper) = binomial_band(self.runs, self.chance, FALSE_ALARM / points as f64);
        let [value, expected] = [self.collided as f64, self.chance * self.runs as f64];
        let [value, expected, lower, upper] =
            [value, expected, lower, upper].map(|runs| 100.0 * runs / self.runs as f64);
        Check { place, value, expected, lower, upper }
    }

    fn share(&self) -> f64 {
        self.collided as f64 / self.runs as f64
    }

    fn point(&self, x: f64) -> Point {
        let (lower, upper) = clopper_pearson(self.collided, self.runs, 0.95);
        Point::new(x, 100.0 * self.share()).with_bounds(100.0 * lower, 100.0 * upper)
    }
}

/// A planted fault.
#[derive(Clone, Copy)]
struct Flaw {
    /// Days that the year lacks.
    lost: u64,
    /// Whether the approximations of the notes are replaced by the exact product.
    exact: bool,
    /// Bits that fingerprints have too many.
    longer: u32,
}

impl Flaw {
    const NONE: Self = Self { lost: 0, exact: false, longer: 0 };
}

fn measure(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    let (groups, sets) = match settings.size {
        Size::Quick => ([1_200_000, 20_000, 5000], 200),
        Size::Full => ([4_000_000, 400_000, 100_000], 4000),
    };
    let mut rng = settings.rng("e-m-birthday hashes");
    progress.start((PLACES.len() + LENGTHS.count()) as u64);
    let mut birthdays = Vec::new();
    for (places, runs) in PLACES.into_iter().zip(groups) {
        let lost = if places == DAYS { flaw.lost } else { 0 };
        birthdays.extend(try_places(places, runs, lost, &mut rng));
        progress.step();
    }
    let mut fingerprints = Vec::new();
    for bits in LENGTHS {
        fingerprints.push(try_fingerprints(bits, flaw.longer, sets, &mut rng)?);
        progress.step();
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![
            show::table("birthdays", "places n", &birthdays),
            show::table("fingerprints", "bits", &fingerprints),
        ],
        plots: vec![
            show::birthday_plot(&birthdays),
            show::scaled_plot(&birthdays),
            show::fingerprint_plot(&fingerprints),
        ],
        verdicts: judge(&birthdays, &fingerprints, flaw.exact),
        notes: vec![format!(
            "{groups:?} runs for {PLACES:?} places, {sets} sets of {ITEMS} items for each length of fingerprint."
        )],
    })
}

/// Of how many runs two items share a place, by the number of items.
fn try_places(places: u64, runs: u64, lost: u64, rng: &mut Rng) -> Vec<Seen> {
    let farthest = farthest(places);
    // The number of runs by the number of items at the first collision.
    let mut first = vec![0u64; farthest as usize + 1];
    let mut taken = vec![0u64; places as usize];
    for run in 1..=runs {
        let spec = HashSpec::seeded(rng.next_u64());
        let place = |item: u64| reduce(spec.hash(&item), places - lost) as usize;
        if let Some(item) =
            (1..=farthest).find(|&item| std::mem::replace(&mut taken[place(item)], run) == run)
        {
            first[item as usize] += 1;
        }
    }
    let step = if places == DAYS { 1 } else { farthest.div_ceil(40) };
    let mut collided = 0;
    let sums: Vec<u64> = first.iter().map(|count| (collided += count, collided).1).collect();
    let sizes = (2..=farthest).step_by(step as usize);
    sizes
        .map(|items| {
            let (collided, chance) = (sums[items as usize], collision_chance(items, places));
            Seen { size: places, items, runs, collided, chance }
        })
        .collect()
}

fn farthest(places: u64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number of items")]
    let items = (FARTHEST * sqrt(places as f64)) as u64;
    items
}

/// The number of sets of items with a collision of fingerprints of this width.
fn try_fingerprints(bits: u32, longer: u32, sets: u64, rng: &mut Rng) -> Result<Seen> {
    let faulty = HashCompactionParams::exact(ITEMS, bits + longer)?;
    let params = HashCompactionParams::exact(ITEMS, bits)?;
    let mut collided = 0;
    for _ in 0..sets {
        let mut set = HashCompaction::with_params(faulty).with_hash(HashSpec::seeded(rng.next_u64()));
        for item in 0..ITEMS {
            set.insert(&item);
        }
        collided += u64::from(set.len() < ITEMS);
    }
    let chance = collision_chance(ITEMS, params.fingerprints());
    Ok(Seen { size: bits.into(), items: ITEMS, runs: sets, collided, chance })
}

fn judge(birthdays: &[Seen], fingerprints: &[Seen], exact_forms: bool) -> Vec<Verdict> {
    let points = birthdays.len() + fingerprints.len();
    let exact = |seen: &Seen| seen.check(format!("{} items in {} places", seen.items, seen.size), points);
    let bits = |seen: &Seen| seen.check(format!("{} bits", seen.size), points);
    let days = || birthdays.iter().filter(|seen| seen.size == DAYS);
    let at = |people: u64| days().find(|seen| seen.items == people).map_or(f64::NAN, Seen::share);
    // Half lies between 22 and 23 people when both are far from it by more than their noise.
    let noise = |people: u64| {
        days()
            .find(|seen| seen.items == people)
            .map_or((f64::NAN, f64::NAN), |seen| clopper_pearson(seen.collided, seen.runs, 1.0 - FALSE_ALARM))
    };
    let even = sqrt(2.0 * core::f64::consts::LN_2 * DAYS as f64);
    let off = |form: usize| {
        let errors = days().map(|seen| approximations(seen.items, DAYS)[form] - seen.chance);
        100.0 * errors.fold(0.0, |worst: f64, error| if error.abs() > worst.abs() { error } else { worst })
    };
    let outside = |form: usize| {
        let outside = days().filter(|seen| {
            let chance = if exact_forms { seen.chance } else { approximations(seen.items, DAYS)[form] };
            let check = Seen { chance, ..**seen }.check(String::new(), points);
            !(check.lower..=check.upper).contains(&check.value)
        });
        outside.count()
    };
    let promised = |seen: &&Seen| seen.size as f64 > log2(ITEMS as f64);
    let least = fingerprints.iter().filter(promised).min_by_key(|seen| seen.size);
    let short = fingerprints.iter().filter(|seen| seen.collided == seen.runs).map(|seen| seen.size).max();
    let even_bits =
        fingerprints.iter().filter(|seen| 2 * seen.collided > seen.runs).map(|seen| seen.size).max();
    vec![
        Verdict::within(
            "The share of runs with a collision is that of the exact product.",
            " %",
            birthdays.iter().map(exact),
        ),
        Verdict::new(
            "Among 22 people two share a birthday in less than half of all groups, among 23 in more; the notes print 22.49.",
            noise(22).1 < 0.5 && noise(23).0 > 0.5 && (even - 22.49).abs() < 0.005,
            format!(
                "{:.2} % and {:.2} % of all groups; 1.177√n = {even:.3}.",
                100.0 * at(22),
                100.0 * at(23)
            ),
        ),
        Verdict::new(
            "Both approximations of the notes deviate from the measured rates for 365 days.",
            outside(0) > 0 && outside(1) > 0,
            format!(
                "1 − e^(−m²/2n) deviates by up to {:+.2} points, and {} of {} measured rates lie outside its band; with m(m − 1) for m² the \
                 deviation is up to {:+.2} points, and {} rates lie outside.",
                off(1),
                outside(1),
                days().count(),
                off(0),
                outside(0)
            ),
        ),
        Verdict::within(
            "Fingerprints of l bits collide as the product says for 2^l − 1 places.",
            " %",
            fingerprints.iter().map(bits),
        ),
        Verdict::erratum(
            "Silva says that fingerprints of more than log₂ n bits have no collisions, because there are enough of them for all items. Random \
             fingerprints collide long before: about 2·log₂ n bits are needed.",
            least.is_some_and(|seen| seen.collided == seen.runs),
            format!(
                "{ITEMS} items: with {} bits {} of {} sets have a collision, up to {} bits every one, up to {} bits more than half.",
                least.map_or(0, |seen| seen.size),
                least.map_or(0, |seen| seen.collided),
                least.map_or(0, |seen| seen.runs),
                short.unwrap_or(0),
                even_bits.unwrap_or(0)
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of the books for 23 people is 0.507297.
    #[test]
    fn twenty_three_people() {
        assert!((collision_chance(23, DAYS) - 0.507_297).abs() < 1e-6);
        assert_eq!(collision_chance(1, DAYS), 0.0);
    }
}
