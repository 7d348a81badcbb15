//! Bars made of characters.

/// Returns a bar for a share of `room`, with a resolution of an eighth of a character.
pub fn text_bar(share: f64, room: usize) -> String {
    if share.is_nan() {
        return String::new();
    }
    let eighths = (share * room as f64 * 8.0).ceil() as usize;
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{rest}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars() {
        assert_eq!(
            [text_bar(0.0, 10), text_bar(1.0, 3), text_bar(0.5, 1), text_bar(0.001, 10)],
            ["", "███", "▌", "▏"]
        );
        assert_eq!(text_bar(f64::NAN, 10), "");
    }
}
