//! Answers that replace each other on a terminal.

/// Returns the number of lines of the screen, or `None` if standard output is not a terminal or its cursor cannot
/// move.
pub(crate) fn height() -> Option<usize> {
    let is_dumb = std::env::var_os("TERM").is_none_or(|name| name == "dumb");
    let (_, height) = terminal_size::terminal_size_of(std::io::stdout()).filter(|_| !is_dumb)?;
    Some(usize::from(height.0))
}

/// Returns the codes that erase this many lines and everything typed below them.
pub(crate) fn wipe(lines: usize) -> String {
    format!("\r\x1b[{lines}A\x1b[J")
}

/// Returns the codes that draw as much of `answer` as fits on a screen of this many lines, and the number of lines
/// drawn.
pub(crate) fn draw(answer: &[u8], height: usize) -> (Vec<u8>, usize) {
    // Without wrapping, the terminal cuts a long line, so that it takes one line. The cursor takes one more line.
    const WRAP_OFF: &[u8] = b"\x1b[?7l";
    const WRAP_ON: &[u8] = b"\x1b[?7h";
    let room = height.saturating_sub(1).max(1);
    let lines: Vec<&[u8]> = answer.split_inclusive(|&byte| byte == b'\n').take(room).collect();
    ([WRAP_OFF, &lines.concat(), WRAP_ON].concat(), lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_drawn_as_far_as_it_fits() {
        let drawn = |answer: &[u8], height| {
            let (drawing, lines) = draw(answer, height);
            (String::from_utf8(drawing).unwrap(), lines)
        };
        assert_eq!(drawn(b"a\nb\nc\n", 24), ("\x1b[?7la\nb\nc\n\x1b[?7h".into(), 3));
        assert_eq!(drawn(b"a\nb\nc\n", 3), ("\x1b[?7la\nb\n\x1b[?7h".into(), 2));
        assert_eq!(drawn(b"e\n", 0), ("\x1b[?7le\n\x1b[?7h".into(), 1));
        assert_eq!(wipe(3), "\r\x1b[3A\x1b[J");
    }
}
