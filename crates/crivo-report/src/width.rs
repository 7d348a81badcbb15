//! The width of texts on a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns the width of a text in terminal columns. Wide characters take two.
pub fn display_width(text: &str) -> usize {
    text.width()
}

/// Returns a text that takes at most `room` columns. If the text was cut, it ends in `…`.
pub fn shorten(text: &str, room: usize) -> String {
    if display_width(text) <= room {
        return text.into();
    }
    let mut left = room.saturating_sub(1);
    let mut short = String::new();
    for c in text.chars() {
        match left.checked_sub(c.width().unwrap_or(0)) {
            Some(rest) => left = rest,
            None => break,
        }
        short.push(c);
    }
    if room > 0 {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_says_so_and_fits() {
        assert_eq!(
            [shorten("carrier", 7), shorten("carrier", 6), shorten("carrier", 1)],
            ["carrier", "carri…", "…"]
        );
        assert_eq!(
            [shorten("日本語", 6), shorten("日本語", 5), shorten("日本語", 4)],
            ["日本語", "日本…", "日…"]
        );
        for room in 0..20 {
            assert!(display_width(&shorten("a e\u{301} 日本 👩‍👩‍👧 text that is long", room)) <= room, "{room}");
        }
    }
}
