//! Text as people read it, at several widths: what each verb prints is kept in `snapshots/text`, and no line is too wide.
//!
//! `CRIVO_WRITE_SNAPSHOTS=1` writes the files.

use crate::support::Dir;
use crivo_testing::is_kept;
use std::fmt::Write;
use std::path::Path;

const WIDTHS: [usize; 4] = [60, 80, 120, 200];

/// Name, command line, and the smallest width in columns.
const LINES: [(&str, &str, usize); 8] = [
    ("top", "top t.csv -c page -n 5", 60),
    ("distinct-by", "distinct t.csv -c user --by page", 60),
    ("count", "count t.csv -c page --key /home --key /nowhere", 60),
    ("quantiles", "quantiles t.csv -c ms", 60),
    ("histogram", "histogram t.csv -c ms --bins 5", 60),
    ("profile", "profile t.csv", 60),
    ("similar", "similar a.txt b.txt", 60),
    ("plan", "plan membership --items 1e6 --fpr 0.01", 120),
];

fn dir() -> Dir {
    let dir = Dir::new();
    let pages =
        ["/home", "/search?query=a+rather+long+question+about+sieves+and+what+they+keep", "/cart", "/login"];
    let row = |i: usize| format!("u{},{},{}\n", i * i % 97, pages[i * i % 11 % 4], i * 7 % 1000);
    dir.write("t.csv", format!("user,page,ms\n{}", (0..400).map(row).collect::<String>()));
    let words = |from: usize| (from..from + 40).map(|i| format!("word{i} ")).collect::<String>();
    dir.write("a.txt", words(0));
    dir.write("b.txt", words(5));
    dir
}

#[test]
fn text_fits_its_width() {
    let dir = dir();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/text");
    for (name, line, least) in LINES {
        let mut text = String::new();
        for width in WIDTHS.into_iter().filter(|&width| width >= least) {
            let output = dir.command(line).env("COLUMNS", width.to_string()).output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            for line in printed.lines().filter(|line| !line.starts_with("crivo ")) {
                let columns = crivo_report::display_width(line);
                assert!(columns <= width, "{name}: {columns} columns instead of {width}: {line}");
            }
            writeln!(text, "== {width} columns: crivo {line}\n{printed}").unwrap();
        }
        is_kept(&folder.join(format!("{name}.txt")), &text);
        let tables = WIDTHS.map(|width| {
            let mut command = dir.command(&format!("{line} --csv"));
            String::from_utf8(command.env("COLUMNS", width.to_string()).output().unwrap().stdout).unwrap()
        });
        assert!(tables.iter().all(|table| *table == tables[0]), "{name}: CSV has no width");
        is_kept(&folder.join(format!("{name}.csv")), &tables[0]);
    }
}
