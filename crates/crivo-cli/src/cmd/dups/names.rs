//! What documents are called in answers.

use crate::input::Source;
use crivo_report::{Text, shown};
use serde::Serialize;

/// A document: the row it stands in, counted from 0, or the path of its file, or the value of its group.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Name<'a> {
    Row(u64),
    Own(Text<'a>),
}

/// The names of the documents that are compared, by their places among these.
pub(super) enum Names {
    /// By their rows, counted from 0.
    Rows {
        /// For each row that is not compared, how many before it are.
        left_out: Vec<u32>,
        /// How the documents begin, if people will see that.
        beginnings: Option<Vec<Box<str>>>,
    },
    /// By the paths of their files, or the values of their groups.
    Own(Vec<Box<[u8]>>),
}

impl Names {
    pub(super) fn rows(with_beginnings: bool) -> Self {
        Self::Rows { left_out: Vec::new(), beginnings: with_beginnings.then(Vec::new) }
    }

    /// The next document, which is compared. Tells how many bytes its name takes.
    pub(super) fn push(&mut self, source: &Source, text: &[u8]) -> usize {
        match self {
            Self::Rows { beginnings: Some(beginnings), .. } => {
                beginnings.push(beginning(text));
                beginnings[beginnings.len() - 1].len() + size_of::<Box<str>>()
            }
            Self::Rows { .. } => 0,
            Self::Own(names) => {
                names.push(path(source));
                names[names.len() - 1].len() + size_of::<Box<[u8]>>()
            }
        }
    }

    /// The next document, which is not; `compared` before it are.
    pub(super) fn leave_out(&mut self, compared: usize) {
        if let Self::Rows { left_out, .. } = self {
            left_out.push(compared as u32);
        }
    }

    /// The row of a document; its place among the compared where rows are no names.
    pub(super) fn row(&self, document: u32) -> u64 {
        let left_out = if let Self::Rows { left_out, .. } = self { &left_out[..] } else { &[] };
        u64::from(document) + left_out.partition_point(|&before| before <= document) as u64
    }

    pub(super) fn for_machines(&self, document: u32) -> Name<'_> {
        match self {
            Self::Rows { .. } => Name::Row(self.row(document)),
            Self::Own(names) => Name::Own(Text::from(&*names[document as usize])),
        }
    }

    pub(super) fn for_people(&self, document: u32) -> String {
        match self {
            Self::Rows { beginnings, .. } => {
                let row = self.row(document);
                let beginning = beginnings.as_ref().map_or("", |all| &all[document as usize]);
                format!("row {row}  {beginning}").trim_end().into()
            }
            Self::Own(names) => match &*names[document as usize] {
                b"" => "(empty)".into(),
                name => shown(name),
            },
        }
    }

    /// The bytes of a name of its own.
    pub(super) fn bytes(&self, document: u32) -> &[u8] {
        match self {
            Self::Rows { .. } => &[],
            Self::Own(names) => &names[document as usize],
        }
    }
}

fn path(source: &Source) -> Box<[u8]> {
    source.path().map_or(b"-".as_slice(), |path| path.as_os_str().as_encoded_bytes()).into()
}

/// How a text begins, on one line.
fn beginning(text: &[u8]) -> Box<str> {
    /// Characters that are shown.
    const SHOWN: usize = 50;
    // No character has more than four bytes.
    let some = String::from_utf8_lossy(&text[..text.len().min(16 * SHOWN)]).into_owned();
    let words = some.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = words.chars().take(SHOWN).collect();
    let is_all = short.len() == words.len() && text.len() <= 16 * SHOWN;
    (shown(short.trim_end().as_bytes()) + if is_all { "" } else { "…" }).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_those_left_out() {
        let mut names = Names::rows(false);
        // The rows: left out, document 0, left out, left out, document 1, document 2.
        for compared in [0, 1, 1] {
            names.leave_out(compared);
        }
        let rows: Vec<String> = (0..3).map(|document| names.for_people(document)).collect();
        assert_eq!(rows, ["row 1", "row 4", "row 5"]);
    }

    #[test]
    fn beginnings_are_short_and_on_one_line() {
        assert_eq!(&*beginning(b" a\n\tb\x1b "), "a b\\u{1b}");
        assert_eq!(beginning("é".repeat(60).as_bytes()).chars().count(), 51);
        assert_eq!(&*beginning(&[b' '; 2000]), "…");
    }
}
