//! Wraps sentences to a width.

use crate::display_width;

/// Wraps a sentence to this many columns. Lines break between words, and all lines after the first are indented. A
/// word that is too long stays whole.
pub fn wrapped(text: &str, room: usize) -> Vec<String> {
    const INDENT: &str = "  ";
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in unbroken(text) {
        if line.trim_start().is_empty() {
            line.push_str(if word.is_empty() { " " } else { &word });
        } else if display_width(&line) + 1 + display_width(&word) <= room {
            line.extend([" ", &word]);
        } else {
            lines.push(std::mem::replace(&mut line, format!("{INDENT}{word}")));
        }
    }
    lines.push(line);
    lines
}

/// Splits a text into words. A number, its unit and its error are one word.
fn unbroken(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let bare = word.trim_end_matches([',', ';', '.', ')']);
        match words.last_mut() {
            Some(last)
                if last.ends_with(|c: char| c.is_ascii_digit()) && UNITS.contains(&bare)
                    || bare == "±"
                    || last.ends_with('±') =>
            {
                last.extend([" ", word]);
            }
            _ => words.push(word.into()),
        }
    }
    words
}

/// Units that may follow a number.
const UNITS: [&str; 6] = ["%", "k", "M", "G", "T", "s"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 80), ["one two three"]);
        assert_eq!(wrapped("one two three", 8), ["one two", "  three"]);
        assert_eq!(wrapped("about 12 %, in a/long/path", 9), ["about", "  12 %,", "  in", "  a/long/path"]);
    }

    #[test]
    fn a_number_stays_with_its_unit() {
        let text = "share 1.23 M ± 2 % values, 80 to 84 %, of all";
        assert_eq!(wrapped(text, 19), ["share 1.23 M ± 2 %", "  values, 80 to", "  84 %, of all"]);
        for room in 1..50 {
            let lines = wrapped(text, room);
            let torn = |line: &String| line.ends_with('±') || line.trim_start().starts_with(['%', '±', 'M']);
            assert!(!lines.iter().any(torn), "{lines:?}");
        }
    }
}
