//! Filters of values: how many answers are too high, by how much, and whether an answer reports it.

use super::{FALSE_ALARM, Sample, assert_wrong_answers, sigmas};
use crivo::rng::Rng;
use crivo::stats::beta_i_inverse;
use crivo::valued::theory::{Values, distortion_rate, load};
use crivo::valued::{LinearBloomParams, QuantisedBloom, Scale};
use crivo::{HashSpec, LinearBloom};

/// The number of standard deviations, estimated from this many runs, within which a sound mean stays, two-sided:
/// Student's t distribution.
fn sigmas_of(runs: u64) -> f64 {
    let freedom = (runs - 1) as f64;
    let share = beta_i_inverse(freedom / 2.0, 0.5, FALSE_ALARM);
    (freedom * (1.0 / share - 1.0)).sqrt()
}

/// The mean over independent filters is `theory`. Items of one filter share its cells, so only filters are independent.
fn assert_mean_of_filters(sample: &Sample, theory: f64, context: &str) {
    let runs = sample.values.len() as u64;
    let deviation = (sample.moment(sample.mean(), 2) * runs as f64 / (runs - 1) as f64).sqrt();
    // Even constant values have rounding errors.
    let margin = sigmas_of(runs) * deviation / (runs as f64).sqrt() + 1e-12;
    let mean = sample.mean();
    assert!((mean - theory).abs() <= margin, "{context}: mean {mean}, theory {theory} ± {margin}");
    if std::env::var_os("CRIVO_SHOW_COVERAGE").is_some() {
        println!("{context}: mean {mean:.6}, theory {theory:.6} ± {margin:.6}");
    }
}

/// A filter of this many items with its own seed, their hashes, and their values.
fn filled(
    params: LinearBloomParams,
    items: u64,
    seed: u64,
    value: impl Fn(f64) -> f64,
) -> (LinearBloom<f64>, Vec<(u64, f64)>) {
    let spec = HashSpec::seeded(seed);
    let mut rng = Rng::new(seed);
    let pairs: Vec<(u64, f64)> = (0..items).map(|item| (spec.hash(&item), value(rng.unit()))).collect();
    let mut filter = LinearBloom::with_params(params).with_hash(spec);
    filter.insert_hashes(&pairs).unwrap();
    (filter, pairs)
}

/// The share of items whose answer is too high, and the mean excess over all items.
fn distortion(filter: &LinearBloom<f64>, pairs: &[(u64, f64)]) -> (f64, f64) {
    let hashes: Vec<u64> = pairs.iter().map(|&(hash, _)| hash).collect();
    let (mut count, mut sum) = (0u64, 0.0);
    for (answer, (_, value)) in filter.value_hashes(&hashes).into_iter().zip(pairs) {
        let answer = answer.unwrap();
        assert!(answer >= *value);
        count += u64::from(answer > *value);
        sum += answer - value;
    }
    (count as f64 / pairs.len() as f64, sum / pairs.len() as f64)
}

/// The exact rate of small filters, from nearly empty to overfull.
#[test]
fn the_rate_of_distortion_is_the_exact_one() {
    for (cells, hashes, items, filters) in [
        (1, 1, 5, 2000),
        (31, 3, 10, 20_000),
        (32, 3, 30, 5000),
        (101, 4, 20, 10_000),
        (1003, 5, 150, 2000),
        (1003, 5, 600, 300),
        (4096, 7, 400, 1000),
        (4097, 2, 400, 1000),
    ] {
        let params = LinearBloomParams::exact(cells, hashes).unwrap();
        let mut rates = Sample::default();
        for seed in 0..filters {
            let (filter, pairs) = filled(params, items, seed, |unit| unit);
            rates.push(distortion(&filter, &pairs).0);
        }
        assert_mean_of_filters(&rates, params.distortion_at(items), &format!("{items} items in {params:?}"));
    }
}

/// The figures of Ferreira 2017: 2ᵇ cells, seven functions, and one to eight times the items of a Bloom filter. Rate
/// and mean distortion of three distributions against the asymptotic formula.
fn assert_table(bits: u32, runs: u64) {
    let cells = 1u64 << bits;
    let params = LinearBloomParams::exact(cells, 7).unwrap();
    let planned = (cells as f64 / 7.0 * core::f64::consts::LN_2).round() as u64;
    for times in [1, 2, 4, 8] {
        let load = load(times * planned, cells, 7);
        for (number, values) in (0..).zip(Values::ALL) {
            let (mut rates, mut means) = (Sample::default(), Sample::default());
            for seed in 0..runs {
                let seed = seed + 1000 * times + 100 * number;
                let (filter, pairs) = filled(params, times * planned, seed, |unit| values.quantile(unit));
                let (rate, mean) = distortion(&filter, &pairs);
                rates.push(rate);
                means.push(mean);
            }
            let context = format!("{values:?} values, {times} times {planned} in {cells} cells");
            assert_mean_of_filters(&rates, distortion_rate(load, 7), &format!("{context}, rate"));
            assert_mean_of_filters(&means, values.mean_distortion(load, 7), &format!("{context}, mean"));
        }
    }
}

