//! How much room texts take on a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// In columns of the terminal, of which wide characters take two.
pub(crate) fn display_width(text: &str) -> usize {
    text.width()
}

/// A text that takes at most `room` columns; one that was cut ends in `…`.
pub(crate) fn shorten(text: &str, room: usize) -> String {
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

/// Whether the terminal shows letters of all scripts: yes, unless the language of the user says otherwise.
pub(crate) fn speaks_utf8() -> bool {
    is_utf8(["LC_ALL", "LC_CTYPE", "LANG"].map(|name| std::env::var(name).unwrap_or_default()))
}

/// The first that is set decides.
fn is_utf8(locale: [String; 3]) -> bool {
    let set = locale.into_iter().find(|name| !name.is_empty()).map(|name| name.to_lowercase());
    set.is_none_or(|name| name.ends_with("utf-8") || name.ends_with("utf8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_setting_decides() {
        let utf8 = |all: &str, ctype: &str, lang: &str| is_utf8([all, ctype, lang].map(String::from));
        assert!(utf8("", "", "") && utf8("", "", "pt_PT.UTF-8") && utf8("C.utf8", "C", "C"));
        assert!(!utf8("C", "", "pt_PT.UTF-8") && !utf8("", "POSIX", "") && !utf8("", "", "pt_PT.ISO-8859-1"));
    }

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
