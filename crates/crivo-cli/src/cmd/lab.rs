//! `crivo lab`: measures again what the science claims.

use crate::args::parse_seed;
use crate::output::{Answer, Output, Progress};
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use crivo_lab::{EXPERIMENTS, Experiment, Settings, Size};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure again what the science behind the structures claims
///
/// Every experiment writes its data, its figures and a report with a verdict on each claim. The exit code
/// is 1 if a claim does not hold.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crivo lab list
  crivo lab run e-f27 --quick
  crivo lab all -o report")]
pub(crate) enum Lab {
    /// The experiments
    List(List),
    /// Run some experiments
    Run(Run),
    /// Run all experiments
    All(RunArgs),
}

/// The experiments
#[derive(Args, Debug)]
pub(crate) struct List {
    /// One JSON object for each experiment instead of text
    #[arg(long)]
    json: bool,
}

/// Run some experiments
#[derive(Args, Debug)]
pub(crate) struct Run {
    /// Which experiments, as named by 'crivo lab list'
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,

    #[command(flatten)]
    args: RunArgs,
}

/// How to run.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// Directory for the reports, made if missing
    #[arg(long, short, value_name = "DIR", default_value = "lab-out")]
    output: PathBuf,

    /// Every random choice follows from it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_seed)]
    seed: u64,

    /// Directory of text files to experiment on, instead of made-up text
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    /// A reduced setting, a few seconds at most
    #[arg(long)]
    quick: bool,

    /// JSON objects instead of text, one for each claim
    #[arg(long)]
    json: bool,

    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

impl Lab {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match self {
            Self::List(list) => list.run(),
            Self::Run(run) => run.args.run(&find_all(&run.ids)?),
            Self::All(args) => args.run(&EXPERIMENTS.iter().collect::<Vec<_>>()),
        }
    }
}

fn find_all(ids: &[String]) -> Result<Vec<&'static Experiment>> {
    ids.iter()
        .map(|id| match crivo_lab::find(id) {
            Some(experiment) => Ok(experiment),
            None => bail!("there is no experiment '{id}'; see: crivo lab list"),
        })
        .collect()
}

impl List {
    fn run(&self) -> Result<ExitCode> {
        let mut output = Output::new();
        for &Experiment { id, title, question, .. } in EXPERIMENTS {
            if self.json {
                output.json(&Answer::Experiment { id, title, question })?;
            } else {
                output.line(&format!("{id:<14} {title}"))?;
            }
        }
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}

impl RunArgs {
    fn run(&self, experiments: &[&'static Experiment]) -> Result<ExitCode> {
        let size = if self.quick { Size::Quick } else { Size::Full };
        let settings = Settings { seed: self.seed, corpus: self.corpus.clone(), size };
        let mut output = Output::new();
        let mut all_hold = true;
        for experiment in experiments {
            let bar = Progress::steps(experiment.id, self.quiet);
            let mut progress = crivo_lab::Progress::new(|done, total| bar.set_steps(done, total));
            let report = crivo_lab::run(experiment, &settings, &self.output, &mut progress)?;
            drop(progress);
            drop(bar);
            all_hold &= report.passed();
            if self.json {
                for verdict in &report.verdicts {
                    output.json(&Answer::Verdict {
                        id: report.id,
                        claim: &verdict.claim,
                        passed: verdict.passed,
                        detail: &verdict.detail,
                    })?;
                }
            } else {
                output.line(&format!("{}: {}", experiment.id, experiment.title))?;
                for verdict in &report.verdicts {
                    let word = if verdict.passed { "holds" } else { "FAILS" };
                    output.line(&format!("  {word}  {} ({})", verdict.claim, verdict.detail))?;
                }
                if let Some(file) = report.files.last() {
                    output.line(&format!("  see {}", file.display()))?;
                }
            }
            output.flush()?;
        }
        Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}
