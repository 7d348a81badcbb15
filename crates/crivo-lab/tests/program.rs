//! The lab as a user runs it, on a few experiments; all of them are run by the tests of its page.

use crivo_testing::terminal::{HOSTILE, is_harmless};
use crivo_testing::{Dir, Shown, fields, is_as_kept, prints_what_it_shows};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn dir() -> Dir {
    Dir::of(env!("CARGO_BIN_EXE_crivo-lab"))
}

#[test]
fn lists_by_document_and_by_words() {
    let dir = dir();
    let list = dir.run("list").text();
    for text in ["Lopes 2017", "Ferreira 2017", "e-f27", "e-l-cells", "experiments: about", "with --full"] {
        assert!(list.contains(text), "{text}: {list}");
    }
    let found = dir.run("list HyperLogLog switch").text();
    assert_eq!(found.lines().count(), 2, "a document and an experiment: {found}");
    assert!(found.contains("e-f27"), "{found}");
    dir.run("list nosuchword").fails_with(&["nosuchword", "crivo-lab list"]);
    let ids: Vec<String> =
        dir.run("list --json").json().iter().map(|line| line["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids.len(), list.lines().filter(|line| line.starts_with("  ")).count());
}

#[test]
fn runs_goes_on_and_reports() {
    let dir = dir();
    let run = dir.run("run e-f27 e-f33 -o out --seed 3").text();
    let lines: Vec<&str> = run.lines().collect();
    assert!(lines[0].starts_with("e-f27: ") && run.contains("  holds  ") && !run.contains("FAILS"), "{run}");
    assert!(lines.last().unwrap().starts_with("2 experiments: "), "{run}");
    for file in
        ["report.html", "README.md", "e-f27/report.md", "e-f27/bias.svg", "e-f33/data.json", "e-f33/run.json"]
    {
        assert!(dir.path("out").join(file).is_file(), "{file}");
    }
    // What is finished is found; the folder is read, not the list of what was asked for last.
    let again = dir.run("run E-F27 -o out --seed 3 --json").json();
    let written = dir.read("out/e-f27/run.json");
    assert_eq!(again.last().unwrap()["experiments"], 2);
    assert_eq!(again[0]["type"], "verdict");
    assert_eq!(again[0]["standing"], "holds");
    dir.run("run e-f27 -o out --seed 3 --again").text();
    assert_ne!(dir.read("out/e-f27/run.json"), written, "it was run again");
}

/// The verdict of a file decides, in the report and when it is found finished.
#[test]
fn a_claim_that_fails_is_told_with_exit_code_1() {
    let dir = dir();
    dir.run("run e-f27 -o out").text();
    let data = String::from_utf8(dir.read("out/e-f27/data.json")).unwrap();
    dir.write("out/e-f27/data.json", data.replacen("\"standing\": \"holds\"", "\"standing\": \"fails\"", 1));
    for line in ["report out", "run e-f27 -o out", "report out --json"] {
        let run = dir.run(line);
        assert_eq!(run.code, Some(1), "{line}: {run:?}");
        let text = String::from_utf8(run.stdout).unwrap();
        assert!(text.contains("FAIL") || text.contains("\"failing\":1"), "{line}: {text}");
    }
    let page = String::from_utf8(dir.read("out/report.html")).unwrap();
    assert!(page.contains("class=\"summary fails\""));
}

#[test]
fn what_cannot_be_run_is_told() {
    let dir = dir();
    dir.write("file", "");
    for (line, words) in [
        ("run nosuch", &["nosuch", "crivo-lab list"][..]),
        ("run hyperlolog", &["hyperlolog", "did you mean 'hyperloglog'?"]),
        ("run majority --errata -o out", &["contradicts a document", "crivo-lab list --errata"]),
        ("run e-f27 -o file", &["file"]),
        ("run e-f9 --corpus absent -o out", &["absent"]),
        ("run e-f27 --quick --full", &["--quick", "--full"]),
        ("report nothing", &["nothing", "no finished experiment", "crivo-lab all"]),
    ] {
        dir.run(line).fails_with(words);
    }
}

/// A structure stands for all experiments on it.
#[test]
fn a_structure_names_its_experiments() {
    let dir = dir();
    let run = dir.run("run parent-tree e-f27 -o out --json").json();
    let mut ids: Vec<&str> = run.iter().filter_map(|line| line["id"].as_str()).collect();
    ids.dedup();
    assert_eq!(ids, ["e-f27", "e-tree-cost", "c-parent-tree"]);
    let listed = dir.run("list linear-bloom --json").json();
    let listed: Vec<&str> = listed.iter().map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!(listed, ["e-l-cells", "e-l-queries", "e-l-distortion", "c-linear-bloom"]);
}

/// `--errata` leaves only what contradicts a document, in the list, a run and the report.
#[test]
fn only_what_contradicts_a_document() {
    let dir = dir();
    let listed = dir.run("list --errata --json").json();
    assert!(listed.iter().all(|line| line["contradicts"] == true) && listed.len() > 5, "{listed:?}");
    let text = dir.run("run e-f19 e-f27 --errata -o out").text();
    assert!(text.contains("e-f19: ") && !text.contains("e-f27: "), "{text}");
    assert!(text.contains("  contradicts the document  ") && !text.contains("  holds  "), "{text}");
    let written = dir.run("report out --errata --json").json();
    assert_eq!((&written[0]["experiments"], &written[0]["against"]), (&1.into(), &2.into()));
    assert_eq!(written[0]["holding"], 2, "{written:?}");
    let page = String::from_utf8(dir.read("out/errata.html")).unwrap();
    assert!(page.contains("0.5783") && !page.contains("An index finds"), "{page}");
    assert!(dir.path("out/ERRATA.md").is_file() && dir.path("out/report.html").is_file());
}

#[test]
fn help_shows_an_example_for_every_verb() {
    let dir = dir();
    for flag in ["-h", "--help"] {
        let text = dir.run(flag).text();
        for verb in ["list", "run", "all", "report"] {
            assert!(text.contains(&format!("  crivo-lab {verb} ")), "{verb}: {text}");
            dir.run(&format!("{verb} {flag}")).text();
        }
    }
    dir.run("").fails_with(&["Usage: crivo-lab"]);
    assert_eq!(dir.run("--version").text(), concat!("crivo-lab ", env!("CARGO_PKG_VERSION"), "\n"));
    for verb in ["list", "run", "all", "report"] {
        dir.run(&format!("{verb} --no-such-flag")).fails_with(&["--no-such-flag"]);
    }
}

/// The shape of `--json`, which other programs rely on.
#[test]
fn json_has_its_fields() {
    let dir = dir();
    let of_experiments = [
        "type",
        "id",
        "title",
        "source",
        "reference",
        "question",
        "structures",
        "contradicts",
        "quick",
        "full",
        "timed",
    ];
    fields(&dir.run("list --json").json()[0], &of_experiments);
    let answers = dir.run("run E-F27 --quick --json").json();
    fields(&answers[0], &["type", "id", "claim", "standing", "erratum", "detail"]);
    let of_report =
        ["type", "experiments", "holding", "failing", "reported", "not_judged", "against", "page", "list"];
    fields(&answers[answers.len() - 1], &of_report);
    assert_eq!((&answers[0]["type"], &answers[0]["id"]), (&"verdict".into(), &"e-f27".into()));
    assert_eq!(answers[answers.len() - 1]["type"], "lab_report");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/list.json");
    is_as_kept(&dir.run("list e-f27 --json").json(), &kept);
}

/// Messages about arguments do nothing to a terminal.
#[test]
fn arguments_are_escaped() {
    let dir = dir();
    for text in HOSTILE {
        for words in [&[text][..], &["run", text], &["list", text], &["run", "e-f27", "--seed", text]] {
            let run = dir.run_words(words);
            assert_eq!(run.code, Some(2), "{words:?}");
            is_harmless(run.stderr.as_bytes(), "arguments");
            assert!(!run.stderr.contains("\ngnp") && !run.stderr.contains("\nlines"), "{}", run.stderr);
        }
    }
}

/// Standard output is a full disk, a pipe that nobody reads, or closed.
#[test]
#[cfg(target_os = "linux")]
fn an_output_that_takes_nothing() {
    let dir = dir();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let told = dir.command("list e-f27").stdout(full).stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8(told.stderr).unwrap();
    assert_eq!(told.status.code(), Some(2), "{said}");
    assert!(said.starts_with("crivo-lab: standard output: No space left"), "{said}");
    let mut command = dir.command("list e-f27");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(0), &b""[..]));
    for words in ["list", "--help"] {
        let line = format!("exec {} {words} >&-", env!("CARGO_BIN_EXE_crivo-lab"));
        let told = Command::new("sh").arg("-c").arg(&line).output().unwrap();
        let said = String::from_utf8(told.stderr).unwrap();
        assert_eq!(told.status.code(), Some(2), "{said}");
        assert!(said.contains("standard output: is closed"), "{said}");
    }
}

/// A run that is interrupted ends at once and says so; what was being written is gone, and what is finished stays.
#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_run() {
    let dir = dir();
    dir.run("run e-f27 -o out").text();
    let mut command = dir.command("all -o out --jobs 1 --quick --quiet");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // When the first other experiment has its folder, the program listens.
    while fs::read_dir(dir.path("out")).unwrap().count() < 4 {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(
        (ended.status.code(), said.as_str()),
        (Some(130), "crivo-lab: interrupted; there is no result\n")
    );
    let mut folders = vec![dir.path("out")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            assert!(path.extension().is_none_or(|end| end != "tmp"), "{}", path.display());
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    assert!(dir.path("out/e-f27/run.json").is_file());
}

#[test]
#[cfg(unix)]
fn commands_of_the_readme_print_what_it_shows() {
    let dir = dir();
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let (call, program) =
        ("cargo run --release -p crivo-lab -- ", Path::new(env!("CARGO_BIN_EXE_crivo-lab")));
    let Shown { ran, compared } = prints_what_it_shows(&readme, call, program, &dir.path(""));
    assert!(ran >= 2 && compared >= 1, "only {ran} commands and {compared} outputs were found");
}
