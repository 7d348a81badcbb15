//! What can go wrong in the lab.

use std::path::{Path, PathBuf};

/// Why an experiment could not be run or its report not be written. A claim that fails is no error: it is a
/// [`Verdict`](crate::Verdict).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A sketch refused its parameters or its input.
    #[error(transparent)]
    Sketch(#[from] crivo::Error),
    /// A file or folder could not be read or written.
    #[error("{}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The corpus does not hold what the experiment needs.
    #[error("{0}")]
    Corpus(String),
    /// A file in the folder of reports is not what the lab wrote.
    #[error("{}: expected what a run of the lab wrote; run the experiment again", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// There is nothing to report.
    #[error("{}: expected the folder of a run, found no finished experiment; run: crivo-lab all", .0.display())]
    Nothing(PathBuf),
    /// A plot could not be drawn.
    #[error("plot `{name}` could not be drawn: {reason}")]
    Plot {
        /// The plot's name.
        name: String,
        /// What the drawing library said.
        reason: String,
    },
}

impl Error {
    /// An operating-system error that names its path, for `map_err`.
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        |source| Self::File { path: path.to_owned(), source }
    }
}

/// A result of the lab.
pub type Result<T> = std::result::Result<T, Error>;
