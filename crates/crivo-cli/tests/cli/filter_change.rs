//! `filter insert` and `filter remove`.

use crate::support::{Dir, numbered};
use crivo::{KINDS, MakeFilter};

#[test]
fn growth_stays_within_the_memory() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 100_000));
    for info in KINDS {
        if !info.filter.is_some_and(|target| matches!(target.make, MakeFilter::Empty(_))) {
            continue;
        }
        let line = format!("filter build in -o f.crv --force --capacity 1000 --kind {}", info.kind.name());
        let run = dir.run(&format!("{line} --max-memory 16KiB --json"));
        if run.code == Some(0) {
            let answer: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
            assert!(answer["memory_bytes"].as_u64().unwrap() <= 16 << 10, "{answer}");
        } else {
            assert!(run.stderr.contains("--max-memory") || run.stderr.contains("full"), "{run:?}");
        }
    }
}

#[test]
fn what_cannot_be_changed_is_left_alone() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 1_000));
    dir.write_key("key", "0123456789abcdef");
    dir.write("other", "0123456789abcdeX");
    dir.run("filter build in -o keyed.crv --secret-file key").text();
    dir.run("filter build in -o f.crv").text();
    dir.run("distinct in --save d.crv").text();
    let mut damaged = dir.read("f.crv");
    damaged[100] ^= 1;
    dir.write("bad.crv", &damaged);
    std::fs::create_dir(dir.path("folder")).unwrap();
    let names = dir.names();
    let files = ["keyed.crv", "f.crv", "d.crv", "bad.crv"];
    let before = files.map(|name| dir.read(name));
    for (line, words) in [
        ("insert nosuch.crv in", &["nosuch.crv", "check the name"][..]),
        ("insert folder in", &["folder", "only a file"]),
        ("insert - in", &["--output"]),
        ("insert f.crv nosuch", &["nosuch: no such file"]),
        ("insert bad.crv in", &["bad.crv", "corrupt"]),
        ("insert keyed.crv in", &["keyed.crv", "--secret-file"]),
        ("insert keyed.crv in --secret-file other", &["keyed.crv", "key"]),
        ("insert d.crv in", &["d.crv", "hyperloglog", "membership"]),
        ("insert f.crv in -o d.crv", &["d.crv", "--force"]),
        ("insert f.crv in -o -", &["standard output"]),
        ("insert f.crv in --force", &["--output"]),
        ("insert f.crv in --max-memory 1KiB", &["f.crv", "limit"]),
        ("remove bad.crv in", &["bad.crv", "corrupt"]),
        ("remove d.crv in", &["d.crv", "hyperloglog", "membership"]),
        ("remove nosuch.crv in", &["nosuch.crv", "check the name"]),
        ("diff f.crv nosuch.crv", &["nosuch.crv: no such file"]),
        ("diff f.crv bad.crv", &["bad.crv", "corrupt"]),
        ("diff f.crv d.crv", &["d.crv", "hyperloglog", "membership"]),
        ("diff f.crv keyed.crv", &["keyed.crv", "--secret-file"]),
        ("diff f.crv", &["B.crv"]),
        ("info d.crv", &["d.crv", "hyperloglog", "membership"]),
        ("info bad.crv", &["bad.crv", "corrupt"]),
    ] {
        dir.run(&format!("filter {line}")).fails_with(words);
    }
    assert_eq!(dir.names(), names);
    assert_eq!(files.map(|name| dir.read(name)), before);
    dir.run("filter insert keyed.crv in --secret-file key").text();
    assert!(dir.run("filter info f.crv").text().starts_with("f.crv: bloom-filter, "));
}

#[test]
fn a_filter_from_standard_input_goes_to_a_new_file() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.write("more", "b\n");
    dir.run("filter build in -o f.crv --fpr 0.000001").text();
    let sketch = dir.read("f.crv");
    dir.run_with("filter insert - more -o g.crv", &sketch).text();
    assert_eq!(dir.run_with("filter query g.crv", b"a\nb\nc\n").text(), "a\nb\n");
    assert_eq!(dir.read("f.crv"), sketch);
}

#[cfg(unix)]
#[test]
fn a_changed_file_keeps_its_permissions_and_links() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.write("more", "b\n");
    dir.run("filter build in -o f.crv").text();
    std::fs::set_permissions(dir.path("f.crv"), PermissionsExt::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink("f.crv", dir.path("link.crv")).unwrap();
    dir.run("filter insert link.crv more").text();
    assert!(std::fs::symlink_metadata(dir.path("link.crv")).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(dir.path("f.crv")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(dir.run("filter query f.crv --keys more").text(), "b\n");
}
