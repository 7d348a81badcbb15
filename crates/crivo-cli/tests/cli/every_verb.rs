//! What holds for every verb, tried with each: files, pipes, bad input, a full disk, a closed pipe, an interrupt, and
//! the form of its JSON.

use crate::foreign::golden;
use crate::support::{Dir, Run, gzip, numbered};
use crivo_testing::is_as_kept;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;

/// How a verb is used.
pub(crate) struct Case {
    verb: &'static str,
    /// Its arguments, `{}` being a file of data.
    line: &'static str,
    data: Data,
    on_interrupt: OnInterrupt,
}

/// What stands for `{}`.
#[derive(Clone, Copy, PartialEq)]
enum Data {
    /// There is none.
    None,
    /// A file, or `-` for standard input.
    Stream(&'static str),
    /// A sketch.
    Sketch(&'static str),
}

/// What an interrupt does while data are awaited.
#[derive(Clone, Copy, PartialEq)]
enum OnInterrupt {
    /// There is an answer from what has come.
    Answers,
    /// There is none.
    Ends,
    /// The verb waits for nothing.
    Unseen,
}

use Data::{Sketch, Stream};
use OnInterrupt::{Answers, Ends, Unseen};

const fn case(verb: &'static str, line: &'static str, data: Data, on_interrupt: OnInterrupt) -> Case {
    Case { verb, line, data, on_interrupt }
}

/// One for each verb. A new verb needs a line here, and a snapshot if it has `--json`: `CRIVO_WRITE_SNAPSHOTS=1` writes it.
pub(crate) const CASES: &[Case] = &[
    case("profile", "{}", Stream("table.csv"), Answers),
    case("check", "{} --rules rules.toml", Stream("table.csv"), Answers),
    case("check learn", "{}", Stream("table.csv"), Answers),
    case("compare", "table.csv {}", Stream("table.csv"), Answers),
    case("distinct", "{} --column name", Stream("table.csv"), Answers),
    case("count", "{} --column name --key n1 --key none", Stream("table.csv"), Answers),
    case("tally", "{} --column name --where number>=50 --key n1", Stream("table.csv"), Answers),
    case("top", "{} --column name -k 3", Stream("table.csv"), Answers),
    case("quantiles", "{} --column number", Stream("table.csv"), Answers),
    case("histogram", "{} --column number --bins 4", Stream("table.csv"), Answers),
    case("range", "0 50 {} --column number", Stream("table.csv"), Answers),
    case("sample", "{} -k 3 --seed 1", Stream("table.csv"), Answers),
    case("seen", "{} --column name", Stream("table.csv"), Answers),
    case("join", "{} table.csv --on name", Stream("table.csv"), Ends),
    case("similar", "{} table.csv --column name", Stream("table.csv"), Ends),
    case("dups", "{} --column name --threshold 0.9 --print groups", Stream("table.csv"), Ends),
    case("graph build", "{} -o new.crv", Stream("edges"), Ends),
    case("graph query", "graph.crv --pairs {}", Stream("edges"), Ends),
    case("graph neighbors", "graph.crv v1 --vertices {}", Stream("edges"), Ends),
    case("graph stats", "{}", Stream("edges"), Ends),
    case("graph labels", "{}", Stream("edges"), Ends),
    // More than a few lines would be refused.
    case("graph feasibility", "{} --not-edge 1/3", Stream("path"), Unseen),
    case("kmers build", "{} -k 5 -o new.crv", Stream("reads.fa"), Ends),
    case("kmers count", "{} -k 5", Stream("reads.fa"), Ends),
    case("kmers components", "{} -k 5", Stream("reads.fa"), Ends),
    case("kmers partition", "{} -k 5 -o parts", Stream("reads.fa"), Ends),
    case("kmers unitigs", "{} -k 5 -o new.fa", Stream("reads.fa"), Ends),
    case("kmers contigs", "{} -k 5 -o new.fa", Stream("reads.fa"), Ends),
    case("filter build", "{} --column name -o new.crv", Stream("table.csv"), Ends),
    case("filter insert", "filter.crv {} --column name -o new.crv", Stream("table.csv"), Ends),
    case("filter remove", "filter.crv {} --column name -o new.crv", Stream("table.csv"), Ends),
    case("filter query", "filter.crv --keys {} --column name", Stream("table.csv"), Answers),
    case("filter route", "bloom.crv --keys {} --column name", Stream("table.csv"), Answers),
    case("filter diff", "{} filter.crv", Sketch("filter.crv"), Unseen),
    case("filter info", "{}", Sketch("filter.crv"), Unseen),
    case("values build", "{} --key name --value number -o new.crv", Stream("table.csv"), Ends),
    case("values query", "values.crv --keys {} --column name", Stream("table.csv"), Answers),
    case("passwords add", "{} --column name --state new.crv --secret-file key", Stream("table.csv"), Answers),
    case(
        "passwords check",
        "--file {} --column name --state common.crv --secret-file key",
        Stream("table.csv"),
        Answers,
    ),
    case("spell", "{} --words words --stats", Stream("words"), Answers),
    case("hyphenate", "{} --exceptions exceptions", Stream("text"), Answers),
    case("info", "{}", Sketch("filter.crv"), Unseen),
    case("merge", "{} filter.crv -o new.crv", Sketch("filter.crv"), Unseen),
    case("verify", "{}", Sketch("filter.crv"), Unseen),
    case("plan membership", "--items 1e6 --fpr 0.01", Data::None, Unseen),
    case("plan cardinality", "--error 0.05", Data::None, Unseen),
    case("plan frequency", "--error 0.001", Data::None, Unseen),
    case("plan duplicates", "--items 1e6", Data::None, Unseen),
    case("plan graph", "--edges 1e6 --fpr 0.001", Data::None, Unseen),
    case("plan kmers", "--kmers 1e8 --fpr 0.05", Data::None, Unseen),
    case("plan profile", "--columns 20", Data::None, Unseen),
    case("plan quantiles", "--error 0.001", Data::None, Unseen),
    case("plan sampling", "--error 0.01", Data::None, Unseen),
    case("plan similarity", "--error 0.02", Data::None, Unseen),
    case("plan values", "--items 1e6", Data::None, Unseen),
    case("explain", "bloom", Data::None, Unseen),
    case("completions", "bash", Data::None, Unseen),
    case("man", "", Data::None, Unseen),
];

impl Case {
    fn line(&self, data: &str) -> String {
        format!("{} {}", self.verb, self.line.replace("{}", data))
    }

    /// With its data, and what goes to standard input.
    pub(crate) fn good(&self) -> (String, &'static str) {
        match self.data {
            Data::None => (self.line(""), ""),
            Stream(name) | Sketch(name) => (self.line(name), name),
        }
    }

    pub(crate) fn has_json(&self, dir: &Dir) -> bool {
        dir.run(&format!("{} --help", self.verb)).text().contains("--json")
    }
}

/// A directory with all that the cases name.
pub(crate) fn dir() -> Dir {
    static SKETCHES: LazyLock<Vec<(&str, Vec<u8>)>> = LazyLock::new(|| {
        let dir = Dir::new();
        write_data(&dir);
        dir.run("filter build table.csv --column name --kind cuckoo --capacity 1000 -o filter.crv").text();
        dir.run("filter build table.csv --column name -o bloom.crv").text();
        dir.run("values build table.csv --key name --value number -o values.crv").text();
        dir.run("graph build edges -o graph.crv").text();
        dir.run("passwords add table.csv --column name --state common.crv --secret-file key").text();
        let names = ["filter.crv", "bloom.crv", "values.crv", "graph.crv", "common.crv"];
        names.map(|name| (name, dir.read(name))).to_vec()
    });
    let dir = Dir::new();
    write_data(&dir);
    SKETCHES.iter().for_each(|(name, sketch)| dir.write(name, sketch));
    dir
}

fn write_data(dir: &Dir) {
    let rows = (0..40).map(|i| format!("n{},{},{i}\n", i * i % 37, i * 7 % 101));
    dir.write("table.csv", format!("name,number,time\n{}", rows.collect::<String>()));
    dir.write("rules.toml", "[columns.number]\ntype = \"integer\"\n");
    dir.write("users.theta", golden("cpp-many.theta"));
    dir.write("edges", (0..60).map(|i| format!("v{i} v{}\n", (i + 1) % 60)).collect::<String>());
    dir.write("path", "a b\nb c\n");
    dir.write_key("key", "0123456789abcdef");
    dir.write("words", "sand\nsieve\ntool\n");
    dir.write("text", "Hyphenation of a table,\nand of tables.\n");
    dir.write("exceptions", "ta-ble\n");
    dir.write("reads.fa", ">one\nACGTACGTTGCA\n>two\nTTGCATTACGGATTACA\n>three\nACG\n");
}

/// The verbs that have no verbs of their own, by the pages of the manual; check has one, and reads files as well.
fn verbs(dir: &Dir) -> BTreeSet<String> {
    dir.run("man -o pages").text();
    let pages = fs::read_dir(dir.path("pages")).unwrap();
    let names: Vec<String> = pages.map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    let verbs: Vec<&str> = names.iter().map(|name| name.strip_suffix(".1").unwrap()).collect();
    let has_verbs = |verb: &str| verbs.iter().any(|other| other.starts_with(&format!("{verb}-")));
    let is_leaf = |verb: &&&str| **verb == "crivo-check" || !has_verbs(verb);
    verbs.iter().filter(is_leaf).map(|verb| verb["crivo-".len()..].replace('-', " ")).collect()
}

#[test]
fn every_verb_has_a_case() {
    let cases: BTreeSet<String> = CASES.iter().map(|case| case.verb.to_owned()).collect();
    let verbs = verbs(&Dir::new());
    assert_eq!(verbs, cases, "a verb needs a line in CASES");
}

#[test]
fn files_and_pipes_give_the_same_answers() {
    for case in CASES {
        let (line, name) = case.good();
        let answer = dir().run(&line);
        assert!(matches!(answer.code, Some(0)), "{line}: {answer:?}");
        assert!(!answer.stdout.is_empty(), "{line}");
        if let Stream(_) = case.data {
            let piped = dir();
            let line = piped_line(case);
            let stdin = piped.read(name);
            let run = piped.run_with(&line, &stdin);
            assert_eq!(run.code, answer.code, "{line}: {run:?}");
            let [file, pipe] = [&answer, &run].map(|run| without_names(&run.stdout, name));
            assert_eq!(pipe, file, "{line}");
        }
    }
}

/// A pipe has no name, so the user must give its format.
fn piped_line(case: &Case) -> String {
    let is_table = case.data == Stream("table.csv");
    let line = case.line("-");
    if is_table && !line.contains("--format") { format!("{line} --format csv") } else { line }
}

/// Without what tells a file from a pipe.
fn without_names(output: &[u8], name: &str) -> String {
    let text = String::from_utf8(output.to_vec()).unwrap().replace("standard input", "-");
    text.lines()
        .map(|line| line.replace(name, "-").split_whitespace().collect::<Vec<_>>().join(" ") + "\n")
        .collect()
}

#[test]
fn bad_input_is_told() {
    let dir = dir();
    fs::create_dir(dir.path("folder")).unwrap();
    let mut damaged = gzip(numbered("v", 1000).as_bytes());
    damaged.truncate(damaged.len() / 2);
    dir.write("damaged.csv.gz", damaged);
    let names = dir.names();
    for case in CASES {
        dir.run(&format!("{} --no-such-flag", case.verb)).fails_with(&["--no-such-flag"]);
        if case.data == Data::None {
            continue;
        }
        for (bad, words) in [
            ("absent", &["absent", "no such file"][..]),
            ("folder", &["folder", "is a directory"]),
            ("damaged.csv.gz", &["damaged.csv.gz"]),
        ] {
            // Directories are what dups is for.
            if case.verb == "dups" && bad == "folder" {
                continue;
            }
            let run = dir.run(&case.line(bad));
            let said = format!("{}{}", run.stderr, String::from_utf8_lossy(&run.stdout));
            let code = if case.verb == "verify" && bad == "damaged.csv.gz" { 1 } else { 2 };
            assert_eq!(run.code, Some(code), "{}: {said}", case.line(bad));
            for word in words {
                assert!(said.contains(word), "{}: {said}", case.line(bad));
            }
        }
        assert_eq!(dir.names(), names, "{}: nothing is left behind", case.verb);
    }
}

#[test]
fn memory_has_a_limit() {
    // What is compared there is a few lines long.
    let has_none = |case: &&Case| case.data == Data::None || case.verb == "graph feasibility";
    for case in CASES.iter().filter(|case| !has_none(case)) {
        let line = format!("{} --max-memory 1", case.good().0);
        let run = dir().run(&line);
        let said = format!("{}{}", run.stderr, String::from_utf8_lossy(&run.stdout));
        assert_eq!(run.code, Some(2), "{line}: {said}");
        assert!(said.contains("--max-memory") || said.contains("raise the limit"), "{line}: {said}");
    }
}

/// Standard output is a full disk.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    for case in CASES {
        let dir = dir();
        let (line, _) = case.good();
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = dir.command(&line).stdin(Stdio::null()).stdout(full).output().unwrap();
        let run = Run::new(&line, output);
        assert_eq!(run.code, Some(2), "{line}: {run:?}");
        assert!(run.stderr.contains("standard output: No space left"), "{line}: {}", run.stderr);
    }
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    for case in CASES {
        let dir = dir();
        let (line, _) = case.good();
        let mut command = dir.command(&line);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::new(&line, child.wait_with_output().unwrap());
        assert_eq!(run.code, Some(0), "{line}: {run:?}");
        assert!(!run.stderr.to_lowercase().contains("pipe"), "{line}: {}", run.stderr);
    }
}

