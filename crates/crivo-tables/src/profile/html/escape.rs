//! Text that an HTML page shows unchanged, whatever it contains.

use super::super::report::Kept;
use crivo_report::{one_line, shown};

/// Escapes a sentence that may contain names and values.
pub(super) fn escape(text: &str) -> String {
    crivo_report::escape(&one_line(text))
}

/// Returns a value of the data, cut if it is long, and isolated from the text around it, because it may run from
/// right to left.
pub(super) fn value(bytes: &[u8], truncated: bool) -> String {
    const MOST: usize = 60;
    let text = shown(bytes);
    let short = crivo_report::shorten(&text, MOST);
    let end = if truncated && short == text { "…" } else { "" };
    format!("<bdi class=\"value\">{}{end}</bdi>", escape(&short))
}

/// Like [`value`], for the kept part of a value.
pub(super) fn kept(kept: &Kept) -> String {
    value(&kept.text, kept.truncated)
}

/// Returns a name, isolated like a [`value`].
pub(super) fn name(name: &str) -> String {
    format!("<bdi>{}</bdi>", escape(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_html() {
        assert_eq!(
            escape("<script>alert(\"&'\")</script>"),
            "&lt;script&gt;alert(&quot;&amp;&#39;&quot;)&lt;/script&gt;"
        );
        assert_eq!(value(b"<b>\xff\n", true), "<bdi class=\"value\">&lt;b&gt;\\xff\\n…</bdi>");
        assert!(value(&[b'x'; 500], false).contains("x…</bdi>"));
    }
}
