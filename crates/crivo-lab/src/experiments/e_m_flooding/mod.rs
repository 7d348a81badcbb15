//! Keys that are chosen against a hash which everybody knows.

mod bloom;
mod count_min;
mod show;

use crivo::HashSpec;
use crivo::rng::Rng;
use crivo::stats::{binomial_band, chi_squared_quantile};

use self::bloom::{FORGED, Queries, Step};
use self::count_min::Victims;
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-m-flooding",
    title: "Hash flooding: keys chosen against a public seed, and a secret key against them",
    source: Source::Lopes,
    reference: "Lopes 2017, section 1.2.3 (hash flooding)",
    question: "The default hash and its seed are public. What can an attacker who searches for bad keys do to a Bloom filter and to a \
Count-Min sketch, and does SipHash with a secret key prevent it?",
    theory: "\
A Bloom filter for 1000 items at 1 %. A random key is a false positive with the probability of its rate: 100 false positives cost about \
10,000 trials. The filter then reports all of them; inserted, they change no bit, and the filter does not count them. Keys that set only new \
bits set kn bits in n insertions, and the rate is (kn/m)^k instead of (1 − e^(−kn/m))^k. In a Count-Min sketch with rows of w cells, a key \
shares the victim's cell of a row with probability 1/w; t trials suffice for all d rows with probability (1 − (1 − 1/w)^t)^d. Each of these keys \
raises the estimate of the victim by its own frequency. All this follows from the construction, so it is shown and not judged.\n\n\
For a hash with a secret key the same keys are random, so the stated rates and intervals hold. Answers are compared with binomial bands, the \
trials for the false positives with the gamma law of the waiting time, and the coverage of intervals with 95 %; a false-alarm probability of \
10⁻⁶ is shared by all.",
    cost: Cost { quick: 1.0, full: 4.0 },
    timed: false,
    structures: &["bloom-filter", "count-min"],
    contradicts: false,
    faults: &[
        Fault {
            name: "a secret key that is public",
            run: |settings, progress| measure(settings, progress, Flaw { is_public: true, ..Flaw::NONE }),
        },
        Fault {
            name: "filters that state twice their rate, and a search that forgets a row",
            run: |settings, progress| {
                measure(settings, progress, Flaw { stated: 2.0, rows: 1, ..Flaw::NONE })
            },
        },
    ],
    run: |settings, progress| measure(settings, progress, Flaw::NONE),
};

const FALSE_ALARM: f64 = 1e-6;
/// Characters of a key.
const KEY: u64 = 12;
/// Where the trials against a Count-Min sketch are judged.
const SHARES: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// A planted fault.
#[derive(Clone, Copy)]
struct Flaw {
    /// Whether the secret key is known.
    is_public: bool,
    /// The multiple of its rate that a filter states.
    stated: f64,
    /// The rows of a Count-Min sketch for which no key is looked for.
    rows: usize,
}

impl Flaw {
    const NONE: Self = Self { is_public: false, stated: 1.0, rows: 0 };
}

/// SipHash with a random key; the default when the secret is out.
fn secret_spec(flaw: Flaw, rng: &mut Rng) -> HashSpec {
    #[expect(clippy::cast_possible_truncation, reason = "below 256")]
    let key = std::array::from_fn(|_| rng.below(256) as u8);
    if flaw.is_public { HashSpec::default() } else { HashSpec::keyed(key) }
}

fn measure(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    let (filters, tested, victims) = match settings.size {
        Size::Quick => (2600, 20_000, 2600),
        Size::Full => (2600, 200_000, 2600),
    };
    progress.start(3);
    let queries = bloom::queries(filters, flaw, &mut settings.rng("e-m-flooding queries"))?;
    progress.step();
    let steps = bloom::fill(tested, flaw, &mut settings.rng("e-m-flooding inserts"))?;
    progress.step();
    let victims = count_min::attack(victims, flaw, &mut settings.rng("e-m-flooding victims"))?;
    progress.step();
    Ok(Outcome {
        atlas: None,
        tables: vec![show::summary_table(&queries, &victims), show::fill_table(&steps)?],
        plots: vec![show::fill_plot(&steps)?, show::trials_plot(&victims)?],
        verdicts: judge(&queries, &steps, &victims)?,
        notes: vec![format!(
            "{filters} pairs of filters are asked, one pair is filled, {} victims have a pair of sketches each.",
            victims.trials.len()
        )],
    })
}

fn judge(queries: &Queries, steps: &[Step], victims: &Victims) -> Result<Vec<Verdict>> {
    let false_alarm = FALSE_ALARM / (4 + 2 * steps.len() + SHARES.len()) as f64;
    // Trials, weighted with the rate of their filter, wait for this number of false positives: a gamma law.
    let freedom = 2.0 * queries.forged as f64;
    let bound = |p| chi_squared_quantile(freedom, p) / 2.0;
    let search = Check {
        place: format!("{} filters", queries.forged / FORGED),
        value: queries.expected_yes,
        expected: queries.forged as f64,
        lower: bound(false_alarm / 2.0),
        upper: bound(1.0 - false_alarm / 2.0),
    };
    let (fewest, most) = binomial_band(queries.forged, queries.keyed_rate, false_alarm);
    let percent = |yes: f64| 100.0 * yes / queries.forged as f64;
    let keyed = Check {
        place: format!("{} forged keys", queries.forged),
        value: percent(queries.keyed_yes as f64),
        expected: 100.0 * queries.keyed_rate,
        lower: percent(fewest),
        upper: percent(most),
    };
    let secret: Vec<Check> = steps.iter().map(|step| step.check_keyed(false_alarm)).collect::<Result<_>>()?;
    let waits: Vec<Check> = SHARES
        .into_iter()
        .map(|share| count_min::check_trials(victims, share, false_alarm))
        .collect::<Result<_>>()?;
    let mean = |errors: &[f64]| 100.0 * errors.iter().sum::<f64>() / errors.len() as f64;
    let hidden = mean(&victims.errors[1]);
    Ok(vec![
        Verdict::within(
            "A search finds false positives at the false-positive rate of the filter.",
            " keys",
            [search],
        ),
        Verdict::within(
            "A filter with a secret key reports these keys at its own false-positive rate.",
            " %",
            [keyed],
        ),
        Verdict::within(
            "With a secret key, and the forged keys inserted, the intervals of the number of items have the promised coverage.",
            " %",
            [queries.keyed_count.check("all filters", false_alarm)],
        ),
        Verdict::within(
            "In a filter that chosen keys filled, other keys are reported at the rate of its ones.",
            " %",
            steps.iter().map(|step| step.check_public(false_alarm)),
        ),
        Verdict::within(
            "With a secret key, the chosen keys leave the stated false-positive rate.",
            " %",
            secret,
        ),
        Verdict::within(
            "Keys that share the cells of a victim in a Count-Min sketch are found in as many trials as theory says.",
            " victims",
            waits,
        ),
        Verdict::within(
            format!(
                "With a secret key, the intervals of the victims have the promised coverage (mean overcount: {hidden:.3} %)."
            ),
            " %",
            [victims.coverage[1].check("all victims", false_alarm)],
        ),
    ])
}
