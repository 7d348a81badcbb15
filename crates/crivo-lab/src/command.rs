//! The arguments of the lab, and what it prints.

use crate::answer::Answer;
use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand};
use crivo_lab::{
    EXPERIMENTS, Experiment, Moment, Plan, Report, Scope, Settings, Size, Source, Tally, Verdict, Written,
};
use crivo_program::{Output, Progress, all_cores, parse_seed};
use crivo_report::{named, nearest, plural};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

/// Repeat the measurements of the literature and judge its claims
///
/// Every experiment writes its data, its figures and a report with a verdict on each claim. report.html shows all experiments
/// on one page. The exit code is 1 if a claim fails.
#[derive(Debug, Parser)]
#[command(
    name = "crivo-lab",
    version,
    max_term_width = 100,
    after_help = "Examples:
  crivo-lab list --errata
  crivo-lab run e-f27
  crivo-lab run hyperloglog
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

/// List the experiments by document, with the seconds that each takes, quick and full
#[derive(Args, Debug)]
struct List {
    /// List only experiments whose id, title, reference or structures contain all these words
    #[arg(value_name = "WORD")]
    words: Vec<String>,

    /// List only experiments with a claim that contradicts a document
    #[arg(long)]
    errata: bool,

    /// Print one JSON object for each experiment instead of text
    #[arg(long)]
    json: bool,
}

/// Run experiments by their names or by the structures that they measure
#[derive(Args, Debug)]
struct Run {
    /// Experiments, as 'crivo-lab list' names them, or structures such as hyperloglog, for all experiments on them; or all
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,

    #[command(flatten)]
    args: RunArgs,
}

/// How to run.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[derive(Args, Debug)]
struct RunArgs {
    /// Directory for the reports, created if missing. Experiments that are finished there are not run again
    #[arg(long, short, value_name = "DIR", default_value = "lab-out")]
    output: PathBuf,

    /// The random seed: all random choices follow from it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_seed)]
    seed: u64,

    /// Directory with real texts and words, instead of synthetic data
    ///
    /// It must contain shakespeare/works (a folder with one text file for each work), words/dwyl-words.txt.gz (one word on each
    /// line) and hyphenation/ushyphex.txt (one hyphenated word on each line).
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    /// Run with reduced sizes, a few seconds at most for each experiment (default)
    #[arg(long)]
    quick: bool,

    /// Run with the sizes of the documents; 'crivo-lab list' shows the time that this takes
    #[arg(long, conflicts_with = "quick")]
    full: bool,

    /// Number of experiments that run at once [default: number of cores]. Experiments that measure time run alone
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Run finished experiments again
    #[arg(long)]
    again: bool,

    /// Run only experiments with a claim that contradicts a document, and print only such claims
    #[arg(long)]
    errata: bool,

    /// Print JSON objects instead of text, one for each claim
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Write the report on all finished experiments: report.html, a page without external parts, and README.md
#[derive(Args, Debug)]
struct WriteReport {
    /// Directory with the reports
    #[arg(value_name = "DIR", default_value = "lab-out")]
    output: PathBuf,

    /// Report only claims that contradict a document, in errata.html and ERRATA.md
    #[arg(long)]
    errata: bool,

    /// Print a JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl Cli {
    /// Does what the command line asks.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.verb {
            Verb::List(list) => list.run(),
            Verb::Run(run) if run.names.iter().any(|name| name == "all") => {
                run.args.run(&all(), Claims::Failing)
            }
            Verb::Run(run) => run.args.run(&find_all(&run.names)?, Claims::All),
            Verb::All(args) => args.run(&all(), Claims::Failing),
            Verb::Report(report) => report.run(),
        }
    }
}

fn all() -> Vec<&'static Experiment> {
    EXPERIMENTS.iter().collect()
}