/// As the last input of a shell pipeline that a person ends with Ctrl-C.
#[test]
#[cfg(unix)]
fn an_interrupt_while_waiting() {
    for case in CASES.iter().filter(|case| case.on_interrupt != Unseen) {
        let dir = dir();
        let Stream(name) = case.data else { panic!("{}: waits for what?", case.verb) };
        let (names, line) = (dir.names(), piped_line(case));
        let mut command = dir.command(&line);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // More than a pipe holds: when the last of it is written, the command is reading.
        let data = dir.read(name);
        let body = &data[data.iter().position(|&byte| byte == b'\n').unwrap() + 1..];
        let mut sent = data.clone();
        while sent.len() < 3 << 20 {
            sent.extend_from_slice(body);
        }
        // What is printed meanwhile must go somewhere.
        let mut printed = child.stdout.take().unwrap();
        let printed = std::thread::spawn(move || {
            let mut all = Vec::new();
            printed.read_to_end(&mut all).map(|_| all).unwrap()
        });
        let is_reading = stdin.write_all(&sent).is_ok();
        let pid = child.id().to_string();
        let kill = std::process::Command::new("kill").args(["-INT", &pid]).status();
        assert!(kill.unwrap().success() || !is_reading);
        let run = Run::new(&line, child.wait_with_output().unwrap());
        let printed = printed.join().unwrap();
        drop(stdin);
        assert!(is_reading, "{line}: {run:?}");
        assert_eq!(run.code, Some(130), "{line}: {run:?}");
        if case.on_interrupt == Answers {
            assert!(!printed.is_empty(), "{line}: {run:?}");
            let said = run.stderr.lines().last().unwrap_or_default();
            assert!(
                said.starts_with("crivo: interrupted after ") && said.ends_with(" for this part"),
                "{line}: {said}"
            );
        } else {
            assert_eq!(run.stderr.lines().last(), Some("crivo: interrupted; there is no result"), "{line}");
            assert_eq!(dir.names(), names, "{line}: nothing is left behind");
        }
    }
}

