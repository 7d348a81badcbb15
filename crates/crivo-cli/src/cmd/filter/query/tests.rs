//! Tests of the verb.

use super::super::build::Build;
use super::*;
use crate::testing::{Folder, printed, run};

/// A filter of `u1` and `u3`, and where it is.
fn folder() -> (Folder, String) {
    let folder = Folder::new();
    let (users, filter) = (folder.write("users", "u1\nu3\n"), folder.path("f.crv"));
    run::<Build>(&[&users, "-o", &filter, "--fpr", "0.000001"]).unwrap();
    (folder, filter)
}

#[test]
fn what_is_asked_for_is_printed_and_the_rest_with_invert() {
    let (folder, filter) = folder();
    let data = folder.write("data", "u1\nu2\nu3");
    let cases: [(&[&str], &str, u8); 5] = [
        (&[], "u1\nu3\n", 0),
        (&["-v"], "u2\n", 0),
        (&["-v", "--count"], "1\n", 0),
        (&["--quiet"], "", 0),
        (&["--null"], "", 1),
    ];
    for (flags, expected, code) in cases {
        let (report, text) = printed::<Query>(&[&[&*filter, "--keys", &*data], flags].concat());
        assert_eq!((&*text, report.exit_code()), (expected, code), "{flags:?}");
    }
    let others = folder.write("others", "u2\n");
    for flags in [&[][..], &["--count"], &["--quiet"], &["--json"]] {
        let (report, _) = run::<Query>(&[&[&filter, "--keys", &others[..]], flags].concat()).unwrap();
        assert_eq!((report.present, report.absent, report.exit_code()), (0, 1, 1), "{flags:?}");
    }
}

#[test]
fn lines_are_printed_as_they_came() {
    let folder = Folder::new();
    let (lines, filter) = (folder.write("in", b"\xff\xfd\r\n\nlast"), folder.path("f.crv"));
    run::<Build>(&[&lines, "-o", &filter]).unwrap();
    let (_, text) = printed::<Query>(&[&filter, "--keys", &lines, "--json"]);
    let [first, last, all] = text.lines().collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(first, r#"{"type":"record","present":true,"record":{"bytes":"//0N"}}"#);
    assert_eq!(last, r#"{"type":"record","present":true,"record":"last"}"#);
    assert!(
        all.starts_with(r#"{"type":"query","present":2,"absent":0,"missing":1,"fpr":{"value":"#),
        "{all}"
    );
}

#[test]
fn rows_keep_their_header_and_spelling() {
    let (folder, filter) = folder();
    let a = folder.write("a.csv", "user,\"no\nte\"\r\n\"u1\",\"x\ny\"\r\nu2,z\r\n,\r\nu3,\"\"\r\n");
    let b = folder.write("b.csv", "user,\"no\nte\"\nu1,q\n");
    let json = folder.write("a.jsonl", "{\"user\": \"u3\", \"n\": 1}\n{\"user\": null}\n{}\n");
    let check = |words: &[&str], expected: &str, missing: &str| {
        let words = [&[&*filter, "--column", "user", "--keys"], words].concat();
        let (report, recorded) = run::<Query>(&words).unwrap();
        recorded.session.finish(&report).unwrap();
        assert_eq!(recorded.printed(), expected, "{words:?}");
        assert_eq!(recorded.remarks(), [format!("{missing}, certainly not in the filter")], "{words:?}");
    };
    let found = "user,\"no\nte\"\n\"u1\",\"x\ny\"\nu3,\"\"\nu1,q\n";
    check(&[&a, "--keys", &b], found, "1 missing value");
    check(&[&a, "-v"], "user,\"no\nte\"\nu2,z\n,\n", "1 missing value");
    check(&[&a, "-v", "--count"], "2\n", "1 missing value");
    check(&[&json], "{\"user\": \"u3\", \"n\": 1}\n", "2 missing values");
    check(&[&json, "-v"], "{\"user\": null}\n{}\n", "2 missing values");
    let empty = folder.write("empty.csv", "user,x\n,1\n");
    for (flag, code) in [("-v", 0), ("--no-verify", 1)] {
        let (report, recorded) =
            run::<Query>(&[&filter, "--keys", &empty, "-c", "user", "--quiet", flag]).unwrap();
        assert_eq!(report.exit_code(), code);
        recorded.session.finish(&report).unwrap();
        assert!(recorded.remarks().is_empty());
    }
}

#[test]
fn headers_keep_their_blanks_and_must_agree() {
    let (folder, filter) = folder();
    let a = folder.write("a.tsv", "user\t \t\r\nu1\t1\t\r\n");
    let b = folder.write("b.tsv", "x\tuser\t\n2\tu1\t\n");
    assert_eq!(printed::<Query>(&[&filter, "--keys", &a, "-c", "user"]).1, "user\t \t\nu1\t1\t\n");
    let error = run::<Query>(&[&filter, "--keys", &a, "--keys", &b, "-c", "user"]).err().unwrap().to_string();
    assert!(error.starts_with(&format!("{b}: the header differs")), "{error}");
    assert_eq!(printed::<Query>(&[&filter, "--keys", &a, "--keys", &b, "-c", "user", "--count"]).1, "2\n");
}