/// The experiments with these names, or on the structures with these names: each once, in the order of the documents.
fn find_all(names: &[String]) -> Result<Vec<&'static Experiment>> {
    let is_named = |experiment: &Experiment, name: &str| {
        experiment.id.eq_ignore_ascii_case(name) || experiment.measures(name)
    };
    if let Some(name) = names.iter().find(|name| !EXPERIMENTS.iter().any(|one| is_named(one, name))) {
        let ids = EXPERIMENTS.iter().map(|experiment| experiment.id);
        let structures = EXPERIMENTS.iter().flat_map(|experiment| experiment.structures).copied();
        let meant = nearest(ids.chain(structures), name);
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean '{meant}'?"));
        bail!("there is no experiment and no structure '{name}'{meant}; see: crivo-lab list");
    }
    let is_asked = |experiment: &&Experiment| names.iter().any(|name| is_named(experiment, name));
    Ok(EXPERIMENTS.iter().filter(is_asked).collect())
}

impl List {
    fn run(&self) -> Result<ExitCode> {
        let has_all = |experiment: &&Experiment| {
            let Experiment { id, title, reference, structures, .. } = experiment;
            let text = format!("{id} {title} {reference} {}", structures.join(" ")).to_lowercase();
            let has_words = self.words.iter().all(|word| text.contains(&word.to_lowercase()));
            has_words && (experiment.contradicts || !self.errata)
        };
        let found: Vec<&Experiment> = EXPERIMENTS.iter().filter(has_all).collect();
        if found.is_empty() {
            bail!("no experiment matches '{}'; see: crivo-lab list", self.words.join(" "));
        }
        let mut output = Output::stdout();
        if self.json {
            for &&Experiment {
                id,
                title,
                source,
                reference,
                question,
                structures,
                contradicts,
                cost,
                timed,
                ..
            } in &found
            {
                let (quick, full) = (cost.quick, cost.full);
                output.json(&Answer::Experiment {
                    structures,
                    contradicts,
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
        if self.words.is_empty() && !self.errata {
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
        let mut experiments = experiments.to_vec();
        experiments.retain(|experiment| experiment.contradicts || !self.errata);
        if experiments.is_empty() {
            bail!("no claim of these experiments contradicts a document; see: crivo-lab list --errata");
        }
        let size = if self.full { Size::Full } else { Size::Quick };
        let plan = Plan {
            settings: Settings { seed: self.seed, corpus: self.corpus.clone(), size },
            out_dir: self.output.clone(),
            jobs: self.jobs.map_or_else(all_cores, usize::from),
            again: self.again,
        };
        let bar = Progress::share(self.quiet);
        // A failure to print is reported at the end, when all files are written.
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
        crivo_lab::run_all(&experiments, &plan, &watch)?;
        drop(bar);
        let written = crivo_lab::write_report(&self.output, Scope::All)?;
        printed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)?;
        print_written(&written, self.json)
    }

    fn print(&self, report: &Report, claims: Claims) -> Result<()> {
        let mut output = Output::stdout();
        let Report { id, title, verdicts, .. } = report;
        let scope = if self.errata { Scope::Errata } else { Scope::All };
        if self.json {
            for verdict in verdicts.iter().filter(|verdict| scope.has(verdict)) {
                output.json(&Answer::Verdict {
                    id,
                    claim: &verdict.claim,
                    standing: verdict.standing.name(),
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
        let is_shown = |verdict: &&Verdict| (claims == Claims::All && scope.has(verdict)) || verdict.fails();
        for verdict in verdicts.iter().filter(is_shown) {
            output.line(&format!("  {}  {} ({})", verdict.word(), verdict.claim, verdict.detail))?;
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
        let scope = if self.errata { Scope::Errata } else { Scope::All };
        print_written(&crivo_lab::write_report(&self.output, scope)?, self.json)
    }
}

/// Prints where the report is, and whether all claims hold.
fn print_written(written: &Written, json: bool) -> Result<ExitCode> {
    let &Written { ref page, ref list, experiments, tally } = written;
    let mut output = Output::stdout();
    if json {
        let (page, list) = (page.to_string_lossy(), list.to_string_lossy());
        let Tally { holding, failing, reported, not_judged, against } = tally;
        output.json(&Answer::LabReport {
            experiments,
            holding,
            failing,
            reported,
            not_judged,
            against,
            page: &page,
            list: &list,
        })?;
    } else {
        let experiments = plural(experiments as u64, "experiment", "experiments");
        output.line(&format!("{experiments}: {tally}. See {}", named(page)))?;
    }
    output.flush()?;
    Ok(ExitCode::from(u8::from(tally.failing > 0)))
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
        assert_eq!(crivo_testing::every_example_parses::<Cli>(), 5);
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