/// Nothing is an input like any other. It answers as nothing does: 0, or 1 where a verb says with 1 that it found none. A
/// graph of no edges alone is nothing to label or to look at.
#[test]
fn nothing_is_an_input() {
    for case in CASES.iter().filter(|case| matches!(case.data, Stream(_))) {
        let line = piped_line(case);
        let run = dir().run_with(&line, b"");
        let code = match case.verb {
            "check" | "compare" | "graph query" | "graph neighbors" | "filter query" | "filter route"
            | "filter remove" | "values query" => 1,
            "graph labels" | "graph feasibility" => 2,
            _ => 0,
        };
        assert_eq!(run.code, Some(code), "{line}: {run:?}");
        assert!(code != 2 || run.stderr.contains("no edges were found"), "{line}: {run:?}");
    }
}

#[test]
fn json_is_as_it_was() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut kept = BTreeSet::new();
    for case in CASES {
        let dir = dir();
        if !case.has_json(&dir) {
            continue;
        }
        let line = format!("{} --json", case.good().0);
        let run = dir.run(&line);
        assert_eq!(run.code, Some(0), "{line}: {run:?}");
        let text = String::from_utf8(run.stdout).unwrap();
        let mut found: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        found.iter_mut().for_each(forget_times);
        let path: PathBuf = folder.join(format!("{}.json", case.verb.replace(' ', "-")));
        is_as_kept(&found, &path);
        kept.insert(path.file_name().unwrap().to_owned());
    }
    let files = fs::read_dir(&folder).unwrap().map(Result::unwrap).filter(|file| file.path().is_file());
    let all: BTreeSet<_> = files.map(|file| file.file_name()).collect();
    assert_eq!(all, kept, "a snapshot without a verb");
}

/// How long something took is not the same twice.
fn forget_times(answer: &mut Value) {
    for (name, value) in answer.as_object_mut().unwrap() {
        if name.ends_with("seconds") {
            *value = Value::Null;
        }
    }
}
