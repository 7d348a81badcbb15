//! Colour for terminals. Text is escaped before it is coloured, so data cannot contain colour codes.

/// The parts of a line that have a colour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Words,
    /// An error bar in parentheses, two blanks behind its value.
    ErrorBar,
    /// Block characters that draw a share.
    Blocks,
}

const RESET: &str = "\x1b[0m";
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const CYAN: &str = "\x1b[36m";

/// Returns a line with dim error bars and coloured blocks.
pub(crate) fn painted(line: &str) -> String {
    let mut text = String::with_capacity(line.len() + 16);
    let (mut part, mut blanks, mut in_bar) = (Part::Words, 0, false);
    for c in line.chars() {
        in_bar |= c == '(' && blanks >= 2;
        let next = match c {
            _ if in_bar => Part::ErrorBar,
            '\u{2580}'..='\u{259f}' => Part::Blocks,
            _ => Part::Words,
        };
        change(&mut text, &mut part, next);
        text.push(c);
        in_bar &= c != ')';
        blanks = if c == ' ' { blanks + 1 } else { 0 };
    }
    change(&mut text, &mut part, Part::Words);
    text
}

fn change(text: &mut String, part: &mut Part, next: Part) {
    if *part == next {
        return;
    }
    if *part != Part::Words {
        text.push_str(RESET);
    }
    match next {
        Part::Words => {}
        Part::ErrorBar => text.push_str(DIM),
        Part::Blocks => text.push_str(CYAN),
    }
    *part = next;
}

/// Returns a heading in bold.
pub(crate) fn bold(line: &str) -> String {
    format!("{BOLD}{line}{RESET}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_bars_and_blocks_are_painted() {
        assert_eq!(
            painted("a (b)  12  (95 %: 1 to 2)  ██▌ x"),
            "a (b)  12  \x1b[2m(95 %: 1 to 2)\x1b[0m  \x1b[36m██▌\x1b[0m x"
        );
        assert_eq!(painted("a  (b"), "a  \x1b[2m(b\x1b[0m");
        assert_eq!(painted("plain (text)"), "plain (text)");
        assert_eq!(bold("title"), "\x1b[1mtitle\x1b[0m");
    }
}
