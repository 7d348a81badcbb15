//! The losses that `crivo seen` reports.

use super::Seen;
use crate::testing::Folder;
use crivo::rng::Rng;
use crivo::stats::binomial_quantile;
use std::collections::HashMap;

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

/// Two records of a key less than ten seconds apart: 26 comes ten seconds after 16, and 46.001 a little more than that after 36. A late
/// record comes as if at the latest time.
#[test]
fn repeats_within_a_window_are_found() {
    let folder = Folder::new();
    let rows =
        ["0,a", "5,b", "9,a", "16,a", "26,a", "35.999,a", "36,b", "45,", "46,", "46.001,b", "40,b", "90,b"];
    folder.write("t.csv", format!("at,user\n{}\n", rows.join("\n")));
    let line = "@t.csv --column user --window 10s --time at";
    let printed = |flags: &str| folder.printed::<Seen>(&format!("{line} {flags}"));
    assert_eq!(printed("--invert"), "at,user\n9,a\n16,a\n35.999,a\n40,b\n");
    // A filter ends up to a quarter of the window late.
    let late = "at,user\n9,a\n16,a\n26,a\n35.999,a\n46.001,b\n40,b\n";
    for flag in ["--capacity 100", "--fpr 1e-6", "--state @s.crv"] {
        assert_eq!(printed(&format!("--invert {flag}")), late, "{flag}");
    }
    assert_eq!(printed(""), "at,user\n0,a\n5,b\n36,b\n45,\n46,\n90,b\n");
    let json = folder.json::<Seen>(&format!("{line} -v --json"));
    assert_eq!(json.len(), 5);
    assert_eq!((&json[0]["record"], &json[4]["passed"]), (&"9,a".into(), &4.into()));
    assert_eq!((&json[4]["held_back"], &json[4]["missing"]), (&8.into(), &2.into()));
    assert!(json[4]["fpr"].as_f64().unwrap() < 1e-18, "{json:?}");
}

/// Against the last time of every key, for windows of time and of records.
#[test]
fn repeats_are_those_of_a_table_of_last_times() {
    const RECORDS: u64 = 20_000;
    let folder = Folder::new();
    let mut rng = Rng::new(7);
    // Thousands of windows, some of them empty.
    let mut time = 0;
    let rows: Vec<(u64, u64)> = (0..RECORDS)
        .map(|_| {
            time += if rng.below(500) == 0 { rng.below(500) } else { rng.below(3) };
            (time, rng.below(40))
        })
        .collect();
    let text =
        |rows: &[(u64, u64)]| rows.iter().map(|(time, user)| format!("{time},u{user}\n")).collect::<String>();
    folder.write("t.csv", format!("at,user\n{}", text(&rows)));
    for (flags, window, in_records) in
        [("10s --time at", 10, false), ("100s --time at", 100, false), ("25", 26, true)]
    {
        let mut last = HashMap::new();
        let mut repeats = Vec::new();
        for (number, &(time, user)) in (0..).zip(&rows) {
            let now = if in_records { number } else { time };
            if last.insert(user, now).is_some_and(|before| now - before < window) {
                repeats.push((time, user));
            }
        }
        assert!(repeats.len() > 1000 && repeats.len() < rows.len() - 1000, "{}", repeats.len());
        for jobs in [1, 3] {
            let line = format!("@t.csv --column user --invert --window {flags} --jobs {jobs}");
            let printed = folder.printed::<Seen>(&line);
            assert!(printed == format!("at,user\n{}", text(&repeats)), "{line}");
        }
    }
}
