//! Files of patterns and exceptions, as TeX has them or one per line.

use crate::session::Session;
use anyhow::{Result, bail};
use std::path::Path;

/// The text of a file without its comments.
#[derive(Debug)]
pub(super) struct TexFile {
    text: String,
}

impl TexFile {
    /// A file of at most `limit` bytes.
    pub(super) fn read(path: &Path, limit: u64, session: &Session) -> Result<Self> {
        let mut text = String::new();
        for (line, number) in session.read_lines(path, limit)?.iter().zip(1..) {
            let Ok(line) = std::str::from_utf8(line) else {
                bail!(
                    "{}: line {number} is not UTF-8; convert the file, for example with: iconv -f latin1 -t utf8",
                    path.display()
                );
            };
            let line = line.strip_prefix('\u{feff}').unwrap_or(line);
            text.push_str(line.split('%').next().unwrap_or_default());
            text.push('\n');
        }
        Ok(Self { text })
    }

    /// What `\patterns` holds, or the whole file if that has no commands of TeX.
    pub(super) fn patterns(&self) -> Result<Vec<&str>> {
        self.entries("\\patterns")
    }

    /// What `\hyphenation` holds.
    pub(super) fn exceptions(&self) -> Result<Vec<&str>> {
        self.entries("\\hyphenation")
    }

    /// Whether it is a list without commands.
    pub(super) fn is_list(&self) -> bool {
        !self.text.contains('\\')
    }

    fn entries(&self, command: &str) -> Result<Vec<&str>> {
        let blocks = if self.is_list() { vec![self.text.as_str()] } else { self.blocks(command)? };
        let entries: Vec<&str> = blocks.into_iter().flat_map(str::split_whitespace).collect();
        for entry in &entries {
            if entry.contains("^^") || entry.contains(['\\', '{', '}']) {
                bail!(
                    "'{entry}' is written with commands of TeX, but letters in UTF-8 are expected, as in the files of the \
                     package hyph-utf8"
                );
            }
        }
        Ok(entries)
    }

    /// What stands in braces after each `command`.
    fn blocks(&self, command: &str) -> Result<Vec<&str>> {
        let mut blocks = Vec::new();
        for rest in self.text.split(command).skip(1) {
            // Other commands may begin alike.
            let Some(rest) = rest.trim_start().strip_prefix('{') else { continue };
            let Some((block, _)) = rest.split_once('}') else {
                bail!("{command}{{ is never closed; a }} is expected after its last entry");
            };
            blocks.push(block);
        }
        Ok(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Manner;
    use crate::testing::Recorded;

    fn file(text: &str) -> TexFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        TexFile::read(file.path(), 1 << 20, &Recorded::new(Manner::default()).session).unwrap()
    }

    #[test]
    fn patterns_and_exceptions_of_one_file() {
        let file = file(
            "% title: \\patterns{no}\r\n\\message{hello}\n\\patterns { % a comment\n.ach4 a1b\r\n\n  hy3ph}\n\
             \\hyphenation{ta-ble\n pre-sent}\\hyphenation{x-y}\\hyphenationmin=3\n",
        );
        assert_eq!(file.patterns().unwrap(), [".ach4", "a1b", "hy3ph"]);
        assert_eq!(file.exceptions().unwrap(), ["ta-ble", "pre-sent", "x-y"]);
        assert!(!file.is_list());
    }

    #[test]
    fn lists() {
        let list = file("\u{feff}ta-ble\r\n\n  co-ra-ção % why\nx");
        assert!(list.is_list());
        assert_eq!(list.exceptions().unwrap(), ["ta-ble", "co-ra-ção", "x"]);
        assert!(file("").patterns().unwrap().is_empty());
    }

    #[test]
    fn what_is_no_such_file_is_told() {
        for (text, why) in [
            ("\\patterns{a1b", "never closed"),
            ("\\patterns{^^e91b}", "UTF-8"),
            ("\\patterns{\\'e1b}", "UTF-8"),
            ("a1b{", "UTF-8"),
        ] {
            let error = file(text).patterns().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
