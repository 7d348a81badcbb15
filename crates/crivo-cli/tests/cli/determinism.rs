//! No answer and no saved byte depends on the number of threads, nor on where the input is cut.

use crate::support::Dir;
use crivo::rng::Rng;
use std::io::Write;

/// About 5 MB, several pieces: rows of unlike length, some with line ends in quotes, one very long.
fn table(rows: u32) -> String {
    let mut rng = Rng::new(5);
    let mut text = "id,value\n".to_string();
    for row in 0..rows {
        let id = rng.below(30_000);
        match rng.below(10) {
            0 => text.push_str(&format!("{id},\"line\none, {row}\"\n")),
            1 => text.push_str(&format!("{id},\"say \"\"{row}\"\"\"\r\n")),
            2 => text.push_str(&format!("{id},\n")),
            _ => text.push_str(&format!("{id},{:x}\n", rng.next_u64())),
        }
        if row == rows / 2 {
            text.push_str(&format!("{id},\"{}\"\n", "long\n".repeat(700_000)));
        }
    }
    text
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let dir = Dir::new();
    dir.write("t.csv", table(100_000));
    for verb in [
        "distinct --save",
        "count --key 17 --save",
        "count --conservative --key 17 --save",
        "count --kind count-sketch --key 17 --save",
        "top --error 0.001 --save",
        "sample --seed 5 --save",
        "filter build -o",
    ] {
        for flags in ["-c value", "-c id", "", "--format lines"] {
            let mut first = None;
            for jobs in [1, 2, 5] {
                let run = dir.run(&format!("{verb} s.crv --force --json t.csv {flags} --jobs {jobs}"));
                let seen = (run.text(), dir.read("s.crv"));
                assert_eq!(
                    first.get_or_insert_with(|| (run.text(), dir.read("s.crv"))),
                    &seen,
                    "{verb} {flags} {jobs}"
                );
            }
        }
    }
    dir.run("filter build t.csv -c id -o ids.crv").text();
    let rows = |jobs| dir.run(&format!("filter query ids.crv --keys t.csv -c id -j {jobs}")).stdout;
    assert!(rows(1) == rows(2) && rows(1) == rows(5));
    assert!(rows(2).len() > 4_000_000);
}

#[test]
fn a_pipe_gives_the_same_bytes_as_a_file() {
    let dir = Dir::new();
    let text = table(20_000);
    dir.write("t.csv", &text);
    dir.run("distinct t.csv -c value --save file.crv").text();
    dir.run_with("distinct --format csv -c value --save pipe.crv", text.as_bytes()).text();
    assert_eq!(dir.read("file.crv"), dir.read("pipe.crv"));
}

#[test]
fn parts_merged_are_the_whole() {
    let dir = Dir::new();
    let text = table(50_000);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    dir.write("all", &text);
    let names: Vec<String> = (0..5).map(|part| format!("part{part}")).collect();
    for (part, name) in lines.chunks(lines.len().div_ceil(5)).zip(&names) {
        dir.write(name, part.concat());
    }
    for verb in ["distinct --save", "count --save", "filter build --capacity 800000 -o"] {
        for name in names.iter().map(String::as_str).chain(["all"]) {
            dir.run(&format!("{verb} {name}.crv --force {name}")).text();
        }
        let parts: Vec<String> = names.iter().map(|name| format!("{name}.crv")).collect();
        dir.run(&format!("merge {} -o merged.crv --force", parts.join(" "))).text();
        assert_eq!(dir.read("merged.crv"), dir.read("all.crv"), "{verb}");
        dir.run(&format!("{verb} files.crv --force {}", names.join(" "))).text();
        assert_eq!(dir.read("files.crv"), dir.read("all.crv"), "{verb}");
    }
}

#[test]
fn ten_million_lines() {
    let dir = Dir::new();
    let lines = |numbers: std::ops::Range<u32>| {
        let mut text = Vec::with_capacity(10 * numbers.len());
        for number in numbers {
            writeln!(text, "{number}").unwrap();
        }
        text
    };
    dir.write("left", lines(0..5_000_000));
    dir.write("right", lines(4_000_000..9_000_000));
    for name in ["left", "right"] {
        dir.run(&format!("distinct {name} --save {name}.crv")).text();
    }
    let answer = &dir.run("distinct left right --save all.crv --json").json()[0];
    assert_eq!(answer["items"], 10_000_000);
    let bar = &answer["distinct"];
    let [lower, upper] = ["lower", "upper"].map(|name| bar[name].as_f64().unwrap());
    assert!(lower <= 9e6 && 9e6 <= upper, "{bar}");
    dir.run("merge left.crv right.crv -o merged.crv").text();
    assert_eq!(dir.read("merged.crv"), dir.read("all.crv"));
}
