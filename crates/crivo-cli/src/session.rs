//! The state shared while a verb is answered: where answers and warnings go, which files are in use, and what was
//! printed.

use crate::files::Files;
use crate::output::{Target, terminal_width};
use crate::watch::Person;
use anyhow::{Error, Result};
use crivo_program::{Color, Output};
use crivo_report::{Form, Renderer, Report};
use crivo_tables::Watch;
use std::cell::{Cell, RefCell, RefMut};
use std::sync::Arc;

/// How a verb is asked to answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    pub(crate) form: Form,
    /// Whether to suppress progress and warnings.
    pub(crate) quiet: bool,
}

/// The state shared while one verb is answered.
#[derive(Debug)]
pub(crate) struct Session {
    /// The user who waits for the answer.
    person: Person,
    renderer: RefCell<Renderer>,
    output: RefCell<Output>,
    files: RefCell<Files>,
    /// Why a sketch could not be saved. The answer is shown all the same.
    unsaved: RefCell<Option<Error>>,
    /// Whether a sketch was saved.
    has_saved: Cell<bool>,
    key_is_told: Cell<bool>,
}

impl Session {
    /// Prints answers to standard output and warnings to standard error.
    pub(crate) fn of_process(Manner { form, quiet }: Manner) -> Self {
        let session = Self::new(form, terminal_width(), Output::stdout(), Person::new(quiet, None));
        let renderer = session.renderer.into_inner().colored(Color::chosen().is_wanted(&std::io::stdout()));
        Self { renderer: RefCell::new(renderer), ..session }
    }

    /// Prints answers to `output`, text in this many columns, and warnings to `person`.
    pub(crate) fn new(form: Form, width: usize, output: Output, person: Person) -> Self {
        Self {
            renderer: RefCell::new(Renderer::new(form, width, person.quiet)),
            person,
            output: RefCell::new(output),
            files: RefCell::default(),
            unsaved: RefCell::new(None),
            has_saved: Cell::new(false),
            key_is_told: Cell::new(false),
        }
    }

    /// Returns the user who waits for the answer.
    pub(crate) fn person(&self) -> Person {
        self.person.clone()
    }

    /// Returns whether the answer is text, for people.
    pub(crate) fn is_text(&self) -> bool {
        self.renderer.borrow().is_text()
    }

    /// Shows something that was found. What is shown last need not be flushed.
    pub(crate) fn show(&self, report: &(impl Report + ?Sized)) -> Result<()> {
        self.print(report, Output::bytes)
    }

    /// Shows, at once, what the next such report takes the place of where a person reads on a terminal.
    pub(crate) fn show_step(&self, report: &(impl Report + ?Sized)) -> Result<()> {
        let draw = if self.is_text() { Output::draw } else { Output::bytes };
        self.print(report, draw)?;
        self.flush()
    }

    fn print(
        &self,
        report: &(impl Report + ?Sized),
        print: fn(&mut Output, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut renderer = self.renderer.borrow_mut();
        let bytes = renderer.render(report);
        if !bytes.is_empty() {
            print(&mut self.output.borrow_mut(), bytes)?;
        }
        let remarks = renderer.take_remarks();
        if !remarks.is_empty() {
            self.flush()?;
            for text in remarks {
                self.remark(&text);
            }
        }
        Ok(())
    }

    /// Flushes the output: a reader may be waiting at the other end of a slow pipe.
    pub(crate) fn flush(&self) -> Result<()> {
        self.output.borrow_mut().flush()
    }

    /// Prints a warning, unless the session is quiet.
    pub(crate) fn remark(&self, text: &str) {
        self.person.remark(text);
    }

    /// Prints a message that must not be suppressed.
    pub(crate) fn warn(&self, text: &str) {
        self.person.warn(text);
    }

    /// Returns whether this is the first warning about a key that other users may read.
    pub(crate) fn tells_of_key(&self) -> bool {
        !self.key_is_told.replace(true)
    }

    /// Returns the watcher that may interrupt the reading.
    pub(crate) fn watch(&self) -> Arc<dyn Watch> {
        Arc::new(self.person())
    }

    /// The files that are read and written.
    pub(crate) fn files(&self) -> RefMut<'_, Files> {
        self.files.borrow_mut()
    }

    /// Keeps an error until the answer is shown.
    pub(crate) fn fail_later(&self, error: Error) {
        *self.unsaved.borrow_mut() = Some(error);
    }

    /// Prints bytes of the data unchanged, in any output format.
    pub(crate) fn pass(&self, bytes: &[u8]) -> Result<()> {
        self.output.borrow_mut().bytes(bytes)
    }

    /// Saves a sketch, if there is a place for it, and returns the name of the file. If that fails, the answer is shown
    /// anyway, and [`finish`](Self::finish) fails: a full disk does not cost the answer.
    pub(crate) fn save(&self, target: Option<&Target>, sketch: impl FnOnce() -> Vec<u8>) -> Option<String> {
        let target = target?;
        match target.write(&sketch(), self) {
            Ok(()) => {
                self.has_saved.set(true);
                Some(target.name())
            }
            Err(error) => {
                self.fail_later(error);
                None
            }
        }
    }

    /// Shows the last report, and says if it covers only a part of the input. Of two errors, the one of a file that was
    /// not saved takes precedence.
    pub(crate) fn finish(&self, report: &(impl Report + ?Sized)) -> Result<()> {
        let part = self.person.interrupted();
        if let Some(part) = part {
            self.renderer.borrow_mut().interrupted(part);
        }
        let shown = self.show(report).and_then(|()| self.flush());
        if let Some(part) = part {
            let what =
                if self.has_saved.get() { "the answer and what was saved are" } else { "the answer is" };
            self.warn(&format!("{}; {what} for this part", part.text()));
        }
        self.unsaved.take().map_or(Ok(()), Err)?;
        shown?;
        if self.renderer.borrow().is_partial() {
            self.remark("CSV has the rows alone; --json and --markdown have the totals too");
        }
        Ok(())
    }
}
