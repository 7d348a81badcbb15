//! Answers that take the place of one another on a terminal.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Lines on the screen that the next answer replaces.
static DRAWN: AtomicUsize = AtomicUsize::new(0);

/// How many lines the screen has; none if standard output is no terminal, or one whose cursor does not move.
pub(crate) fn height() -> Option<usize> {
    let is_dumb = std::env::var_os("TERM").is_none_or(|name| name == "dumb");
    let (_, height) = terminal_size::terminal_size_of(std::io::stdout()).filter(|_| !is_dumb)?;
    Some(usize::from(height.0))
}

/// What wipes out the lines drawn last, and all that was typed below them; they count as drawn no more.
pub(crate) fn wipe() -> String {
    match DRAWN.swap(0, Ordering::Relaxed) {
        0 => String::new(),
        lines => format!("\r\x1b[{lines}A\x1b[J"),
    }
}

/// What draws as much of `answer` as fits on a screen of so many lines, in place of what was drawn last.
pub(crate) fn draw(answer: &[u8], height: usize) -> Vec<u8> {
    // A line that is too long is cut by the terminal, so that it takes one line; the cursor takes another.
    const WRAP_OFF: &[u8] = b"\x1b[?7l";
    const WRAP_ON: &[u8] = b"\x1b[?7h";
    let room = height.saturating_sub(1).max(1);
    let lines: Vec<&[u8]> = answer.split_inclusive(|&byte| byte == b'\n').take(room).collect();
    let wipe = wipe();
    DRAWN.store(lines.len(), Ordering::Relaxed);
    [wipe.as_bytes(), WRAP_OFF, &lines.concat(), WRAP_ON].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_takes_the_place_of_the_one_before() {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        assert_eq!(text(draw(b"a\nb\nc\n", 24)), "\x1b[?7la\nb\nc\n\x1b[?7h");
        assert_eq!(text(draw(b"d\n", 24)), "\r\x1b[3A\x1b[J\x1b[?7ld\n\x1b[?7h");
        assert_eq!(text(draw(b"a\nb\nc\n", 3)), "\r\x1b[1A\x1b[J\x1b[?7la\nb\n\x1b[?7h", "what fits");
        assert_eq!(text(draw(b"e\n", 0)), "\r\x1b[2A\x1b[J\x1b[?7le\n\x1b[?7h");
        assert_eq!((wipe().as_str(), wipe().as_str()), ("\r\x1b[1A\x1b[J", ""));
    }
}
