//! The lab: re-measures the figures and tables that Crivo's science rests on.
//!
//! One [`Experiment`] is one small file: a question, the document and figure it comes from, what theory
//! predicts, and the code that measures. Its [`Outcome`] is data, figures and verdicts computed from the data;
//! [`run`] writes them into a folder. The same [`Settings`] give the same bytes.
//!
//! ```
//! use crivo_lab::{Progress, Settings};
//! let experiment = crivo_lab::find("e-f27").expect("it is in the list");
//! let outcome = (experiment.run)(&Settings::default(), &mut Progress::silent())?;
//! assert!(outcome.verdicts.iter().all(|verdict| verdict.holds()));
//! # Ok::<(), crivo_lab::Error>(())
//! ```
//!
//! # Adding an experiment
//! Write `src/experiments/<id>.rs` with a `const EXPERIMENT` and name it in [`EXPERIMENTS`]; the tests of the
//! frame then run it. Take random numbers from [`Settings::rng`] and theory from the library's own functions;
//! compute every tolerance from theory and a stated false-alarm probability ([`Verdict::within`]); and add a test
//! that plants a fault and sees the verdict fail.

mod about;
mod axis;
pub mod corpus;
mod coverage;
mod density;
mod distance;
mod error;
mod experiment;
mod experiments;
mod gev;
mod html;
mod markdown;
mod nelder_mead;
mod plot;
mod record;
mod report;
mod run;
mod runner;
mod sample;
mod summary;
mod svg;
mod table;
mod verdict;

pub use about::About;
pub use error::{Error, Result};
pub use experiment::{Cost, Entry, Experiment, Fault, Outcome, Progress, Settings, Size, Source};
pub use experiments::{EXPERIMENTS, find};
pub use plot::{Plot, Point, Series, Style};
pub use report::{Scope, Written, write_report};
pub use run::{Report, run};
pub use runner::{Moment, Plan, run_all};
pub use table::{Cell, Table};
pub use verdict::{Check, Standing, Tally, Verdict};

use crivo_report::significant;
