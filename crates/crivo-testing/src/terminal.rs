//! What is harmless on a terminal, and what is not.

/// Escapes, controls, characters that turn or hide, and texts that are long or stacked.
pub const HOSTILE: [&str; 13] = [
    "\u{1b}[31mRED\u{1b}[0m",
    "\u{1b}]0;title\u{7}",
    "\u{9b}31m",
    "a\u{8}b\u{7f}",
    "safe\rEVIL",
    "abc\u{202e}gnp.exe",
    "\u{2066}x\u{2069}",
    "a\u{200b}b\u{200d}c\u{feff}d",
    "a\u{2028}b\u{2029}c",
    "a\u{e0041}b",
    "a\u{ad}b\u{2060}c\u{61c}d",
    "a\u{85}b",
    "two\nlines",
];

/// As a person would have to see it: one line of printable characters after the other.
#[track_caller]
pub fn is_harmless(output: &[u8], what: &str) {
    let text = String::from_utf8_lossy(output);
    let hidden = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(u32::from(*c), 0xad | 0x61c | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff)
            || u32::from(*c) >= 0xe0000
    };
    let found: Vec<String> = text.chars().filter(hidden).map(|c| c.escape_unicode().to_string()).collect();
    assert!(found.is_empty(), "{what}: {found:?} in {}", text.escape_debug());
    // JSON has values whole.
    let longest = text.lines().filter(|line| !line.starts_with('{')).map(|line| line.chars().count()).max();
    assert!(longest.unwrap_or(0) < 5000, "{what}: a line of {longest:?} characters");
}
