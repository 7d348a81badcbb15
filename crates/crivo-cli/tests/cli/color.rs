//! Colours, which pipes never get unless they are asked for.

use crate::support::Dir;

#[test]
fn colours_are_for_terminals_or_for_those_who_ask() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n\u{1b}[31mred\n");
    assert_eq!(dir.run("top in -q").text().matches('\u{1b}').count(), 0);
    let text = dir.run("top in -q --color always").text();
    assert!(text.contains("\u{1b}[2m(exact)\u{1b}[0m"), "{text}");
    assert!(text.contains("\\u{1b}[31mred"), "what comes with the data is escaped: {text}");
    let table = dir.run("profile in --color always").text();
    assert!(table.contains("\u{1b}[1mcolumn") || table.contains("\u{1b}["), "{table}");
    assert!(!dir.run("top in --json --color always").text().contains('\u{1b}'));
    let told = |name, value| {
        let output = dir.command("distinct nosuch").env(name, value).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(told("NO_COLOR", "1").starts_with("crivo: nosuch"));
    assert!(told("CLICOLOR_FORCE", "1").starts_with("\u{1b}[1;31mcrivo:\u{1b}[0m nosuch"));
    dir.run("distinct in --color sometimes").fails_with(&["auto, always, never"]);
}
