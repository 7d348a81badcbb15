//! Texts of the data, escaped for people: no text moves the cursor, changes the direction of writing or hides
//! characters.
//!
//! Answers and messages contain values, column names and file names, and an attacker may have chosen each of them.
//! So a character that a terminal obeys, or that is invisible, is written as its escape. Cells of a table are
//! escaped when they are made ([`shown`], [`named`]), because their width counts. Every printed line and message
//! also goes through [`one_line`].

use crate::plural;
use std::borrow::Cow;
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use unicode_width::UnicodeWidthChar;

/// The largest number of terminal columns that a value takes.
const LONGEST: usize = 200;

/// The largest number of consecutive accents. No script needs more on one letter, and a stack of accents covers the
/// lines above.
const MOST_MARKS: usize = 8;

/// Characters that change the direction of writing, are invisible, or end a line in some programs: Unicode's
/// `Default_Ignorable_Code_Point`, the invisible characters of `Cf`, the separators of lines and paragraphs, and
/// code points that are not characters. [`JOINERS`] are treated separately.
const SILENT: [RangeInclusive<char>; 19] = [
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{200b}'..='\u{200b}',
    '\u{200e}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{3164}'..='\u{3164}',
    '\u{fdd0}'..='\u{fdef}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{fffe}'..='\u{ffff}',
    '\u{13430}'..='\u{1343f}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

/// Invisible characters that words and emoji need: the two joiners in Persian, in the scripts of India and in 👩‍👧,
/// and the variation selectors in ❤️ and in Mongolian. One of them is allowed after a letter or sign that it can
/// change. Elsewhere, such as between Latin letters, it is only invisible and is escaped.
const JOINERS: [RangeInclusive<char>; 3] =
    ['\u{180b}'..='\u{180f}', '\u{200c}'..='\u{200d}', '\u{fe00}'..='\u{fe0f}'];

/// The first code point of the scripts and signs that a joiner can change.
const CAN_BE_JOINED: char = '\u{600}';

fn is_in(ranges: &[RangeInclusive<char>], c: char) -> bool {
    ranges.iter().any(|range| range.contains(&c))
}

/// Reads a text and decides which of its characters are shown unescaped.
#[derive(Default)]
struct Watch {
    /// The last character that takes a column, and the last character of all.
    base: char,
    last: char,
    /// The number of accents since `base`.
    marks: usize,
}

impl Watch {
    fn shows(&mut self, c: char) -> bool {
        let last = std::mem::replace(&mut self.last, c);
        if c.is_control() || is_in(&SILENT, c) || (u32::from(c) & 0xfffe == 0xfffe) {
            self.base = '\0';
            return false;
        }
        if is_in(&JOINERS, c) {
            let is_selector = |c: char| is_in(&JOINERS, c) && !matches!(c, '\u{200c}' | '\u{200d}');
            let follows_joiner = is_in(&JOINERS, last) && (is_selector(c) || !is_selector(last));
            self.marks += 1;
            return self.base >= CAN_BE_JOINED && !follows_joiner && self.marks <= MOST_MARKS;
        }
        if c.width() == Some(0) {
            self.marks += 1;
            return self.marks <= MOST_MARKS;
        }
        (self.base, self.marks) = (c, 0);
        true
    }
}

/// Returns any bytes on one line of a terminal: text is unchanged, everything else is escaped, and a long value is
/// cut and followed by its length. A backslash is doubled, so that no text looks like an escape, and a blank at
/// either end is escaped, because it would be invisible.
pub fn shown(bytes: &[u8]) -> String {
    shown_within(bytes, LONGEST)
}

/// Shows the bytes in at most this many columns; a mark says that they were cut.
pub fn shown_within(bytes: &[u8], room: usize) -> String {
    cut(bytes, room, true)
}

/// Returns the name of a column on one line of a terminal. Like `shown`, except that a backslash is not doubled, so
/// that `--column` takes the name as printed.
pub fn shown_column(name: &str) -> String {
    cut(name.as_bytes(), LONGEST, false)
}

fn cut(bytes: &[u8], room: usize, is_value: bool) -> String {
    // At most `MOST_MARKS` consecutive characters take no column, and a character has at most four bytes, so later
    // bytes cannot fit.
    let beginning = &bytes[..bytes.len().min(4 * (1 + MOST_MARKS) * (room + 1))];
    let mut text = String::new();
    let mut left = room;
    let mut push = |part: &str, width: usize| {
        left.checked_sub(width).map(|rest| {
            left = rest;
            text.push_str(part);
        })
    };
    let mut watch = Watch::default();
    let mut escape = String::new();
    let mut at = 0;
    let is_all = beginning.utf8_chunks().all(|chunk| {
        let fits = chunk.valid().chars().all(|c| {
            let is_at_end = at == 0 || at + 1 == bytes.len();
            at += c.len_utf8();
            if is_value && c == ' ' && is_at_end {
                return push("\\x20", 4).is_some();
            }
            if watch.shows(c) && !(is_value && c == '\\') {
                return push(c.encode_utf8(&mut [0; 4]), c.width().unwrap_or(0)).is_some();
            }
            escape.clear();
            escape.extend(c.escape_default());
            push(&escape, escape.len()).is_some()
        });
        at += chunk.invalid().len();
        fits && chunk.invalid().iter().all(|byte| {
            watch = Watch::default();
            push(&format!("\\x{byte:02x}"), 4).is_some()
        })
    });
    if !is_all {
        write!(text, "… ({})", plural(bytes.len() as u64, "byte", "bytes"))
            .expect("writing to a String cannot fail");
    }
    text
}

/// Returns the path of a file on one line of a terminal. It is never cut, because users need the whole path.
/// Backslashes are not doubled, because they separate folders on some systems.
pub fn named(path: &Path) -> String {
    one_line(&path.to_string_lossy()).into_owned()
}

/// Escapes everything in a line of output that a terminal would obey, since the line may contain data. Tabs stay,
/// because only the program writes them.
pub fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c == '\t', |c, text| text.extend(c.escape_default()))
}

