//! Every claim of every experiment has been seen to fail.

#![expect(clippy::unwrap_used, reason = "in a test a failed step is a failed test")]

use crivo_lab::{EXPERIMENTS, Experiment, Outcome, Progress, Settings, Size};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

type Run = fn(&Settings, &mut Progress) -> crivo_lab::Result<Outcome>;

fn run(run: Run, seed: u64) -> Outcome {
    let settings = Settings { seed, size: Size::Quick, ..Settings::default() };
    run(&settings, &mut Progress::silent()).unwrap()
}

/// The claims that no fault turns red: neither a planted one nor a theory that is wrong by a factor of 2. A claim that the quick run
/// cannot judge is left to the full run.
fn never_red(experiment: &Experiment) -> Vec<String> {
    let sound = run(experiment.run, 0);
    let mut open: Vec<(usize, String)> = Vec::new();
    for (number, verdict) in sound.verdicts.iter().enumerate() {
        if verdict.fails() {
            open.push((usize::MAX, format!("fails without a fault: {} {}", verdict.claim, verdict.detail)));
        } else if verdict.holds() && !verdict.is_sensitive {
            open.push((number, verdict.claim.clone()));
        }
    }
    for fault in experiment.faults {
        if open.is_empty() {
            break;
        }
        let faulty = run(fault.run, 0);
        open.retain(|&(number, _)| faulty.verdicts.get(number).is_none_or(|verdict| !verdict.fails()));
    }
    open.into_iter().map(|(_, claim)| format!("{}: {claim}", experiment.id)).collect()
}

#[test]
fn every_claim_turns_red_under_a_fault() {
    let only = std::env::var("CRIVO_LAB_ONLY").unwrap_or_default();
    let next = AtomicUsize::new(0);
    let open = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(experiment) = EXPERIMENTS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if experiment.id.contains(&only) {
                        open.lock().unwrap().extend(never_red(experiment));
                    }
                }
            });
        }
    });
    let open = open.into_inner().unwrap();
    assert!(open.is_empty(), "{} claims were never red:\n{}", open.len(), open.join("\n"));
}
