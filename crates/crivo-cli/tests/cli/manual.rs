//! What helps people find their way: suggestions, completions, pages of the manual, checks of files.

use crate::support::Dir;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn slips_of_the_keyboard_are_understood() {
    let dir = Dir::new();
    dir.write("in.csv", "carrier,delay\nAA,1\n");
    dir.run("distnct in.csv").fails_with(&["'distinct'"]);
    dir.run("distinct in.csv --colum carrier").fails_with(&["did you mean --column?"]);
    dir.run("distinct in.csv --column carier").fails_with(&["no column 'carier'; did you mean 'carrier'?"]);
    dir.run("distinct in.csv --column Delay").fails_with(&["did you mean 'delay'?"]);
    let run = dir.run("distinct in.csv --column user");
    run.fails_with(&["no column 'user'; the header has: carrier, delay"]);
}

#[test]
fn the_lab_is_where_it_is_told() {
    let dir = Dir::new();
    let told = "crivo: the lab is a program of its own: cargo run --release -p crivo-lab -- ";
    for (line, words) in
        [("lab", "list\n"), ("lab run e-f27 --quick", "run e-f27 --quick\n"), ("lab -h", "-h\n")]
    {
        dir.run(line).fails_with(&[&format!("{told}{words}")]);
    }
    assert!(!dir.run("--help").text().contains("  lab"));
    dir.run("man lab").fails_with(&["no verb 'lab'"]);
}

#[test]
fn exit_codes_are_documented() {
    let help = Dir::new().run("--help").text();
    assert!(
        help.contains("Exit codes: 0 yes or success, 1 no, 2 error or bad usage, 130 interrupted"),
        "{help}"
    );
}

/// What a shell says about a script, if the shell is there.
fn check(shell: &str, script: &str) {
    let child = Command::new(shell).arg("-n").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        println!("skipped: there is no {shell}");
        return;
    };
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}");
}

#[test]
fn completions_are_scripts_that_know_every_verb() {
    let dir = Dir::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = dir.run(&format!("completions {shell}")).text();
        for verb in ["distinct", "quantiles", "verify", "neighbors", "--max-memory"] {
            assert!(script.contains(verb.trim_start_matches('-')), "{shell}: no {verb}");
        }
        if ["bash", "zsh", "fish"].contains(&shell) {
            check(shell, &script);
        }
    }
    dir.run("completions tcsh").fails_with(&["tcsh", "bash"]);
}

#[test]
fn pages_have_all_that_help_has() {
    let dir = Dir::new();
    let page = dir.run("man filter build").text();
    for part in [".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH EXAMPLES", "crivo filter build words.txt.gz"]
    {
        assert!(page.replace("\\-", "-").contains(part), "no {part} in:\n{page}");
    }
    dir.run("man filter bild").fails_with(&["crivo-filter", "'bild'", "build, "]);
    dir.run("man distinct x").fails_with(&["no verbs of its own"]);
    let said = dir.run("man -o deep/pages").text();
    let pages: Vec<_> = std::fs::read_dir(dir.path("deep/pages")).unwrap().collect();
    assert_eq!(said, format!("deep/pages: {} pages\n", pages.len()));
    for page in pages {
        let path = page.unwrap().path();
        assert!(std::fs::read(&path).unwrap().is_ascii(), "{}", path.display());
        let groff = Command::new("groff").args(["-man", "-ww", "-Tutf8"]).arg(&path).output();
        let Ok(groff) = groff else {
            println!("skipped: there is no groff");
            return;
        };
        let said = String::from_utf8_lossy(&groff.stderr).into_owned();
        assert!(groff.status.success() && said.is_empty(), "{}: {said}", path.display());
    }
}

#[test]
fn verify_tells_whole_files_from_damaged_ones() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.write_key("key", "0123456789abcdef");
    dir.run("distinct in --save a.crv").text();
    dir.run("top in --secret-file key --save k.crv").text();
    assert_eq!(
        dir.run("verify a.crv").text(),
        format!("a.crv: ok, hyperloglog in {} bytes\n", dir.read("a.crv").len())
    );
    let text = dir.run("verify k.crv").text();
    assert!(text.starts_with("k.crv: ok, misra-gries in ") && text.contains("--secret-file"), "{text}");
    assert!(!dir.run("verify k.crv --secret-file key").text().contains("--secret-file"));
    // Each byte of a file matters, and so does its length.
    let whole = dir.read("a.crv");
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x10;
        dir.write("bad.crv", bytes);
        let run = dir.run("verify bad.crv a.crv");
        let text = String::from_utf8(run.stdout.clone()).unwrap();
        // A number that nobody knows may be one of a later Crivo.
        let code = if text.contains("upgrade") { 2 } else { 1 };
        assert_eq!((run.code, run.stderr.as_str()), (Some(code), ""), "{place}: {text}");
        assert!(text.starts_with("bad.crv: ") && text.contains("\na.crv: ok"), "{place}: {text}");
    }
    dir.write("bad.crv", &whole[..whole.len() - 1]);
    let run = dir.run("verify a.crv bad.crv in --json");
    let answers: Vec<serde_json::Value> = String::from_utf8(run.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ok: Vec<_> = answers.iter().map(|answer| answer["ok"].as_bool().unwrap()).collect();
    assert_eq!((run.code, ok), (Some(1), vec![true, false, false]));
    assert!(answers[1]["error"].as_str().unwrap().contains("the file is corrupt"));
    dir.run("verify").fails_with(&["FILE.crv"]);
    // What cannot be looked at is not damaged for all that anybody knows.
    dir.write("key2", "0123456789abcdeF");
    for (line, said) in [
        ("verify absent bad.crv a.crv", "absent: no such file"),
        ("verify bad.crv a.crv --max-memory 1", "raise"),
        ("verify k.crv a.crv --secret-file key2", "key"),
    ] {
        let run = dir.run(line);
        let text = String::from_utf8(run.stdout.clone()).unwrap();
        assert!(run.code == Some(2) && text.contains(said), "{line}: {run:?} {text}");
    }
}