/// Escapes a value in a CSV cell. Tabs and line ends are part of the value; everything else that a terminal would
/// obey is escaped.
pub(crate) fn cell(text: &str) -> Cow<'_, str> {
    escaped(text, |c| matches!(c, '\t' | '\n' | '\r'), |c, text| text.extend(c.escape_default()))
}

/// Like `cell`, for JSON, where a reader decodes an escape to the character. JSON needs no escapes outside of
/// strings.
pub(crate) fn escaped_json(text: &str) -> Cow<'_, str> {
    escaped(
        text,
        |_| false,
        |c, text| {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(text, "\\u{unit:04x}").expect("writing to a String cannot fail");
            }
        },
    )
}

/// Returns whether all bytes are printable ASCII, as in most texts. It checks every byte, many at a time.
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |is_plain, byte| is_plain & matches!(byte, b' '..=b'~'))
}

fn escaped(text: &str, is_ours: fn(char) -> bool, escape: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if is_plain(text.as_bytes()) {
        return text.into();
    }
    let mut watch = Watch::default();
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_ours(c) {
            watch = Watch::default();
            safe.push(c);
        } else if watch.shows(c) {
            safe.push(c);
        } else {
            escape(c, &mut safe);
        }
    }
    safe.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_on_one_line() {
        assert_eq!(shown("é\n\u{1b}[0m".as_bytes()), "é\\n\\u{1b}[0m");
        assert_eq!(shown(b"a\xff\0"), "a\\xff\\u{0}");
        assert_eq!(shown(br"a\xff"), r"a\\xff", "a text is not taken for a byte");
        assert_eq!(shown(b"  a b "), "\\x20 a b\\x20", "blanks at the ends would not be seen");
        assert_eq!(shown("é ".as_bytes()), "é\\x20");
        assert_eq!(shown_column(" a "), " a ", "--column takes the name as it is");
        assert_eq!(shown("\u{9b}31m\u{7f}".as_bytes()), "\\u{9b}31m\\u{7f}");
    }

    #[test]
    fn what_turns_or_hides_is_escaped() {
        for hidden in "\u{202e}\u{2066}\u{2069}\u{200b}\u{200d}\u{200e}\u{feff}\u{2028}\u{2029}\u{61c}\u{ad}\u{2063}\u{fff9}\u{fe0f}\u{3164}\u{e0041}\u{e0100}\u{1fffe}".chars() {
            let text = format!("a{hidden}b");
            assert_eq!(shown(text.as_bytes()), format!("a\\u{{{:x}}}b", u32::from(hidden)));
            assert_eq!(one_line(&text), shown(text.as_bytes()));
            let json = escaped_json(&format!("\"{text}\"")).into_owned();
            assert!(json.is_ascii(), "{json}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }

    #[test]
    fn words_and_emoji_are_left_alone() {
        for text in ["می‌خواهم", "ന്‍", "क्‍ष", "👩‍❤️‍👨", "❤️", "한국", "e\u{301}", "שָׁלוֹם", "日本", "a\u{a0}b"]
        {
            assert_eq!(shown(text.as_bytes()), text);
            assert_eq!(one_line(text), text);
        }
        assert_eq!(shown("日\u{200d}\u{200d}本".as_bytes()), "日\u{200d}\\u{200d}本", "one at a time");
        let tower = format!("z{}", "\u{300}".repeat(10));
        assert_eq!(shown(tower.as_bytes()), format!("z{}\\u{{300}}\\u{{300}}", "\u{300}".repeat(8)));
    }

    #[test]
    fn long_values_are_cut_with_their_length() {
        assert_eq!(shown("x".repeat(200).as_bytes()), "x".repeat(200));
        assert_eq!(shown("x".repeat(201).as_bytes()), "x".repeat(200) + "… (201 bytes)");
        assert_eq!(shown_within("日本語".as_bytes(), 5), "日本… (9 bytes)");
        assert_eq!(shown_within(b"a\xff", 4), "a… (2 bytes)", "an escape is whole or not there");
        // Whatever the width of each character, the cut text does not end in a part of a character.
        for unit in ["é", "日", "👩", "e\u{301}\u{302}", "\u{300}", "\u{e0041}", "ന്‍"] {
            for lead in 0..4 {
                let text = "x".repeat(lead) + &unit.repeat(10_000);
                let short = shown(text.as_bytes());
                assert!(
                    short.ends_with(" bytes)") && !short.contains("\\x") && short.len() < 6000,
                    "{short}"
                );
            }
        }
    }

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(one_line("a\tb\n\u{1b}c\r"), "a\tb\\n\\u{1b}c\\r");
        assert_eq!(named(Path::new("a\\b\n\u{202e}")), "a\\b\\n\\u{202e}");
        assert_eq!(shown_column("a\\.b\n\u{202e}"), "a\\.b\\n\\u{202e}");
    }
}
