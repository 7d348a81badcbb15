//! What a verb is: flags, which are its plan; a run; and a report of what was found, which anybody can print.

use crate::session::{Manner, Session};
use anyhow::Result;
use crivo_report::Report;

/// A verb of the command: the flags that it was called with.
pub(crate) trait Verb: Sized {
    /// What was found.
    type Report: Report;

    /// How it is asked to answer.
    fn manner(&self) -> Manner;

    /// Checks the flags and finds every file before it reads the first, so that a typo costs no time. A verb that answers
    /// while it reads shows these answers by itself; the last is its report.
    fn run(self, session: &Session) -> Result<Self::Report>;

    /// From the flags to the exit code, in the session that `begin` opens.
    fn answer(self, begin: &dyn Fn(Manner) -> Session) -> Result<u8> {
        let session = begin(self.manner());
        let report = self.run(&session)?;
        session.finish(&report)?;
        Ok(report.exit_code())
    }
}

/// Lets the verbs of an enumeration answer.
macro_rules! answers {
    ($verbs:ident: $($verb:ident),+ $(,)?) => {
        impl $verbs {
            /// From the flags to the exit code, in the session that `begin` opens.
            pub(crate) fn answer(
                self,
                begin: &dyn Fn($crate::session::Manner) -> $crate::session::Session,
            ) -> anyhow::Result<u8> {
                match self {
                    $(Self::$verb(verb) => verb.answer(begin),)+
                }
            }
        }
    };
}

pub(crate) use answers;
