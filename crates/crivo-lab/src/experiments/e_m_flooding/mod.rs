//! Keys that are chosen against a hash which everybody knows.

mod bloom;
mod count_min;
mod show;

use crivo::HashSpec;
use crivo::rng::Rng;
use crivo::stats::{binomial_band, chi_squared_quantile};

use self::bloom::{FORGED, ITEMS, Queries, STATED, Step};
use self::count_min::Victims;
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-m-flooding",
    title: "Keys chosen against a known seed, and a secret key against them",
    source: Source::Mpei,
    reference: "MPEI, sections 3.1 to 3.4; Lopes 2017, sections 1.2.3 and 1.2.4 (hash flooding)",
    question: "The default hash and its seed are public. What can be done to a Bloom filter and to a Count-Min sketch by whoever \
searches for bad keys beforehand, and does SipHash with a secret key undo it?",
    theory: "\
A Bloom filter for 10,000 items at 1 %. Of keys tried, a share equal to its rate are wrong yeses: 1000 of them cost about 100,000 \
trials, and are then answered yes, all of them; inserted, they leave no trace, and the filter counts its items wrongly. Keys \
that set new bits only make kn ones of n inserts, and the rate (kn/m)^k in place of (1 − e^(−kn/m))^k. In a Count-Min sketch with \
rows of w cells, a key shares the victim's cell of a row with probability 1/w; t trials are enough for all d rows with \
probability (1 − (1 − 1/w)^t)^d. Each such key, added often, raises the victim's count as often.\n\n\
To a hash with a secret key the same keys are as good as random, so the stated rates and intervals hold again. Answers are \
held against binomial bands, the trials for 1000 wrong yeses against the gamma law of such a wait, intervals against their \
95 %; a false-alarm probability of 10⁻⁶ is shared by all.",
    cost: Cost { quick: 1.0, full: 4.0 },
    timed: false,
    run: |settings, progress| measure(settings, progress, true),
};

const FALSE_ALARM: f64 = 1e-6;
/// Characters of a key.
const KEY: u64 = 12;
/// Where the trials against a Count-Min sketch are judged.
const SHARES: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// SipHash with a random key; the default when the secret is out.
fn secret_spec(is_secret: bool, rng: &mut Rng) -> HashSpec {
    #[expect(clippy::cast_possible_truncation, reason = "below 256")]
    let key = std::array::from_fn(|_| rng.below(256) as u8);
    if is_secret { HashSpec::keyed(key) } else { HashSpec::default() }
}

/// The secret hash is none unless `is_secret`.
fn measure(settings: &Settings, progress: &mut Progress, is_secret: bool) -> Result<Outcome> {
    let (filters, tested, victims) = match settings.size {
        Size::Quick => (40, 20_000, 200),
        Size::Full => (200, 200_000, 1000),
    };
    progress.start(3);
    let queries = bloom::queries(filters, is_secret, &mut settings.rng("e-m-flooding queries"))?;
    progress.step();
    let steps = bloom::fill(tested, is_secret, &mut settings.rng("e-m-flooding inserts"))?;
    progress.step();
    let victims = count_min::attack(victims, is_secret, &mut settings.rng("e-m-flooding victims"))?;
    progress.step();
    Ok(Outcome {
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
    let false_alarm = FALSE_ALARM / (5 + 2 * steps.len() + SHARES.len()) as f64;
    // Trials, weighted with the rate of their filter, wait for as many wrong yeses: a gamma law.
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
    let (mut reached, mut worst, mut trials) = (f64::NAN, f64::NAN, 0);
    if let Some(step) = steps.last() {
        (reached, worst, trials) = (step.public.rate, step.worst_rate()?, step.trials);
    }
    let secret: Vec<Check> = steps.iter().map(|step| step.check_keyed(false_alarm)).collect::<Result<_>>()?;
    let waits: Vec<Check> = SHARES
        .into_iter()
        .map(|share| count_min::check_trials(victims, share, false_alarm))
        .collect::<Result<_>>()?;
    let mean = |errors: &[f64]| 100.0 * errors.iter().sum::<f64>() / errors.len() as f64;
    let [known, hidden] = [&victims.errors[0], &victims.errors[1]].map(|errors| mean(errors));
    let bound = 100.0 * count_min::params()?.error_at(0.95);
    let all = victims.coverage[0].asked;
    Ok(vec![
        Verdict::within("A search finds wrong yeses at the filter's own rate.", " keys", [search]),
        Verdict::new(
            "Found, they are answered yes always; inserted, they leave no trace, and the filter counts wrongly.",
            queries.public_yes == queries.forged && queries.public_count.held == 0,
            format!(
                "{:.0} trials a key; {} of {} are answered yes, where {} % was stated; {} of {} intervals hold the number of items.",
                queries.trials as f64 / queries.forged as f64,
                queries.public_yes,
                queries.forged,
                100.0 * STATED,
                queries.public_count.held,
                queries.public_count.asked
            ),
        ),
        Verdict::within("A filter with a secret key answers yes to them at its own rate.", " %", [keyed]),
        Verdict::within(
            "With the forged keys inside, intervals for the number of items hold with a secret key.",
            " %",
            [queries.keyed_count.check("all filters", false_alarm)],
        ),
        Verdict::new(
            "Keys that set new bits only bring the rate to (kn/m)^k.",
            (reached / worst - 1.0).abs() < 0.02 && reached > 3.0 * STATED,
            format!(
                "After {ITEMS} inserts and {trials} trials {:.2} % in place of {} %; (kn/m)^k is {:.2} %.",
                100.0 * reached,
                100.0 * STATED,
                100.0 * worst
            ),
        ),
        Verdict::within(
            "Keys that nobody chose are answered wrongly so often.",
            " %",
            steps.iter().map(|step| step.check_public(false_alarm)),
        ),
        Verdict::within("With a secret key the same inserts leave the stated rate.", " %", secret),
        Verdict::within(
            "A victim's cells of a Count-Min sketch are found in as many trials as theory says.",
            " victims",
            waits,
        ),
        Verdict::new(
            "Each victim is then over-counted beyond its interval.",
            victims.coverage[0].held == 0 && known > bound,
            format!(
                "By {known:.2} % of the total on average, where {bound:.3} % is the bound at 95 %; {} of {all} intervals hold.",
                victims.coverage[0].held
            ),
        ),
        Verdict::within(
            format!(
                "With a secret key the same stream leaves their intervals right ({hidden:.3} % too much on average)."
            ),
            " %",
            [victims.coverage[1].check("all victims", false_alarm)],
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_no_secret_is_found_out() {
        let settings = Settings { size: Size::Quick, ..Settings::default() };
        let run = |is_secret| measure(&settings, &mut Progress::silent(), is_secret).unwrap().verdicts;
        let passed = |is_secret| run(is_secret).iter().map(|verdict| verdict.passed).collect::<Vec<_>>();
        assert_eq!(passed(true), [true; 10]);
        assert_eq!(passed(false), [true, true, false, false, true, true, false, true, true, false]);
    }
}
