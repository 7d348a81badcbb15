//! The losses that `crivo seen` reports.

use super::Seen;
use crate::testing::Folder;
use crivo::stats::binomial_quantile;

/// The reported losses match the actual ones, however the records come: the sum of the rates of the filter as it fills.
///
/// Each record is new, so the records held back are the lost ones: each with the probability that the filter has when
/// it comes. The sum of these probabilities is reported. So the losses differ from it as a sum of independent Bernoulli
/// variables differs from its mean, and that sum is nowhere wider than a binomial one of as many parts and the same
/// mean (Hoeffding 1956). Filters of several seeds make the bounds narrower: together they expect about 700 losses, and
/// bounds that are passed with a probability of 10⁻⁶, in either direction, lie 4.9 deviations of √700 from that, or 19
/// %. The rate at the end, applied to all records, would report six times as many.
#[test]
fn losses_are_summed_as_the_filter_fills() {
    const RECORDS: u64 = 20_000;
    const SEEDS: u64 = 20;
    let folder = Folder::new();
    folder.write("in", (0..RECORDS).map(|i| format!("x{i}\n")).collect::<String>());
    let (mut lost, mut told) = (0, 0.0);
    for seed in 0..SEEDS {
        let line = format!("@in --fpr 0.01 --capacity {RECORDS} --seed {seed}");
        let passage = folder.report::<Seen>(&line);
        if seed < 2 {
            for jobs in [1, 3] {
                assert_eq!(folder.report::<Seen>(&format!("{line} --jobs {jobs}")), passage);
            }
        }
        assert_eq!(passage.rows, RECORDS);
        lost += passage.rows - passage.passed;
        told += passage.lost;
    }
    let records = SEEDS * RECORDS;
    let [least, most] =
        [5e-7, 1.0 - 5e-7].map(|chance| binomial_quantile(records, told / records as f64, chance));
    println!("{lost} lost, {told} reported: from {least} to {most}");
    assert!((least..=most).contains(&(lost as f64)), "{lost} lost, {told} reported: from {least} to {most}");
}

/// Two records of a key less than ten seconds apart. A window may end up to a quarter late, so no gap lies between 10 and 12.5
/// seconds.
#[test]
fn repeats_within_a_window_are_found() {
    let folder = Folder::new();
    let rows = ["0,a", "5,b", "9,a", "18,a", "40,b", "45,", "46,", "53,b", "60,b"];
    folder.write("t.csv", format!("at,user\n{}\n", rows.join("\n")));
    let line = "@t.csv --column user --window 10s --time at";
    let printed = |flags: &str| folder.printed::<Seen>(&format!("{line} {flags}"));
    assert_eq!(printed("--invert"), "at,user\n9,a\n18,a\n60,b\n");
    assert_eq!(printed(""), "at,user\n0,a\n5,b\n40,b\n45,\n46,\n53,b\n");
    let json = folder.json::<Seen>(&format!("{line} -v --json"));
    assert_eq!(json.len(), 4);
    assert_eq!((&json[0]["record"], &json[3]["passed"]), (&"9,a".into(), &3.into()));
    assert_eq!((&json[3]["held_back"], &json[3]["missing"]), (&6.into(), &2.into()));
}
