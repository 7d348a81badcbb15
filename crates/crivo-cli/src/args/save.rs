//! Where sketches are saved.

use crate::output::Target;
use crate::session::Session;
use anyhow::Result;
use clap::Args;
use crivo::HashSpec;
use std::path::{Path, PathBuf};

/// For verbs that may save their sketch.
#[derive(Args, Debug)]
pub(crate) struct SaveArgs {
    /// Also save the sketch, to merge or query it later
    #[arg(long, value_name = "FILE.crv", help_heading = "Output")]
    save: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long, requires = "save", help_heading = "Output")]
    force: bool,
}

impl SaveArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.save.is_some()
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.save.as_deref()
    }

    /// A random seed for a sketch with this name of a file: sketches that may be merged have distinct ones.
    pub(crate) fn random_seed(&self) -> u64 {
        let name = self.save.as_deref().map(Path::to_string_lossy).unwrap_or_default();
        HashSpec::default().hash(&*name)
    }

    /// The place to save to, checked.
    pub(crate) fn target(&self, session: &Session) -> Result<Option<Target>> {
        self.save.as_deref().map(|path| Target::check(path, self.force, session)).transpose()
    }
}

/// For verbs whose result is a sketch.
#[derive(Args, Debug)]
pub(crate) struct OutputArgs {
    /// File to save the sketch to
    #[arg(long, short, value_name = "FILE.crv", help_heading = "Output")]
    output: PathBuf,

    /// Replace the file if it exists
    #[arg(long, help_heading = "Output")]
    force: bool,
}

impl OutputArgs {
    /// The place to save to, checked.
    pub(crate) fn target(&self, session: &Session) -> Result<Target> {
        Target::check(&self.output, self.force, session)
    }
}

/// For verbs that can save the sketch that they make.
#[derive(Args, Debug)]
pub(crate) struct MaybeOutputArgs {
    /// File to save the sketch to
    #[arg(long, short, value_name = "FILE.crv", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long, requires = "output", help_heading = "Output")]
    force: bool,
}

impl MaybeOutputArgs {
    /// The place to save to, checked.
    pub(crate) fn target(&self, session: &Session) -> Result<Option<Target>> {
        self.output.as_deref().map(|path| Target::check(path, self.force, session)).transpose()
    }
}

/// For verbs that change a sketch.
#[derive(Args, Debug)]
pub(crate) struct ChangeArgs {
    /// Save the changed filter to this file and leave the original unchanged
    #[arg(long, short, value_name = "FILE.crv", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Replace the output file if it exists
    #[arg(long, requires = "output", help_heading = "Output")]
    force: bool,
}

impl ChangeArgs {
    /// Checks and returns the place to save to: by default the file of the changed sketch.
    pub(crate) fn target(&self, changed: &Path, session: &Session) -> Result<Target> {
        match &self.output {
            Some(output) => Target::check(output, self.force, session),
            None => Target::in_place(changed, session),
        }
    }
}