#[test]
fn the_table_of_the_founding_documents_in_small() {
    assert_table(16, 40);
}

#[test]
#[ignore = "long tier: fifty million items"]
fn the_table_of_the_founding_documents() {
    assert_table(20, 10);
}

/// The value at a share of all.
type Spread = fn(f64) -> f64;

/// The distributions for which the probabilities of the answers must hold: all values distinct, few values, and
/// unevenly spread ones.
const SPREADS: [(&str, Spread); 3] = [
    ("continuous", |unit| -(1.0 - unit).ln()),
    ("ten", |unit| (unit * 10.0).floor()),
    ("uneven", |unit| (unit * unit * 50.0).floor()),
];

/// Of the answers with probability p of being too high, a share of p is: over all of them, and over those with a
/// probability above the mean.
fn assert_says_so(params: LinearBloomParams, items: u64, filters: u64) {
    let usual = params.distortion_at(items);
    for (name, value) in SPREADS {
        let (mut all, mut doubtful) = (Sample::default(), Sample::default());
        for seed in 0..filters {
            let (filter, pairs) = filled(params, items, seed, value);
            let hashes: Vec<u64> = pairs.iter().map(|&(hash, _)| hash).collect();
            let (mut excess, mut doubtful_excess) = (0.0, 0.0);
            for (answer, (_, value)) in filter.answer_hashes(&hashes).into_iter().zip(&pairs) {
                let answer = answer.unwrap();
                let difference = f64::from(u8::from(answer.value() > *value)) - answer.overestimated();
                excess += difference;
                doubtful_excess += if answer.overestimated() > usual { difference } else { 0.0 };
            }
            all.push(excess / items as f64);
            doubtful.push(doubtful_excess / items as f64);
        }
        let context = format!("{name} values, {items} items in {params:?}");
        assert_mean_of_filters(&all, 0.0, &context);
        assert_mean_of_filters(&doubtful, 0.0, &format!("{context}, the doubtful ones"));
    }
}

#[test]
fn an_answer_says_how_likely_it_is_too_large() {
    assert_says_so(LinearBloomParams::exact(4097, 7).unwrap(), 800, 60);
    assert_says_so(LinearBloomParams::exact(4097, 7).unwrap(), 1600, 60);
    assert_says_so(LinearBloomParams::exact(16_385, 7).unwrap(), 3200, 30);
    assert_says_so(LinearBloomParams::exact(16_385, 3).unwrap(), 3200, 30);
}

/// Items that were never inserted reach a value as often as its answer says.
#[test]
fn absent_items_reach_a_value_as_often_as_its_answer_says() {
    let params = LinearBloomParams::exact(1003, 4).unwrap();
    for (name, value) in SPREADS {
        let (mut expected, mut reached) = (0.0, 0u64);
        for seed in 0..200 {
            let (filter, pairs) = filled(params, 200, seed, value);
            let answer = filter.answer_hash(pairs[0].0).unwrap();
            let absent: Vec<u64> = (200..5200u64).map(|item| filter.hash_spec().hash(&item)).collect();
            expected += answer.fpr() * absent.len() as f64;
            let reaches = |other: &Option<f64>| other.is_some_and(|other| other >= answer.value());
            reached += filter.value_hashes(&absent).iter().filter(|other| reaches(other)).count() as u64;
        }
        assert_wrong_answers(reached, expected, &format!("{name} values"));
    }
}

/// Others raise an item to a higher level at most as often as they raise its value.
#[test]
fn levels_are_raised_no_more_than_values() {
    let params = LinearBloomParams::for_distortion(500, 0.05).unwrap();
    let scale = Scale::linear(0.0, 1.0).unwrap();
    let mut rates = Sample::default();
    for seed in 0..400 {
        let spec = HashSpec::seeded(seed);
        let mut rng = Rng::new(seed);
        let pairs: Vec<(u64, f64)> = (0..500u64).map(|item| (spec.hash(&item), rng.unit())).collect();
        let mut filter = QuantisedBloom::<u8>::with_params(params, scale).with_hash(spec);
        filter.insert_hashes(&pairs).unwrap();
        let is_raised = |&&(hash, value): &&(u64, f64)| {
            let answer = filter.value_hash(hash).unwrap();
            answer - filter.rounding(answer).unwrap() >= value
        };
        rates.push(pairs.iter().filter(is_raised).count() as f64 / 500.0);
    }
    let deviation = rates.moment(rates.mean(), 2).sqrt();
    let (mean, margin) = (rates.mean(), sigmas() * deviation / 20.0);
    assert!(mean <= params.distortion_at(500) + margin, "{mean}");
    assert!(mean >= 0.9 * params.distortion_at(500) - margin, "{mean}: 255 levels are few, but not that few");
}
