//! The arguments of the lab, and what it prints.

use crate::answer::Answer;
use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand};
use crivo_lab::{EXPERIMENTS, Experiment, Moment, Plan, Report, Settings, Size, Source, Written};
use crivo_program::{Output, Progress, all_cores, parse_seed};
use crivo_report::{named, plural};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

/// Measure again what the science behind the structures claims
///
/// Every experiment writes its data, its figures and a report with a verdict on each claim; all together make one page,
/// report.html. The exit code is 1 if a claim does not hold.
#[derive(Debug, Parser)]
#[command(
    name = "crivo-lab",
    version,
    max_term_width = 100,
    after_help = "Examples:
  crivo-lab list hyperloglog
  crivo-lab run e-f27
  crivo-lab all --full -o report
  crivo-lab report report"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    List(List),
    Run(Run),
    /// Run all experiments
    All(RunArgs),
    Report(WriteReport),
}

/// The experiments, by document, with the seconds that each takes, quick and full
#[derive(Args, Debug)]
struct List {
    /// Only those whose id, title or reference has all these words
    #[arg(value_name = "WORD")]
    words: Vec<String>,

    /// One JSON object for each experiment instead of text
    #[arg(long)]
    json: bool,
}

/// Run some experiments
#[derive(Args, Debug)]
struct Run {
    /// Which experiments, as named by 'crivo-lab list', or all
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,

    #[command(flatten)]
    args: RunArgs,
}

/// How to run.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[derive(Args, Debug)]
struct RunArgs {
    /// Directory for the reports, made if missing. What is finished there is not run again
    #[arg(long, short, value_name = "DIR", default_value = "lab-out")]
    output: PathBuf,

    /// Every random choice follows from it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_seed)]
    seed: u64,

    /// Directory of text files to experiment on, or of data sets, instead of made-up data
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    /// A reduced setting, a few seconds at most for each experiment. The default
    #[arg(long)]
    quick: bool,

    /// As large as in the documents; 'crivo-lab list' tells how long it takes
    #[arg(long, conflicts_with = "quick")]
    full: bool,

    /// Experiments that run at once; as many as there are cores unless told. Those that measure time run alone
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Run again what is finished
    #[arg(long)]
    again: bool,

    /// JSON objects instead of text, one for each claim
    #[arg(long)]
    json: bool,

    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// Put all that was run together: report.html, a page that needs nothing else, and README.md
#[derive(Args, Debug)]
struct WriteReport {
    /// Directory of the reports
    #[arg(value_name = "DIR", default_value = "lab-out")]
    output: PathBuf,

    /// A JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl Cli {
    /// Does what the command line asks.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.verb {
            Verb::List(list) => list.run(),
            Verb::Run(run) if run.ids.iter().any(|id| id == "all") => run.args.run(&all(), Claims::Failing),
            Verb::Run(run) => run.args.run(&find_all(&run.ids)?, Claims::All),
            Verb::All(args) => args.run(&all(), Claims::Failing),
            Verb::Report(report) => report.run(),
        }
    }
}

fn all() -> Vec<&'static Experiment> {
    EXPERIMENTS.iter().collect()
}

/// Each once, in the order of the documents.
fn find_all(ids: &[String]) -> Result<Vec<&'static Experiment>> {
    if let Some(id) = ids.iter().find(|id| crivo_lab::find(id).is_none()) {
        bail!("there is no experiment '{id}'; see: crivo-lab list");
    }
    let is_asked = |experiment: &&Experiment| ids.iter().any(|id| experiment.id.eq_ignore_ascii_case(id));
    Ok(EXPERIMENTS.iter().filter(is_asked).collect())
}

impl List {
    fn run(&self) -> Result<ExitCode> {
        let has_all = |experiment: &&Experiment| {
            let Experiment { id, title, reference, .. } = experiment;
            let text = format!("{id} {title} {reference}").to_lowercase();
            self.words.iter().all(|word| text.contains(&word.to_lowercase()))
        };
        let found: Vec<&Experiment> = EXPERIMENTS.iter().filter(has_all).collect();
        if found.is_empty() {
            bail!("no experiment has '{}'; see: crivo-lab list", self.words.join(" "));
        }
        let mut output = Output::stdout();
        if self.json {
            for &&Experiment { id, title, source, reference, question, cost, timed, .. } in &found {
                let (quick, full) = (cost.quick, cost.full);
                output.json(&Answer::Experiment {
                    id,
                    title,
                    source: source.name(),
                    reference,
                    question,
                    quick,
                    full,
                    timed,
                })?;
            }
        } else {
            self.print(&found, &mut output)?;
        }
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }

    fn print(&self, found: &[&Experiment], output: &mut Output) -> Result<()> {
        let width = found.iter().map(|experiment| experiment.id.len()).max().unwrap_or(0);
        for source in Source::ALL {
            let of_source = found.iter().filter(|experiment| experiment.source == source);
            for (number, Experiment { id, title, cost, .. }) in of_source.enumerate() {
                if number == 0 {
                    output.line(source.title())?;
                }
                let [quick, full] = [cost.quick, cost.full].map(seconds);
                output.line(&format!("  {id:width$}  {quick:>7}  {full:>7}  {title}"))?;
            }
        }
        if self.words.is_empty() {
            let [quick, full] = [Size::Quick, Size::Full].map(|size| {
                let costs = |timed| {
                    let those = found.iter().filter(move |experiment| experiment.timed == timed);
                    those.map(|experiment| experiment.cost.at(size)).sum::<f64>()
                };
                seconds(costs(false) / all_cores() as f64 + costs(true))
            });
            let (number, cores) = (
                plural(found.len() as u64, "experiment", "experiments"),
                plural(all_cores() as u64, "core", "cores"),
            );
            output.line(&format!("{number}: about {quick} with --quick, {full} with --full, on {cores}"))?;
        }
        Ok(())
    }
}

