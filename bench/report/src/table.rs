//! Tables and numbers, in Markdown.

/// Prints one Markdown table.
pub fn print_table(title: &str, header: &[impl AsRef<str>], rows: impl Iterator<Item = Vec<String>>) {
    println!("### {title}\n");
    let names: Vec<&str> = header.iter().map(AsRef::as_ref).collect();
    println!("| {} |", names.join(" | "));
    println!("|---|{}", "---:|".repeat(header.len() - 1));
    for row in rows {
        println!("| {} |", row.join(" | "));
    }
    println!();
}

/// About three significant digits, and all those before the point.
pub fn significant(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude >= 100.0 || value == 0.0 {
        format!("{value:.0}")
    } else if magnitude >= 10.0 {
        format!("{value:.1}")
    } else if magnitude >= 1.0 {
        format!("{value:.2}")
    } else if magnitude >= 0.1 {
        format!("{value:.3}")
    } else if magnitude >= 0.001 {
        format!("{value:.4}")
    } else {
        format!("{value:.1e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_about_three_digits() {
        let shown = [0.0, 0.000_012, 0.0123, 0.123, 1.234, 12.34, 123.4, 12_345.6].map(significant);
        assert_eq!(shown, ["0", "1.2e-5", "0.0123", "0.123", "1.23", "12.3", "123", "12346"]);
    }
}
