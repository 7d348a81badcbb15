//! Every claim of every experiment has been seen to fail, and holds under any seed. Both take minutes: the long tier.

#![expect(clippy::unwrap_used, reason = "in a test a failed step is a failed test")]

use crivo_lab::{EXPERIMENTS, Experiment, Outcome, Progress, Settings, Size};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

type Run = fn(&Settings, &mut Progress) -> crivo_lab::Result<Outcome>;

fn run(run: Run, seed: u64) -> Outcome {
    let settings = Settings { seed, size: Size::Quick, ..Settings::default() };
    run(&settings, &mut Progress::silent()).unwrap()
}

/// What `check` finds wrong with any experiment, on all cores. `CRIVO_LAB_ONLY` names a part of the ids to look at.
fn complaints(check: impl Fn(&Experiment) -> Vec<String> + Sync) -> Vec<String> {
    let only = std::env::var("CRIVO_LAB_ONLY").unwrap_or_default();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(experiment) = EXPERIMENTS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if experiment.id.contains(&only) {
                        let complaints = check(experiment);
                        let named = complaints.into_iter().map(|what| format!("{}: {what}", experiment.id));
                        found.lock().unwrap().extend(named);
                    }
                }
            });
        }
    });
    found.into_inner().unwrap()
}

fn failing(outcome: &Outcome) -> Vec<String> {
    let failing = outcome.verdicts.iter().filter(|verdict| verdict.fails());
    failing.map(|verdict| format!("{} {}", verdict.claim, verdict.detail)).collect()
}

/// Every claim must fail under a planted fault. The claims that only a full run judges have a test where they are judged
/// (`experiments/densities/judge.rs`).
#[test]
#[ignore = "takes 3 minutes of one core: every experiment, with its faults until each claim has failed"]
fn every_claim_turns_red_under_a_fault() {
    let never_red = |experiment: &Experiment| {
        let sound = run(experiment.run, 0);
        let mut open: Vec<usize> =
            (0..sound.verdicts.len()).filter(|&number| sound.verdicts[number].holds()).collect();
        for fault in experiment.faults {
            if !open.is_empty() {
                let faulty = run(fault.run, 0).verdicts;
                open.retain(|&number| !faulty[number].fails());
            }
        }
        let open = open.into_iter().map(|number| format!("never red: {}", sound.verdicts[number].claim));
        open.chain(failing(&sound)).collect()
    };
    let found = complaints(never_red);
    assert!(found.is_empty(), "{} claims:\n{}", found.len(), found.join("\n"));
}

/// The seeds that are tried, in addition to 0, which all other tests use. Continuous integration sets `CRIVO_LAB_SEEDS=2`.
const SEEDS: u64 = 20;

#[test]
#[ignore = "takes a minute of one core for each seed: every experiment under other seeds"]
fn every_claim_holds_under_other_seeds() {
    let seeds = std::env::var("CRIVO_LAB_SEEDS").map_or(SEEDS, |seeds| seeds.parse().unwrap());
    let found = complaints(|experiment| {
        let of_seed = |seed: u64| {
            let failing = failing(&run(experiment.run, seed));
            failing.into_iter().map(move |what| format!("seed {seed}: {what}")).collect::<Vec<_>>()
        };
        (1..=seeds).flat_map(of_seed).collect()
    });
    assert!(found.is_empty(), "{} claims fail:\n{}", found.len(), found.join("\n"));
}