/// `0.3 s`, `12 s`, `3 min`
fn seconds(seconds: f64) -> String {
    match seconds {
        ..9.95 => format!("{seconds:.1} s"),
        ..99.5 => format!("{seconds:.0} s"),
        _ => format!("{:.0} min", seconds / 60.0),
    }
}

/// Which claims are printed.
#[derive(Clone, Copy, PartialEq)]
enum Claims {
    All,
    Failing,
}

impl RunArgs {
    fn run(&self, experiments: &[&'static Experiment], claims: Claims) -> Result<ExitCode> {
        let size = if self.full { Size::Full } else { Size::Quick };
        let plan = Plan {
            settings: Settings { seed: self.seed, corpus: self.corpus.clone(), size },
            out_dir: self.output.clone(),
            jobs: self.jobs.map_or_else(all_cores, usize::from),
            again: self.again,
        };
        let bar = Progress::share(self.quiet);
        // What is printed stays; the first thing that cannot be is told at the end, when all files are written.
        let printed = Mutex::new(Ok(()));
        let watch = |moment: Moment| match moment {
            Moment::Step { done, left, running } => bar.set_share(done, &progress(left, running)),
            Moment::Finished(report) => {
                let mut printed = printed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if printed.is_ok() {
                    *printed = bar.suspend(|| self.print(report, claims));
                }
            }
        };
        crivo_lab::run_all(experiments, &plan, &watch)?;
        drop(bar);
        let written = crivo_lab::write_report(&self.output)?;
        printed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)?;
        print_written(&written, self.json)
    }

    fn print(&self, report: &Report, claims: Claims) -> Result<()> {
        let mut output = Output::stdout();
        let Report { id, title, verdicts, .. } = report;
        if self.json {
            for verdict in verdicts {
                output.json(&Answer::Verdict {
                    id,
                    claim: &verdict.claim,
                    passed: verdict.passed,
                    erratum: verdict.erratum,
                    detail: &verdict.detail,
                })?;
            }
            return output.flush();
        }
        match claims {
            Claims::All => output.line(&format!("{id}: {title}"))?,
            Claims::Failing => {
                let word = if report.passed() { "holds" } else { "FAILS" };
                let taken = if report.was_finished { "before".to_owned() } else { seconds(report.seconds) };
                output.line(&format!(
                    "{word}  {id:<24} {:>9}  {taken:>7}  {title}",
                    plural(verdicts.len() as u64, "claim", "claims")
                ))?;
            }
        }
        for verdict in verdicts.iter().filter(|verdict| claims == Claims::All || !verdict.passed) {
            let word = if verdict.passed { "holds" } else { "FAILS" };
            output.line(&format!("  {word}  {} ({})", verdict.claim, verdict.detail))?;
        }
        if claims == Claims::All {
            output.line(&format!("  see {}", named(&report.page)))?;
        }
        output.flush()
    }
}

/// What a person wants to know while it runs.
fn progress(left: Duration, running: &[&str]) -> String {
    format!("about {} left: {}", seconds(left.as_secs_f64()), running.join(", "))
}

impl WriteReport {
    fn run(&self) -> Result<ExitCode> {
        print_written(&crivo_lab::write_report(&self.output)?, self.json)
    }
}

/// Where everything is, and whether all claims hold.
fn print_written(written: &Written, json: bool) -> Result<ExitCode> {
    let Written { page, list, experiments, holding, failing } = written;
    let mut output = Output::stdout();
    if json {
        let (page, list) = (page.to_string_lossy(), list.to_string_lossy());
        output.json(&Answer::LabReport {
            experiments: *experiments,
            holding: *holding,
            failing: *failing,
            page: &page,
            list: &list,
        })?;
    } else {
        let experiments = plural(*experiments as u64, "experiment", "experiments");
        let claims = match failing {
            0 => format!("all {} hold", plural(*holding as u64, "claim", "claims")),
            _ => format!("{failing} of {} FAIL", plural((holding + failing) as u64, "claim", "claims")),
        };
        output.line(&format!("{experiments}, {claims}: see {}", named(page)))?;
    }
    output.flush()?;
    Ok(ExitCode::from(u8::from(*failing > 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_verb_has_an_example_and_every_example_parses() {
        assert_eq!(crivo_testing::every_example_parses::<Cli>(), 4);
    }

    #[test]
    fn times_are_short() {
        assert_eq!(
            [0.26, 9.96, 99.4, 100.0, 1800.0].map(seconds),
            ["0.3 s", "10 s", "99 s", "2 min", "30 min"]
        );
        let said = progress(Duration::from_secs(80), &["e-f9", "e-s"]);
        assert_eq!(said, "about 80 s left: e-f9, e-s");
    }
}
