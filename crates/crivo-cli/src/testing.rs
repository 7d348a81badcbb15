//! Verbs that are run in a folder of a test.

use crate::session::testing::{Folder, Recorded, run};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;

impl Folder {
    /// With these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    /// Plans and runs a verb; `@name` is a file of this folder.
    pub(crate) fn run<V: Verb + Args>(&self, line: &str) -> Result<(V::Report, Recorded)> {
        let word = |word: &str| word.strip_prefix('@').map_or(word.into(), |name| self.path(name));
        let words: Vec<String> = line.split_whitespace().map(word).collect();
        run::<V>(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// What a verb finds.
    #[track_caller]
    pub(crate) fn report<V: Verb + Args>(&self, line: &str) -> V::Report {
        self.run::<V>(line).unwrap_or_else(|error| panic!("{line}: {error:#}")).0
    }

    /// What a verb prints.
    #[track_caller]
    pub(crate) fn printed<V: Verb + Args>(&self, line: &str) -> String {
        let (report, recorded) = self.run::<V>(line).unwrap_or_else(|error| panic!("{line}: {error:#}"));
        recorded.session.finish(&report).unwrap();
        recorded.printed()
    }

    /// Why a verb fails.
    #[track_caller]
    pub(crate) fn error<V: Verb + Args>(&self, line: &str) -> String {
        match self.run::<V>(line) {
            Ok(_) => panic!("{line}: no error"),
            Err(error) => format!("{error:#}"),
        }
    }
}
