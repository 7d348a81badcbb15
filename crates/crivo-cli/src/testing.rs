//! Verbs that are run in the process of a test, in a session that is kept.

use crate::cmd::Cli;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use crate::watch::Person;
use anyhow::Result;
use clap::{Args, Command, Parser};
use crivo_program::Output;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;

/// A session that touches no standard stream.
pub(crate) struct Recorded {
    pub(crate) session: Session,
    printed: Rc<RefCell<Vec<u8>>>,
}

struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Recorded {
    /// Texts are 80 columns wide.
    pub(crate) fn new(Manner { form, quiet }: Manner) -> Self {
        let printed = Rc::new(RefCell::new(Vec::new()));
        let person = Person::new(quiet, Some(Arc::default()));
        let session = Session::new(form, 80, Output::to(Shared(Rc::clone(&printed))), person);
        Self { session, printed }
    }

    /// All that was shown.
    pub(crate) fn printed(&self) -> String {
        self.session.flush().unwrap();
        String::from_utf8(self.printed.borrow().clone()).unwrap()
    }

    /// All messages in addition to the answer.
    pub(crate) fn remarks(&self) -> Vec<String> {
        self.session.person().remarks.unwrap().lock().unwrap().clone()
    }
}

/// A scratch directory, removed at the end.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).into_os_string().into_string().unwrap()
    }

    /// Writes a file; tells its path.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }
}

/// The flags of a verb, as they are written after its name.
pub(crate) fn flags<V: Args>(words: &[&str]) -> V {
    let command = V::augment_args(Command::new("verb").no_binary_name(true));
    V::from_arg_matches(&command.try_get_matches_from(words).unwrap()).unwrap()
}

/// Runs a verb: its report, and the session that it had.
pub(crate) fn run<V: Verb + Args>(words: &[&str]) -> Result<(V::Report, Recorded)> {
    let verb: V = flags(words);
    let recorded = Recorded::new(verb.manner());
    let report = verb.run(&recorded.session)?;
    Ok((report, recorded))
}

/// Runs a verb that succeeds: returns its report, and everything that was shown with it.
pub(crate) fn printed<V: Verb + Args>(words: &[&str]) -> (V::Report, String) {
    let (report, recorded) = run::<V>(words).unwrap();
    recorded.session.finish(&report).unwrap();
    (report, recorded.printed())
}

/// Does what a whole command line asks, and tells the exit code.
pub(crate) fn answer(words: &[String]) -> Result<u8> {
    let cli = Cli::try_parse_from(["crivo"].into_iter().chain(words.iter().map(String::as_str)))?;
    cli.answer(&|manner| Recorded::new(manner).session)
}

impl Folder {
    /// With these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    /// Runs a verb; `@name` is a file of this folder.
    pub(crate) fn run<V: Verb + Args>(&self, line: &str) -> Result<(V::Report, Recorded)> {
        run::<V>(&self.words(line).iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The words of a command line; `@name` is a file of this folder.
    pub(crate) fn words(&self, line: &str) -> Vec<String> {
        let word = |word: &str| word.strip_prefix('@').map_or(word.into(), |name| self.path(name));
        line.split_whitespace().map(word).collect()
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

    /// What a verb prints, as JSON.
    #[track_caller]
    pub(crate) fn json<V: Verb + Args>(&self, line: &str) -> Vec<serde_json::Value> {
        self.printed::<V>(line).lines().map(|record| serde_json::from_str(record).unwrap()).collect()
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
