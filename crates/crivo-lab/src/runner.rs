//! Runs many experiments: several at once, those that measure time alone, and none that is finished already.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::run::report_of_finished;
use crate::{About, Experiment, Progress, Report, Result, Settings, corpus, run};

/// How experiments are run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The settings of each run.
    pub settings: Settings,
    /// Where the folders of the experiments are.
    pub out_dir: PathBuf,
    /// How many may run at once.
    pub jobs: usize,
    /// Whether finished ones are run again.
    pub again: bool,
}

/// What is reported while experiments run.
#[derive(Debug)]
pub enum Moment<'a> {
    /// Some work was done.
    Step {
        /// The share of all work that is done, from 0 to 1.
        done: f64,
        /// How long the rest will take, as it looks now.
        left: Duration,
        /// What is running.
        running: &'a [&'static str],
    },
    /// An experiment is finished, and so are all before it: reports come in the order in which they are run.
    Finished(&'a Report),
}

/// Runs all, in their order but for those that measure time: these come at the end, one at a time, while nothing else runs.
/// The reports are in that order too, whatever the number of jobs.
///
/// # Errors
/// When the folder of the corpus has another layout, and the first error of any experiment. Experiments that have begun are
/// finished, no other is begun.
pub fn run_all(
    experiments: &[&'static Experiment],
    plan: &Plan,
    watch: &(dyn Fn(Moment) + Sync),
) -> Result<Vec<Report>> {
    if let Some(folder) = &plan.settings.corpus {
        corpus::check(folder)?;
    }
    let about = About::here_and_now();
    let order = |timed| experiments.iter().copied().filter(move |experiment| experiment.timed == timed);
    let works: Vec<Work> =
        order(false).chain(order(true)).map(|experiment| Work::new(experiment, plan)).collect();
    let together = order(false).count();
    let board = Board {
        plan,
        about,
        watch,
        start: Instant::now(),
        state: Mutex::new(State { works, next: 0, reported: 0 }),
    };
    board.report_finished();
    thread::scope(|scope| {
        for _ in 0..plan.jobs.clamp(1, together.max(1)) {
            scope.spawn(|| board.work_until(together));
        }
    });
    board.work_until(experiments.len());
    let works = board.state.into_inner().unwrap_or_else(PoisonError::into_inner).works;
    works.into_iter().filter_map(|work| work.result).collect()
}

/// One experiment and how far it has come.
struct Work {
    experiment: &'static Experiment,
    /// The seconds that it is expected to take.
    cost: f64,
    is_running: bool,
    /// The share of its steps that are done.
    share: f64,
    result: Option<Result<Report>>,
}

impl Work {
    fn new(experiment: &'static Experiment, plan: &Plan) -> Self {
        let cost = experiment.cost.at(plan.settings.size);
        Self { experiment, cost, is_running: false, share: 0.0, result: None }
    }
}

/// What all threads share.
struct Board<'a> {
    plan: &'a Plan,
    about: About,
    watch: &'a (dyn Fn(Moment) + Sync),
    start: Instant,
    state: Mutex<State>,
}

struct State {
    works: Vec<Work>,
    /// The first one that nobody has begun.
    next: usize,
    /// How many have been reported as finished.
    reported: usize,
}

impl Board<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds what need not be run.
    fn report_finished(&self) {
        let Plan { settings, out_dir, again, .. } = self.plan;
        let mut state = self.state();
        if !again {
            for work in &mut state.works {
                work.result = report_of_finished(work.experiment, settings, out_dir, &self.about).map(Ok);
                // It costs nothing any more.
                if work.result.is_some() {
                    work.cost = 0.0;
                }
            }
        }
        state.report_next(self.watch);
    }

    /// Runs what nobody has begun, up to the `end`.
    fn work_until(&self, end: usize) {
        while let Some(index) = self.begin(end) {
            let experiment = self.state().works[index].experiment;
            let mut progress =
                Progress::new(|done, total| self.step(index, done as f64 / total.max(1) as f64));
            let Plan { settings, out_dir, .. } = self.plan;
            let result = run(experiment, settings, out_dir, &self.about, &mut progress);
            drop(progress);
            let mut state = self.state();
            let work = &mut state.works[index];
            (work.result, work.is_running, work.share) = (Some(result), false, 1.0);
            state.report_next(self.watch);
        }
    }

    fn begin(&self, end: usize) -> Option<usize> {
        let mut state = self.state();
        let failed = state.works.iter().any(|work| matches!(work.result, Some(Err(_))));
        let free = |work: &Work| work.result.is_none() && !work.is_running;
        let index = (state.next..end).find(|&index| free(&state.works[index])).filter(|_| !failed)?;
        state.next = index + 1;
        state.works[index].is_running = true;
        Some(index)
    }

    fn step(&self, index: usize, share: f64) {
        let mut state = self.state();
        state.works[index].share = share;
        let (done, all) = state.costs();
        let passed = self.start.elapsed().as_secs_f64();
        // As long as nothing is known of this machine: as fast as the one whose times were written down.
        let speed = if done > 0.0 { done / passed } else { self.plan.jobs as f64 };
        let left = Duration::try_from_secs_f64((all - done) / speed).unwrap_or_default();
        let running = |work: &Work| work.is_running.then_some(work.experiment.id);
        let running: Vec<&'static str> = state.works.iter().filter_map(running).collect();
        (self.watch)(Moment::Step {
            done: if all > 0.0 { done / all } else { 1.0 },
            left,
            running: &running,
        });
    }
}

impl State {
    /// The seconds of what is done, and of all.
    fn costs(&self) -> (f64, f64) {
        let sum = |of: fn(&Work) -> f64| self.works.iter().map(of).sum::<f64>();
        (sum(|work| work.share * work.cost), sum(|work| work.cost))
    }

    /// Hands over the reports before which none is missing.
    fn report_next(&mut self, watch: &dyn Fn(Moment)) {
        while let Some(Work { result: Some(Ok(report)), .. }) = self.works.get(self.reported) {
            watch(Moment::Finished(report));
            self.reported += 1;
        }
    }
}
