//! What the terminal can show.

/// How many characters go on a line of standard output: as the terminal has, or else as `COLUMNS` says.
pub(crate) fn terminal_width() -> usize {
    /// Of a file or a pipe, where nothing has to be cut.
    const USUAL: usize = 200;
    let told = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|&width| width > 0);
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((width, _)) => usize::from(width.0),
        None => told().unwrap_or(USUAL),
    }
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
}
